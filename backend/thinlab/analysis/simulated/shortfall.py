"""What a plan cannot show, to be said before anybody is asked.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Collection, Iterator, Mapping

from thinlab.analysis.crossed import FEWEST_RECORDINGS
from thinlab.analysis.simulated.declared import Declared, declared_of
from thinlab.analysis.simulated.declared_power import DeclaredPlanner
from thinlab.analysis.simulated.power import MOST, EffectError, Planner
from thinlab.analysis.simulated.primary import PrimaryTest, primary_tests
from thinlab.analysis.simulated.scales import SIMULATED
from thinlab.study.definition import StudyDefinition
from thinlab.study.hypothesis import ControlHypothesis
from thinlab.study.scale import PREFERENCES
from thinlab.study.trial import member_conditions

# Less is commonly taken for too little (Cohen: Statistical power analysis. 1988, page 56).
WANTED = 0.8
# Where the plan does not say what it is after: a study that misses a large effect as often as it
# finds it cannot be after any.
LEAST_OF_LARGE = 0.5
# To within two points about 80 %.
STUDIES = 2000
# To within four: each is judged as votes of people are, which takes longer.
STUDIES_OF_HYPOTHESES = 400
# Where `Declared.effects` has the smallest that matters.
SMALLEST = 1


def shortfalls(
    definition: StudyDefinition,
    smallest_effects: Mapping[str, float] | None = None,
    *,
    studies: int = STUDIES,
) -> Iterator[str]:
    """A sentence on each. `smallest_effects`: of interest, by a primary test's name.

    Where the file sets no number of completed sessions, only recordings are looked at.
    """
    plan = definition.analysis
    if plan is not None and plan.hypotheses:
        yield from _of_hypotheses(definition, studies)
        return
    tests = primary_tests(definition)
    for test in tests:
        if not test.generalises:
            yield _few_recordings(test.name, test.recordings)
    lone = [test for test in tests if _in_one_order(definition, test.trials)]
    for test in lone:
        yield _one_order(test.name)
    tests = [test for test in tests if test not in lone]
    stop = definition.stop
    if not tests or stop is None or stop.completed is None:
        return
    planner = Planner(definition, studies, seed=1)
    participants = min(stop.completed, MOST)
    stated = smallest_effects or {}
    for test in tests:
        if test.name in stated:
            yield from _of_smallest(planner, test, stated[test.name], participants)
    yield from _of_large(planner, [test for test in tests if test.name not in stated], participants)


def _of_hypotheses(definition: StudyDefinition, studies: int) -> Iterator[str]:
    declared = declared_of(definition)
    yield from _of_presentation(definition, declared)
    stop = definition.stop
    if stop is None or stop.completed is None:
        return
    planner = DeclaredPlanner(definition, min(studies, STUDIES_OF_HYPOTHESES), seed=1)
    participants = min(stop.completed, MOST)
    # Of those that say what would matter, that; of others, a large effect.
    level = {
        one.one.id: SMALLEST if one.one.smallest_effect is not None else -1 for one in declared
    }
    effects = {one.one.id: one.effects[level[one.one.id]] for one in declared}
    try:
        there = planner.power(effects, participants)
    except EffectError as error:
        yield str(error)
        return
    for one in declared:
        power = there.each[one.one.id].difference.share
        stated = one.one.smallest_effect is not None
        if power < (WANTED if stated else LEAST_OF_LARGE):
            yield _of_one(one, effects[one.one.id], power, participants)
    banded = [one for one in declared if one.one.smallest_effect is not None]
    if not banded:
        return
    alike = planner.power(dict.fromkeys(effects, 0.0), participants)
    for one in banded:
        none = alike.each[one.one.id].equivalence
        if none is not None and none.share < LEAST_OF_LARGE:
            yield (
                f"with {participants} participants, {one.one.id} would show that there is no "
                f"difference that matters in {100 * none.share:.0f} of 100 studies, were there "
                "none at all: see `thinlab study power`"
            )


def _of_presentation(definition: StudyDefinition, declared: Collection[Declared]) -> Iterator[str]:
    for one in declared:
        if not one.generalises:
            yield _few_recordings(one.one.id, one.recordings)
    for one in declared:
        if not isinstance(one.one, ControlHypothesis) and _in_one_order(definition, one.trials):
            yield _one_order(one.one.id)


def _of_one(one: Declared, effect: float, power: float, participants: int) -> str:
    found = f"in {100 * power:.0f} of 100 studies"
    if one.one.smallest_effect is not None:
        return (
            f"with {participants} participants, {one.one.id} would find its smallest effect, "
            f"{effect:g}, {found}, where {100 * WANTED:.0f} are usual: see `thinlab study power`"
        )
    return (
        f"with {participants} participants, {one.one.id} would find even a large effect "
        f"({effect:g}) {found}, if recordings differ as much as is assumed: see `thinlab study "
        "power`"
    )


def _few_recordings(name: str, recordings: int) -> str:
    runs = "1 recording" if recordings == 1 else f"{recordings} recordings"
    return (
        f"{name} has {runs}, and nothing that it finds is about other losses of the same "
        f"path: that takes {FEWEST_RECORDINGS} or more (`runs`)"
    )


def _in_one_order(definition: StudyDefinition, trials: Collection[str]) -> bool:
    """Whether everybody gets the same condition first, where one is preferred to another."""
    mine = [
        member_conditions(trial)
        for block in definition.blocks
        if block.scale.kind in PREFERENCES and block.sides == "as_written"
        for trial in block.trials
        if trial.id in trials
    ]
    return len(mine) == len(trials) and len(set(mine)) == 1


def _one_order(name: str) -> str:
    return (
        f"{name} tests nothing: everybody gets the same condition first (`sides: as_written`), "
        "and whoever leans to the first would seem to prefer it"
    )


def _of_smallest(
    planner: Planner, test: PrimaryTest, effect: float, participants: int
) -> Iterator[str]:
    try:
        power = planner.power(effect, participants)[test.name].share
    except EffectError as error:
        yield str(error)
        return
    if power < WANTED:
        yield (
            f"with {participants} participants, {test.name} would find its smallest effect, "
            f"{effect:g}, in {100 * power:.0f} of 100 studies, where {100 * WANTED:.0f} are usual: "
            "see `thinlab study power`"
        )


def _of_large(planner: Planner, tests: list[PrimaryTest], participants: int) -> Iterator[str]:
    for scale in dict.fromkeys(test.scale for test in tests):
        effect = max(SIMULATED[scale].usual)
        found = planner.power(effect, participants)
        weak = {
            test.name: found[test.name].share
            for test in tests
            if test.scale == scale and found[test.name].share < LEAST_OF_LARGE
        }
        if weak:
            size = (
                f"a share of {100 * effect:g} %"
                if scale in {"preference", "abx"}
                else f"{effect:+.1f}"
            )
            yield (
                f"with {participants} participants, {', '.join(weak)} would find even a large "
                f"effect ({size}) in {100 * max(weak.values()):.0f} of 100 studies at most, if "
                "recordings differ as much as is assumed: see `thinlab study power`"
            )
