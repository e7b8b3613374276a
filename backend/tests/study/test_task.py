"""Typing tasks: what the editor begins with, what it should end with, and what cannot be asked.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from thinlab.study.task import COLUMNS, Span, Task, first_text, lines_of, wanted_text

TASK: TypeAdapter[Task] = TypeAdapter(Task)
LIMITS = {"limit_s": 60, "least_keys": 5}


def task(**fields: Any) -> Task:  # noqa: ANN401 (any field)
    return TASK.validate_python(LIMITS | fields)


def test_copying_begins_with_nothing_and_ends_with_the_lines() -> None:
    copy = task(kind="copy", text={"en": "One\ntwo", "nb": "En\nto\n"})
    assert first_text(copy, "nb") == ""
    assert wanted_text(copy, "nb") == "En\nto\n"
    assert wanted_text(copy, "en") == "One\ntwo\n"


def test_correcting_turns_the_wrong_words_into_the_right_ones() -> None:
    correct = task(kind="correct", text="{Teh|The} fox {jmups|jumps}.\nAll {|is }well.")
    assert first_text(correct, "en") == "Teh fox jmups.\nAll well.\n"
    assert wanted_text(correct, "en") == "The fox jumps.\nAll is well.\n"
    assert correct.kind == "correct"
    assert lines_of(correct, "en")[0] == [
        Span("Teh", right="The"),
        Span(" fox "),
        Span("jmups", right="jumps"),
        Span("."),
    ]


def test_holding_fills_every_empty_line_up_to_the_mark() -> None:
    hold = task(kind="hold", key="x", mark_column=12, repeats=2)
    begun, filled = first_text(hold, "en").splitlines(), wanted_text(hold, "en")
    assert filled is not None
    assert begun == ["", " " * 11 + "^"] * 2
    assert filled.splitlines() == ["x" * 12, " " * 11 + "^"] * 2


def test_free_typing_has_no_right_text() -> None:
    free = task(kind="free", prompt="Your day?")
    assert (first_text(free, "en"), wanted_text(free, "en")) == ("", None)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"kind": "copy", "text": "x" * COLUMNS}, "line 1 is longer"),
        ({"kind": "copy", "text": "a\n" * 20}, "more than"),
        ({"kind": "copy", "text": "bell \a"}, "nobody can type"),
        ({"kind": "copy", "text": "tab\there"}, "nobody can type"),
        ({"kind": "correct", "text": "All right"}, "no mistake"),
        ({"kind": "correct", "text": "{same|same}"}, "have to differ"),
        ({"kind": "correct", "text": "{a|b} and {c"}, "brace"),
        ({"kind": "hold", "key": "\x1b"}, "pattern"),
        ({"kind": "hold", "mark_column": 200}, "less than or equal"),
        ({"kind": "copy", "text": "x", "limit_s": 5}, "greater than or equal"),
        ({"kind": "copy", "text": "x", "editor": "emacs"}, "nano"),
    ],
)
def test_what_cannot_be_typed_is_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        task(**fields)
