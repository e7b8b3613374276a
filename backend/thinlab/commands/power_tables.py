"""The tables that `thinlab study power` prints.

SPDX-License-Identifier: Apache-2.0
"""

from typing import TYPE_CHECKING

from thinlab.study.scale import RATINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from thinlab.analysis.simulated.declared import Declared
    from thinlab.analysis.simulated.declared_power import DeclaredPlanner
    from thinlab.analysis.simulated.outcome import Outcome
    from thinlab.analysis.simulated.power import Planner, Power
    from thinlab.analysis.simulated.primary import PrimaryTest

WANTED = (0.8, 0.9)
ASSUMED = "Assumed, and not measured (docs/studies.md, “Power”):"


def primary_heading(planner: "Planner") -> "Iterator[str]":
    """What the power of primary tests is of, and what is assumed."""
    from thinlab.analysis.simulated.assumptions import assumptions

    plan = planner.definition.analysis
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
    yield ASSUMED
    for line in assumptions(planner.assumed, {test.scale for test in planner.tests}):
        yield f"  {line}"


def declared_heading(planner: "DeclaredPlanner") -> "Iterator[str]":
    """What the power of hypotheses is of, and what is assumed."""
    from thinlab.analysis.simulated.assumptions import assumptions

    plan, count = planner.plan, len(planner.declared)
    rules = {"any": ", corrected after Holm", "all": ", of which all must be shown"}
    looks = f"; looks after {', '.join(str(size) for size in plan.looks)}" if plan.looks else ""
    yield (
        f"Power of {planner.definition.slug}: of 100 studies, how many show what its hypotheses "
        "declare, were the effect so large."
    )
    yield (
        f"{count} {'hypothesis' if count == 1 else 'hypotheses'} at {100 * plan.confidence:g} %"
        f"{rules[plan.rule] if count > 1 else ''}{looks}; {planner.studies} simulated studies "
        "each, [95 % Monte Carlo interval]."
    )
    yield "All have their effect at once, small ones with small ones."
    yield ""
    yield ASSUMED
    for line in assumptions(planner.assumed, {one.scale for one in planner.declared}):
        yield f"  {line}"


def declared_table(
    one: "Declared", found: "Mapping[tuple[int, int], Outcome]", sizes: "Sequence[int]"
) -> "Iterator[str]":
    """One hypothesis: a row for each effect, a column for each number of people."""
    compared = f": {one.conditions[1]} against {one.conditions[0]}" if one.conditions else ""
    yield f"{one.one.id}{compared}, {_recordings(one.recordings)}, {_about(one.generalises)}"
    columns = "".join(f"  {f'{size} people':>18}" for size in sizes)
    yield f"  {'effect':>16}  {'shown on average':>16}{columns}"
    for level in dict.fromkeys(level for level, _ in found):
        mine = [found[level, size].each[one.one.id] for size in sizes]
        effect, mean = (
            _written(one, value)
            for value in (one.null + one.sign * one.effects[level], mine[-1].mean)
        )
        cells = "".join(f"  {_cell(each.difference):>18}" for each in mine)
        yield f"  {effect:>16}  {mean:>16}{cells}"
        if one.one.smallest_effect is not None:
            cells = "".join(f"  {_cell(each.equivalence):>18}" for each in mine if each.equivalence)
            yield f"  {'':>16}  {'none that matters':>16}{cells}"


def together_table(
    planner: "DeclaredPlanner",
    found: "Mapping[tuple[int, int], Outcome]",
    sizes: "Sequence[int]",
) -> "Iterator[str]":
    """All hypotheses, and when looks stop the study."""
    if len(planner.declared) > 1:
        yield "All are shown" if planner.plan.rule == "all" else "At least one is shown"
        for level in dict.fromkeys(level for level, _ in found):
            cells = "".join(f"  {_cell(found[level, size].differences):>18}" for size in sizes)
            yield f"  {f'effects {level + 1}':>16}  {'':>16}{cells}"
    if planner.has_looks:
        yield "Stops before the end; and participants then, or at the end, on average"
        for level in dict.fromkeys(level for level, _ in found):
            outcomes = [found[level, size] for size in sizes]
            cells = "".join(f"  {_cell(one.stopped):>18}" for one in outcomes if one.stopped)
            people = "".join(f"  {one.participants:>18.1f}" for one in outcomes)
            yield f"  {f'effects {level + 1}':>16}  {'':>16}{cells}"
            yield f"  {'':>16}  {'':>16}{people}"


def _written(one: "Declared", effect: float) -> str:
    return f"{100 * effect:.1f} %" if one.unit.startswith("share") else f"{effect:+.2f}"


def curve(
    planner: "Planner", test: "PrimaryTest", sizes: "Sequence[int]", effects: "Sequence[float]"
) -> "Iterator[str]":
    """One primary test: a row for each effect, and how many people it needs."""
    from thinlab.analysis.simulated.power import MOST
    from thinlab.analysis.simulated.scales import SIMULATED

    recordings = _recordings(test.recordings)
    compared = "" if test.scale in RATINGS else f": {test.b} against {test.a}"
    yield f"{test.name}{compared}, {recordings}, {_about(test.generalises)}"
    heads = [f"{size} people" for size in sizes]
    needs = [f"for {100 * power:g} %" for power in WANTED]
    columns = "".join(f"  {head:>18}" for head in heads)
    yield f"  {_unit(test):>16}{columns}" + "".join(f"  {need:>11}" for need in needs)
    beyond = False
    for effect in effects or SIMULATED[test.scale].usual:
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


def _recordings(count: int) -> str:
    return "1 recording" if count == 1 else f"{count} recordings"


def _about(generalises: bool) -> str:
    return (
        "about other losses as well" if generalises else "about these only; they do not differ here"
    )


def _unit(test: "PrimaryTest") -> str:
    from thinlab.analysis.simulated.scales import SIMULATED

    return SIMULATED[test.scale].heading


def _size(test: "PrimaryTest", effect: float) -> str:
    return f"{100 * effect:g} %" if test.scale in {"preference", "abx"} else f"{effect:+.2f}"


def _cell(power: "Power") -> str:
    low, high = power.interval()
    return f"{100 * power.share:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
