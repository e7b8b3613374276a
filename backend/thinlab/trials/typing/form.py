"""A trial to be typed in a participant's words: the task, and two sessions that look alike.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

from thinlab.participation.kind import Opened
from thinlab.study.catalogue import StoredStudy
from thinlab.study.task import CopyTask, CorrectTask, FreeTask, HoldTask, Task, lines_of
from thinlab.study.text import said
from thinlab.study.trial import task_of
from thinlab.trials.typing import messages


def typed_trial(
    opened: Opened, study: StoredStudy, language: str, common: dict[str, Any]
) -> messages.TypedTrial:
    """`common`: the fields that every trial has."""
    presentation = opened.presentation
    _, trial = study.definition.trial(presentation.trial_id)
    name = task_of(trial)
    if name is None or presentation.second_token is None:
        raise LookupError(f"trial {trial.id} is not typed")
    return messages.TypedTrial(
        **common,
        medium="typed",
        task=form_of(study.definition.tasks[name], language),
        first=messages.SessionHandle(
            session_token=presentation.first_token, done="first" in opened.done
        ),
        second=messages.SessionHandle(
            session_token=presentation.second_token, done="second" in opened.done
        ),
    )


def form_of(task: Task, language: str) -> messages.AnyTaskForm:
    """The task as a page shows it."""
    common: dict[str, Any] = {
        "editor": messages.EditorName(task.editor.value),
        "limit_s": task.limit_s,
        "least_keys": task.least_keys,
    }
    match task:
        case CopyTask():
            lines = ["".join(span.text for span in line) for line in lines_of(task, language)]
            return messages.CopyForm(**common, kind="copy", lines=lines)
        case CorrectTask():
            return messages.CorrectForm(
                **common,
                kind="correct",
                lines=[
                    [messages.TextSpan(text=span.text, right=span.right) for span in line]
                    for line in lines_of(task, language)
                ],
            )
        case HoldTask():
            return messages.HoldForm(
                **common,
                kind="hold",
                key=task.key,
                mark_column=task.mark_column,
                repeats=task.repeats,
            )
        case FreeTask():
            return messages.FreeForm(**common, kind="free", prompt=said(task.prompt, language))
