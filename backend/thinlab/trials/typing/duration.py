"""About how long a typed trial takes. A guess, to be told before a study begins.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Iterable

from thinlab.study.duration import ANSWER_S
from thinlab.study.task import CopyTask, CorrectTask, FreeTask, HoldTask, Task, lines_of
from thinlab.study.text import said

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
