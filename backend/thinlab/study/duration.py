"""About how long a study takes a participant. A guess, to be told before they begin.

SPDX-License-Identifier: Apache-2.0
"""

import math
import re
from collections.abc import Iterable, Mapping

from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.scale import is_paired
from thinlab.study.task import CopyTask, CorrectTask, FreeTask, HoldTask, Task, lines_of
from thinlab.study.text import said
from thinlab.study.trial import task_of

# Reading, consenting, setting the level.
BEGINNING_S = 90
ANSWER_S = 6
QUESTION_S = 10
# Parts are heard again before an answer.
HEARD_AGAIN = 1.3
# Until a terminal is ready, and until the hands are on the keyboard.
BEGINNING_TO_TYPE_S = 8
# Copying: 33 words a minute, of five letters and a space.
COPIED_PER_S = 3.3
# What a held key writes, and reaching for it.
HELD_PER_S = 20
REACHING_S = 3
HELD = re.compile(r"(.)\1{9,}")
# To find a mistake, get there and correct it.
CORRECTING_S = 7


def trial_seconds(block: Block, duration_ms: int) -> float:
    """About how long one trial takes with recordings of this length."""
    heard = 2 if is_paired(block.scale) else 1
    return ANSWER_S + HEARD_AGAIN * heard * duration_ms / 1000


def typed_seconds(task: Task, languages: Iterable[str]) -> float:
    """About how long one trial takes with this task: it is typed twice.

    In the language in which it is longest, for all are told one number.
    """
    once = max(_at_the_keys(task, language) for language in languages)
    return ANSWER_S + 2 * (BEGINNING_TO_TYPE_S + min(task.limit_s, once))


def _at_the_keys(task: Task, language: str) -> float:
    match task:
        case CopyTask():
            text = said(task.text, language)
            held = sum(len(found[0]) for found in HELD.finditer(text))
            reaching = REACHING_S * len(HELD.findall(text))
            return (len(text) - held) / COPIED_PER_S + held / HELD_PER_S + reaching
        case CorrectTask():
            spans = (span for line in lines_of(task, language) for span in line)
            return CORRECTING_S * sum(span.right is not None for span in spans)
        case HoldTask():
            return task.repeats * (REACHING_S + task.mark_column / HELD_PER_S)
        case FreeTask():
            return task.limit_s


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
                else typed_seconds(definition.tasks[task], definition.languages)
            )
    return max(1, math.ceil(seconds / 60))
