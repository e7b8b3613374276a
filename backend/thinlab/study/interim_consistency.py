"""Whether looks before the end can be kept as they are planned.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.study.definition import StudyDefinition
from thinlab.study.inconsistency import Inconsistency
from thinlab.study.interim import Interim

# Of so few people, no test says anything.
FEWEST = 8


def look_sizes(interim: Interim, planned: int) -> tuple[int, ...]:
    """After how many completed sessions each look is due, the one at the end included.

    >>> look_sizes(Interim(looks=(0.5, 0.75)), 30)
    (15, 23, 30)
    """
    # Rounded before: 0.07 × 100 is more than 7 to a computer.
    return (*(-int(-round(one * planned, 9) // 1) for one in interim.looks), planned)


def inconsistencies_of_interim(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """What does not fit in `analysis.interim`."""
    plan = definition.analysis
    if plan is None or plan.interim is None:
        return
    place = ("analysis", "interim")
    if plan.hypotheses is None:
        remedy = "Declare them, instead of `primary`"
        yield Inconsistency(place, "looks test `hypotheses`, and there are none", remedy)
    elif len(plan.hypotheses) > 1 and plan.rule != "all":
        message = "with `rule: any` a study would stop for one hypothesis and not for another"
        remedy = "Use `rule: all`, or keep one hypothesis"
        yield Inconsistency(place, message, remedy)
    if definition.votes_visible == "always":
        message = "with `votes_visible: always` votes are looked at all the time"
        yield Inconsistency(place, message, "Use `votes_visible: when_stopped`")
    if definition.stop is None or definition.stop.completed is None:
        message = "looks come after shares of `stop.completed`, which is not there"
        yield Inconsistency(place, message, "Say in `stop.completed` how many are wanted")
        return
    before = 0
    for index, size in enumerate(look_sizes(plan.interim, definition.stop.completed)[:-1]):
        at = (*place, "looks", index)
        people = f"{size} completed sessions"
        if size < FEWEST:
            remedy = f"Look after {FEWEST} or more"
            yield Inconsistency(at, f"that is after {people}, which say nothing", remedy)
        if size in {before, definition.stop.completed}:
            message = f"that is after {people}, as another look is"
            yield Inconsistency(at, message, "Put looks further apart")
        before = size
