"""The power of a plan over participants and over effects, as the researcher's page draws it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence

from thinlab.analysis.simulated.assumptions import assumptions
from thinlab.analysis.simulated.curve_findings import (
    PlannedTest,
    PowerCurve,
    PowerPoint,
    PowerShare,
    TogetherPoint,
)
from thinlab.analysis.simulated.declared import Declared
from thinlab.analysis.simulated.declared_power import DeclaredPlanner
from thinlab.analysis.simulated.false_positives import PARTICIPANTS
from thinlab.analysis.simulated.outcome import Outcome
from thinlab.analysis.simulated.planted import NO_EFFECT
from thinlab.analysis.simulated.power import FEWEST, Planner, Power
from thinlab.analysis.simulated.primary import PrimaryTest
from thinlab.analysis.simulated.scales import SIMULATED
from thinlab.study.definition import StudyDefinition

# Of the sessions that the stop rule wants.
USUAL_SHARES = (0.25, 0.5, 1, 2, 4)
MOST_PARTICIPANTS = 1000


def curve_of(
    definition: StudyDefinition, studies: int, told: Callable[[int, int], None]
) -> PowerCurve:
    """Simulates it. `told`: of how many simulated studies how many are done.

    Raises `ValueError` where the file plans no test.
    """
    sizes = usual_sizes(definition)
    plan = definition.analysis
    if plan is not None and plan.hypotheses:
        return _of_declared(definition, sizes, studies, told)
    return _of_primary(definition, sizes, studies, told)


def usual_sizes(definition: StudyDefinition) -> list[int]:
    """Numbers of participants around what the stop rule wants."""
    planned = _planned(definition) or PARTICIPANTS
    sizes = {max(FEWEST, round(share * planned)) for share in USUAL_SHARES}
    return sorted({*(size for size in sizes if size <= MOST_PARTICIPANTS), max(FEWEST, planned)})


def _planned(definition: StudyDefinition) -> int | None:
    return None if definition.stop is None else definition.stop.completed


def _of_declared(
    definition: StudyDefinition,
    sizes: Sequence[int],
    studies: int,
    told: Callable[[int, int], None],
) -> PowerCurve:
    planner = DeclaredPlanner(definition, studies, seed=1)
    levels = range(len(planner.declared[0].effects))
    total = studies * len(sizes) * len(levels)
    planner.told = lambda: told(planner.simulated, total)
    found = {(level, size): planner.at_level(level, size) for level in levels for size in sizes}
    together = len(planner.declared) > 1 or planner.has_looks
    plan = planner.plan
    return PowerCurve(
        participants=list(sizes),
        planned=_planned(definition),
        confidence=plan.confidence,
        rule=plan.rule if len(planner.declared) > 1 else None,
        studies=studies,
        assumed=list(assumptions(planner.assumed, {one.scale for one in planner.declared})),
        tests=[_declared_test(one, found) for one in planner.declared],
        together=[
            TogetherPoint(
                participants=size,
                size=level,
                shown=_share(outcome.differences),
                stopped=outcome.stopped and _share(outcome.stopped),
                participants_mean=outcome.participants,
            )
            for (level, size), outcome in found.items()
            if together
        ],
    )


def _declared_test(one: Declared, found: dict[tuple[int, int], Outcome]) -> PlannedTest:
    return PlannedTest(
        id=one.one.id,
        unit=one.unit,
        recordings=one.recordings,
        generalises=one.generalises,
        null_value=one.null,
        smallest_effect=one.one.smallest_effect,
        points=[
            PowerPoint(
                participants=size,
                effect=one.null + one.sign * one.effects[level],
                shown=_share(mine.difference),
                none_that_matters=mine.equivalence and _share(mine.equivalence),
            )
            for (level, size), outcome in found.items()
            for mine in [outcome.each[one.one.id]]
        ],
    )


def _of_primary(
    definition: StudyDefinition,
    sizes: Sequence[int],
    studies: int,
    told: Callable[[int, int], None],
) -> PowerCurve:
    planner = Planner(definition, studies, seed=1)
    effects = {
        test.name: (NO_EFFECT[test.scale], *SIMULATED[test.scale].usual) for test in planner.tests
    }
    points: dict[str, list[PowerPoint]] = {test.name: [] for test in planner.tests}
    tried = [
        (effect, size)
        for effect in sorted({one for own in effects.values() for one in own})
        for size in sizes
    ]
    for done, (effect, size) in enumerate(tried):
        told(done, len(tried))
        for test in planner.tests:
            # An effect of one scale may be more than another can show.
            if effect in effects[test.name]:
                points[test.name].append(_primary_point(planner, test, effect, size))
    told(len(tried), len(tried))
    plan = definition.analysis
    return PowerCurve(
        participants=list(sizes),
        planned=_planned(definition),
        confidence=plan.confidence if plan else 0.95,
        rule=None,
        studies=studies,
        assumed=list(assumptions(planner.assumed, {test.scale for test in planner.tests})),
        tests=[
            PlannedTest(
                id=test.name,
                unit=SIMULATED[test.scale].unit,
                recordings=test.recordings,
                generalises=test.generalises,
                null_value=effects[test.name][0],
                smallest_effect=None,
                points=points[test.name],
            )
            for test in planner.tests
        ],
        together=[],
    )


def _primary_point(planner: Planner, test: PrimaryTest, effect: float, size: int) -> PowerPoint:
    return PowerPoint(
        participants=size,
        effect=effect,
        shown=_share(planner.power(effect, size)[test.name]),
        none_that_matters=None,
    )


def _share(power: Power) -> PowerShare:
    low, high = power.interval()
    return PowerShare(value=power.share, low=low, high=high)
