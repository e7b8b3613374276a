"""About how long a study takes a participant. A guess, to be told before they begin.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Mapping

from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.scale import is_paired
from thinlab.study.task import Task
from thinlab.study.trial import task_of

# Reading, consenting, setting the level.
BEGINNING_S = 90
ANSWER_S = 6
QUESTION_S = 10
# Parts are heard again before an answer.
HEARD_AGAIN = 1.3
# Most people end a task before its limit.
TYPED_SHARE = 0.7
# Until a terminal is ready, and until the hands are on the keyboard.
BEGINNING_TO_TYPE_S = 8


def trial_seconds(block: Block, duration_ms: int) -> float:
    """About how long one trial takes with recordings of this length."""
    heard = 2 if is_paired(block.scale) else 1
    return ANSWER_S + HEARD_AGAIN * heard * duration_ms / 1000


def typed_seconds(task: Task) -> float:
    """About how long one trial takes with this task: it is typed twice."""
    return ANSWER_S + 2 * (BEGINNING_TO_TYPE_S + TYPED_SHARE * task.limit_s)


def minutes(definition: StudyDefinition, durations_ms: Mapping[str, int]) -> int | None:
    """The whole, by the length of each heard trial's recordings; none while one is unknown."""
    if any(trial.id not in durations_ms for trial in definition.heard_trials):
        return None
    seconds: float = BEGINNING_S + QUESTION_S * len(definition.questionnaire)
    for block in definition.blocks:
        for trial in block.trials:
            task = task_of(trial)
            seconds += (
                trial_seconds(block, durations_ms[trial.id])
                if task is None
                else typed_seconds(definition.tasks[task])
            )
    return max(1, math.ceil(seconds / 60))
