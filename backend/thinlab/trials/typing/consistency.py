"""Whether what a study says about typing can be done, and can be meant.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.condition.reference import Reference
from thinlab.condition.transport import tells_itself
from thinlab.condition.written import WrittenPath
from thinlab.contract.generated.names import Editor
from thinlab.study.definition import StudyDefinition
from thinlab.study.inconsistency import Inconsistency, unknown
from thinlab.study.rules import ControlDifference
from thinlab.study.task import (
    CopyTask,
    CorrectTask,
    HoldTask,
    Task,
    lines_of,
    wanted_text,
)
from thinlab.study.trial import ControlTrial, member_conditions, task_of

Place = tuple[str | int, ...]

# A hundred words a minute, of five letters and a space, kept up throughout.
FASTEST_PER_S = 10
# Printed where typists have something else: a participant would search the keyboard for them.
ON_NO_KEYBOARD = "“”„‘’‚–—…−×"  # noqa: RUF001


def inconsistencies_of_typing(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """What does not fit in `tasks`, in the trials that have one, and in rules about these."""
    yield from _names(definition)
    yield from _references(definition)
    for name, task in definition.tasks.items():
        yield from _task(definition, ("tasks", name), task)
    yield from _about_nothing(definition)
    yield from _controls(definition)


def _names(definition: StudyDefinition) -> Iterator[Inconsistency]:
    used = set()
    for number, block in enumerate(definition.blocks):
        for index, trial in enumerate(block.trials):
            name = task_of(trial)
            if name is None:
                continue
            used.add(name)
            if name not in definition.tasks:
                place: Place = ("blocks", number, "trials", index, "task")
                yield unknown(place, "task", name, definition.tasks.keys())
    for name in definition.tasks:
        if name not in used:
            message = "no trial has this task"
            yield Inconsistency(("tasks", name), message, "Remove it, or add a trial")


def _references(definition: StudyDefinition) -> Iterator[Inconsistency]:
    for number, block in enumerate(definition.blocks):
        for index, trial in enumerate(block.trials):
            if task_of(trial) is None:
                continue
            place: Place = ("blocks", number, "trials", index)
            for name in member_conditions(trial):
                condition = definition.conditions.get(name)
                if isinstance(condition, Reference):
                    message = f"`{name}` is made of a clip: there is nothing to type over"
                    remedy = "Name a condition with a `mode` and a `path`"
                    yield Inconsistency(place, message, remedy)
                elif condition and (
                    reason := tells_itself(
                        condition.baseline, condition.meant, condition.tcp, condition.sctp
                    )
                ):
                    message, remedy = f"`{name}`: {reason}", "Name another condition"
                    yield Inconsistency(place, message, remedy)


def _task(definition: StudyDefinition, place: Place, task: Task) -> Iterator[Inconsistency]:
    if isinstance(task, HoldTask) and task.editor is Editor.VI:
        message = "in vi a held key is a command over and over, until `i` was pressed"
        yield Inconsistency((*place, "editor"), message, "Write `editor: nano`")
    if not isinstance(task, HoldTask) and task.least_keys > FASTEST_PER_S * task.limit_s:
        message = f"nobody types {task.least_keys} keys in {task.limit_s} s"
        remedy = f"At most {FASTEST_PER_S * task.limit_s}, or a longer `limit_s`"
        yield Inconsistency((*place, "least_keys"), message, remedy)
    if isinstance(task, HoldTask):
        needed = task.mark_column * task.repeats
        yield from _least_keys(place, task, needed, "the task")
    if not isinstance(task, CopyTask | CorrectTask):
        return
    for language in definition.languages:
        # A text that is missing is told elsewhere.
        if isinstance(task.text, str) or language in task.text:
            yield from _words(place, task, language)


def _words(place: Place, task: CopyTask | CorrectTask, language: str) -> Iterator[Inconsistency]:
    wanted = wanted_text(task, language) or ""
    if isinstance(task, CopyTask):
        yield from _least_keys(place, task, len(wanted.rstrip("\n")), f"the text in `{language}`")
    place = (*place, "text") if isinstance(task.text, str) else (*place, "text", language)
    spans = [span for line in lines_of(task, language) for span in line]
    to_type = [
        span.text if span.right is None else span.right
        for span in spans
        if isinstance(task, CopyTask) or span.right is not None
    ]
    for sign in sorted({sign for text in to_type for sign in text if sign in ON_NO_KEYBOARD}):
        message = f"`{sign}` is on no keyboard"
        yield Inconsistency(place, message, "Write what is on one, such as ' \" - ...")
    for number, line in enumerate(wanted.split("\n"), start=1):
        if line != line.rstrip():
            message = f"line {number} ends with a space, which nobody sees"
            yield Inconsistency(place, message, "Remove it")


def _least_keys(place: Place, task: Task, needed: int, what: str) -> Iterator[Inconsistency]:
    """Whoever has done the task has to be able to end it.

    How far somebody moves to correct, and how much they have to say, is theirs: no rule there.
    """
    if task.least_keys > needed:
        message = f"{what} is done after {needed} keys, and could not be ended then"
        yield Inconsistency((*place, "least_keys"), message, f"At most {needed}")


def _about_nothing(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """Keys about typing where all is heard, and about hearing where all is typed."""
    if "typed" not in definition.media:
        for key in ("keep_text", "connection"):
            if key in definition.model_fields_set:
                message = "there is nothing to be typed"
                yield Inconsistency((key,), message, "Remove it")
    if "heard" not in definition.media and "record" in definition.model_fields_set:
        message = "there is nothing to be recorded: sessions are typed as participants come"
        yield Inconsistency(("record",), message, "Remove it")
    for number, block in enumerate(definition.blocks):
        for key in ("playback", "heard_share_at_least"):
            if block.medium == "typed" and key in block.model_fields_set:
                message = "this block is typed: nothing is played"
                yield Inconsistency(("blocks", number, key), message, "Remove it")


def _controls(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """A rule on controls needs controls whose two sessions are alike.

    One recording played twice is. Typed twice, a path with anything random in it is not: other
    keys, at other instants, are in the packets that are lost, and who feels that is right.
    """
    judged = any(isinstance(rule, ControlDifference) for rule in definition.exclusion)
    if not judged:
        return
    for number, block in enumerate(definition.blocks):
        if block.role == "training":
            continue
        for index, trial in enumerate(block.trials):
            if not isinstance(trial, ControlTrial) or trial.task is None:
                continue
            condition = definition.sent.get(trial.condition)
            if condition is not None and _is_random(condition.path):
                place: Place = ("blocks", number, "trials", index, "condition")
                message = (
                    f"on `{trial.condition}` chance decides what is lost, and nobody types twice "
                    "alike: its two sessions differ, and `control_difference` would leave out "
                    "who feels it"
                )
                remedy = "Name a condition without loss, jitter or damage, or remove the rule"
                yield Inconsistency(place, message, remedy)


def _is_random(path: WrittenPath) -> bool:
    return path.forward.draws or path.backward.draws
