"""`thinlab study power`: how often a study would find what it is about.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from thinlab.commands import power_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thinlab.analysis.simulated.declared_power import DeclaredPlanner
    from thinlab.analysis.simulated.power import Assumed
    from thinlab.study.definition import StudyDefinition

LOWEST_PRIORITY = 19


def show(
    definition: "StudyDefinition",
    participants: "Sequence[int]",
    effects: "Sequence[float]",
    *,
    studies: int,
    seed: int,
    assumed: "Assumed",
) -> None:
    """Prints a curve for each primary test, or hypothesis.

    Raises `ValueError` where there is nothing to test, or votes cannot show an effect.
    """
    from thinlab.analysis.simulated.curve import usual_sizes
    from thinlab.analysis.simulated.declared_power import DeclaredPlanner
    from thinlab.analysis.simulated.power import Planner

    sizes = sorted(set(participants or usual_sizes(definition)))
    if definition.analysis is not None and definition.analysis.hypotheses:
        if effects:
            raise ValueError(
                "`--effect` is for `primary`; hypotheses are simulated with no effect, with the "
                "`smallest_effect` that they name, and with more"
            )
        _show_declared(DeclaredPlanner(definition, studies, seed, assumed), sizes)
        return
    planner = Planner(definition, studies, seed, assumed)
    started = perf_counter()
    for line in power_tables.primary_heading(planner):
        typer.echo(line)
    for test in planner.tests:
        typer.echo("")
        for line in power_tables.curve(planner, test, sizes, effects):
            typer.echo(line)
    typer.echo(_told(perf_counter() - started, planner.simulated))


def _show_declared(planner: "DeclaredPlanner", sizes: "Sequence[int]") -> None:
    started = perf_counter()
    for line in power_tables.declared_heading(planner):
        typer.echo(line)
    levels = range(len(planner.declared[0].effects))
    found = {(level, size): planner.at_level(level, size) for level in levels for size in sizes}
    for one in planner.declared:
        typer.echo("")
        for line in power_tables.declared_table(one, found, sizes):
            typer.echo(line)
    typer.echo("")
    for line in power_tables.together_table(planner, found, sizes):
        typer.echo(line)
    typer.echo(_told(perf_counter() - started, planner.simulated))


def tell_curve(definition: str, studies: int) -> None:
    """Prints JSON lines: `{"share": …}` now and then, and `{"curve": …}` or `{"problem": …}`."""
    from thinlab.analysis.simulated.curve import curve_of
    from thinlab.study.definition import StudyDefinition

    # Nobody else waits while a study is simulated.
    os.setpriority(os.PRIO_PROCESS, 0, LOWEST_PRIORITY)
    said = -1

    def told(done: int, total: int) -> None:
        nonlocal said
        if (hundredths := 100 * done // total) > said:
            said = hundredths
            typer.echo(json.dumps({"share": hundredths / 100}))

    try:
        curve = curve_of(StudyDefinition.model_validate_json(definition), studies, told)
    except ValueError as error:
        typer.echo(json.dumps({"problem": str(error)}))
        return
    typer.echo(json.dumps({"curve": curve.model_dump(mode="json")}))


def _told(seconds: float, simulated: int) -> str:
    return (
        f"\n{simulated} studies simulated in {seconds:.1f} s: "
        f"1000 in {1000 * seconds / simulated:.2f} s."
    )


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
