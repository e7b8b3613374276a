"""What bots type: every ready task is done without a mistake, by as many keys as it asks for."""

from collections.abc import Iterable
from typing import Any

import pytest

from tests.study.study_files import CLIPS, READY
from thinlab.live.messages import KeyKind
from thinlab.study.file import read
from thinlab.study.task import Task, first_text, wanted_text
from thinlab.trials.registry import KINDS
from thinlab.trials.typing.bot.strokes import DELETE, DOWN, RETURN, RIGHT, Stroke, strokes_of
from thinlab.trials.typing.form import form_of

TASKS = [
    pytest.param(task, language, id=f"{file.stem}-{name}-{language}")
    for file in READY
    for study in [read(file, CLIPS, KINDS)]
    for name, task in study.tasks.items()
    for language in study.languages
]


class Nano:
    """As much of the editor as the strokes use."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def press(self, stroke: Stroke) -> None:
        match stroke.data:
            case data if data == RIGHT:
                self.at = min(self.at + 1, len(self.text))
            case data if data == DOWN:
                self.at = self._below()
            case data if data == DELETE:
                self.text = self.text[: self.at - 1] + self.text[self.at :]
                self.at -= 1
            case data:
                written = "\n" if data == RETURN else data
                self.text = self.text[: self.at] + written + self.text[self.at :]
                self.at += 1

    def _below(self) -> int:
        begin = self.text.rfind("\n", 0, self.at) + 1
        following = self.text.find("\n", self.at) + 1
        end = self.text.find("\n", following)
        return min(following + self.at - begin, len(self.text) if end < 0 else end)


def typed(task: Task, language: str, strokes: Iterable[Stroke]) -> str:
    editor = Nano(first_text(task, language))
    for stroke in strokes:
        editor.press(stroke)
    return editor.text


def form(task: Task, language: str) -> dict[str, Any]:
    return form_of(task, language).model_dump(mode="json")


@pytest.mark.parametrize(("task", "language"), TASKS)
def test_a_task_is_done_without_a_mistake(task: Task, language: str) -> None:
    strokes = strokes_of(form(task, language))
    assert len(strokes) >= task.least_keys
    wanted = wanted_text(task, language)
    text = typed(task, language, strokes)
    if wanted is None:
        assert len(text) >= task.least_keys
    else:
        assert text.rstrip("\n") == wanted.rstrip("\n")


@pytest.mark.parametrize(("task", "language"), TASKS)
def test_only_a_key_that_is_down_repeats(task: Task, language: str) -> None:
    strokes = strokes_of(form(task, language))
    held = [number for number, stroke in enumerate(strokes) if stroke.held]
    assert bool(held) == (task.kind == "hold")
    assert all(strokes[number].data == strokes[number - 1].data for number in held)


def test_who_is_through_early_looks_over_it() -> None:
    task = {"kind": "copy", "editor": "nano", "lines": ["ab"], "least_keys": 5}
    assert [stroke.data for stroke in strokes_of(task)] == ["a", "b", RIGHT, RIGHT, RIGHT]


def test_vi_is_told_when_to_write() -> None:
    line = [{"text": "A ", "right": None}, {"text": "tihn", "right": "thin"}]
    task = {"kind": "correct", "editor": "vi", "lines": [line], "least_keys": 1}
    strokes = strokes_of(task)
    assert "".join(stroke.data for stroke in strokes) == "lllxxihi\x1b"
    assert strokes[-1].kind is KeyKind.CONTROL
