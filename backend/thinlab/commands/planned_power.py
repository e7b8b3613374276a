"""`thinlab study power`: how often a study would find what it is about.

SPDX-License-Identifier: Apache-2.0
"""

from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from thinlab.analysis.simulated.answers import Effects
    from thinlab.analysis.simulated.power import Assumed, Planner, Power
    from thinlab.analysis.simulated.primary import PrimaryTest
    from thinlab.study.definition import StudyDefinition

WANTED = (0.8, 0.9)
# Of the sessions that the stop rule wants.
USUAL_SHARES = (0.25, 0.5, 1, 2, 4)


def show(
    definition: "StudyDefinition",
    participants: "Sequence[int]",
    effects: "Sequence[float]",
    *,
    studies: int,
    seed: int,
    assumed: "Assumed",
) -> None:
    """Prints a curve for each primary test. Raises `ValueError` where there is nothing to test."""
    from thinlab.analysis.simulated.power import Planner

    planner = Planner(definition, studies, seed, assumed)
    sizes = sorted(set(participants or _usual(definition)))
    started = perf_counter()
    for line in _assumptions(planner):
        typer.echo(line)
    for test in planner.tests:
        typer.echo("")
        for line in _curve(planner, test, sizes, effects):
            typer.echo(line)
    seconds = perf_counter() - started
    typer.echo(
        f"\n{planner.simulated} studies simulated in {seconds:.1f} s: "
        f"1000 in {1000 * seconds / planner.simulated:.2f} s."
    )


def _usual(definition: "StudyDefinition") -> list[int]:
    from thinlab.analysis.simulated.false_positives import PARTICIPANTS
    from thinlab.analysis.simulated.power import FEWEST

    stop = definition.stop
    planned = PARTICIPANTS if stop is None else stop.completed or PARTICIPANTS
    return [max(FEWEST, round(share * planned)) for share in USUAL_SHARES]


def _assumptions(planner: "Planner") -> "Iterator[str]":
    plan = planner.definition.analysis
    assumed = planner.assumed
    holm = plan is not None and plan.correction == "holm" and len(planner.tests) > 1
    corrected = f", Holm's correction over {len(planner.tests)} tests" if holm else ""
    confidence = f"{100 * plan.confidence:g} %" if plan else ""
    yield (
        f"Power of {planner.definition.slug}: of 100 studies, how many find an effect of this size "
        "and direction."
    )
    yield (
        f"Two-sided tests at {confidence}{corrected}; {planner.studies} simulated studies each, "
        "[95 % Monte Carlo interval]."
    )
    yield ""
    yield "Assumed, and not measured (docs/studies.md, “Power”):"
    for scale in dict.fromkeys(test.scale for test in planner.tests):
        effects = assumed.of(scale)
        unit = " in log odds" if scale == "preference" else " points"
        yield (
            f"  {scale}: participants differ by {effects.listeners:g}{unit} (standard deviation; "
            f"--participants-differ {assumed.participants:g}), recordings by "
            f"{effects.recordings:g}{unit} (--recordings-differ {assumed.recordings:g})"
        )
        yield f"  {scale}: {_besides(scale, effects)}"
    yield f"  {100 * assumed.excluded:g} % of participants are excluded (--excluded), by chance"
    yield "  everybody answers everything, and no run of a pair is twice the same bytes"


def _besides(scale: str, effects: "Effects") -> str:
    answers = f"single answers differ by {effects.noise:g} points besides"
    if scale == "preference":
        return (
            f"the first presented is preferred by {effects.order:g} in log odds, and the log "
            f"weight of “no difference”, where it may be said, is {effects.tie:g}"
        )
    if scale == "ccr":
        return f"{answers}, and the second presented is given {effects.order:g} points"
    return (
        f"{answers}, participants by {effects.tastes:g} in what a condition is to them, clips by "
        f"{effects.clips:g}"
    )


def _curve(
    planner: "Planner", test: "PrimaryTest", sizes: "Sequence[int]", effects: "Sequence[float]"
) -> "Iterator[str]":
    from thinlab.analysis.simulated.power import MOST, USUAL_EFFECTS

    about = (
        "about other losses as well"
        if test.generalises
        else "about these only; they do not differ here"
    )
    recordings = "1 recording" if test.recordings == 1 else f"{test.recordings} recordings"
    compared = "" if test.scale == "acr" else f": {test.b} against {test.a}"
    yield f"{test.name}{compared}, {recordings}, {about}"
    heads = [f"{size} people" for size in sizes]
    needs = [f"for {100 * power:g} %" for power in WANTED]
    columns = "".join(f"  {head:>18}" for head in heads)
    yield f"  {_unit(test):>16}{columns}" + "".join(f"  {need:>11}" for need in needs)
    beyond = False
    for effect in effects or USUAL_EFFECTS[test.scale]:
        cells = [_cell(planner.power(effect, size)[test.name]) for size in sizes]
        needed = [planner.needed(test, effect, power) for power in WANTED]
        beyond = beyond or None in needed
        told = [f"> {MOST}" if number is None else f"about {number}" for number in needed]
        columns = "".join(f"  {cell:>18}" for cell in cells)
        yield f"  {_size(test, effect):>16}{columns}" + "".join(f"  {one:>11}" for one in told)
    if beyond and test.generalises:
        yield (
            f"  Where {MOST} people are not enough, it is the {recordings} that are too few: add "
            "`runs`."
        )


def _unit(test: "PrimaryTest") -> str:
    return {"preference": "share", "ccr": "CMOS", "acr": "MOS difference"}[test.scale]


def _size(test: "PrimaryTest", effect: float) -> str:
    return f"{100 * effect:g} %" if test.scale == "preference" else f"{effect:+.2f}"


def _cell(power: "Power") -> str:
    low, high = power.interval()
    return f"{100 * power.share:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


Participants = Annotated[
    list[int] | None,
    typer.Option(
        min=8, max=1000, help="Completed sessions; may be repeated. Default: around the stop rule."
    ),
]
EffectSizes = Annotated[
    list[float] | None,
    typer.Option(
        "--effect",
        min=0,
        help="True share of votes with a preference (0.7), CMOS, or difference of MOS; may be "
        "repeated. Default: three of each.",
    ),
]
PeopleScale = Annotated[
    float,
    typer.Option(
        min=0, max=4, help="How much participants differ, as a multiple of what is stated."
    ),
]
RecordingScale = Annotated[
    float,
    typer.Option(min=0, max=4, help="How much recordings differ, as a multiple of what is stated."),
]
Excluded = Annotated[
    float, typer.Option(min=0, max=0.9, help="Share of completed sessions that is left out.")
]
