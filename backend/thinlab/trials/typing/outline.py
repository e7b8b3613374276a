"""What participants will be asked to type, as text. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.study.definition import StudyDefinition
from thinlab.study.task import CopyTask, CorrectTask, FreeTask, HoldTask, Task
from thinlab.study.text import said

INDENT = "   "


def outline_of_check(definition: StudyDefinition) -> Iterator[str]:
    """What a participant's connection has to be like."""
    limits = definition.connection
    yield (
        f"CONNECTION CHECK: a keyboard, round trip up to {limits.rtt_ms_at_most:g} ms, "
        f"jitter up to {limits.jitter_ms_at_most:g} ms, "
        f"{limits.lost_share_at_most * 100:g} % lost"
    )


def outline_of_tasks(definition: StudyDefinition, language: str) -> Iterator[str]:
    """Each task, what is on its page, and what of it is stored."""
    stored = (
        "times, keys, screens and final texts"
        if definition.keep_text
        else "times, kinds of keys and counts"
    )
    yield f"TASKS, stored of each session: {stored}"
    for name, task in definition.tasks.items():
        yield (
            f"{INDENT}{name}: {task.kind}, in {task.editor}, "
            f"at least {task.least_keys} keys, up to {task.limit_s} s"
        )
        for line in _asked(task, language):
            yield f"{INDENT * 2}{line}"
    yield ""


def _asked(task: Task, language: str) -> list[str]:
    match task:
        case CopyTask() | CorrectTask():
            return said(task.text, language).rstrip("\n").split("\n")
        case HoldTask():
            lines = f"{task.repeats} line{'s' if task.repeats > 1 else ''}"
            return [f"hold `{task.key}` down, release it at column {task.mark_column}; {lines}"]
        case FreeTask():
            return [said(task.prompt, language)]
