"""What to press to do a task, key by key, as a page's terminal would encode it.

Pure: the task's form goes in, strokes come out. They are typed without looking, so they count on
the editor's beginning: the cursor at the first character, and in vi in command mode.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, cycle, islice
from typing import Any

from thinlab.live.messages import KeyKind

RIGHT, DOWN = "\x1b[C", "\x1b[B"
ESCAPE, DELETE, RETURN = "\x1b", "\x7f", "\r"
SAYS_OF_ITSELF = "I am a bot, and all that I have seen of the world is this one editor. "


@dataclass(frozen=True)
class Stroke:
    """One keydown."""

    data: str
    kind: KeyKind
    held: bool = False
    """It comes because the key before it is still down."""


def strokes_of(task: dict[str, Any]) -> list[Stroke]:
    """Every key of a task, at least as many as it asks for."""
    done = list(_ways_to_do(task))
    missing = task["least_keys"] - len(done)
    # Who is through sooner looks over what they wrote.
    return done + [_arrow(RIGHT)] * missing


def _ways_to_do(task: dict[str, Any]) -> Iterator[Stroke]:
    in_vi = task["editor"] == "vi"
    match task["kind"]:
        case "copy":
            yield from _inserted(_written("\n".join(task["lines"])), in_vi=in_vi)
        case "correct":
            yield from _corrected(task["lines"], in_vi=in_vi)
        case "hold":
            yield from _held(task["key"], task["mark_column"], task["repeats"])
        case "free":
            words = "".join(islice(cycle(SAYS_OF_ITSELF), task["least_keys"]))
            yield from _inserted(_written(words), in_vi=in_vi)


def _inserted(strokes: Iterator[Stroke], *, in_vi: bool) -> Iterator[Stroke]:
    if not in_vi:
        yield from strokes
        return
    yield Stroke("i", KeyKind.CHARACTER)
    yield from strokes
    yield Stroke(ESCAPE, KeyKind.CONTROL)


def _written(text: str) -> Iterator[Stroke]:
    for sign in text:
        yield (Stroke(RETURN, KeyKind.ENTER) if sign == "\n" else Stroke(sign, KeyKind.CHARACTER))


def _arrow(data: str) -> Stroke:
    return Stroke(data, KeyKind.NAVIGATION)


def _held(key: str, mark_column: int, repeats: int) -> Iterator[Stroke]:
    for line in range(repeats):
        if line:
            # Over the line that has the mark.
            yield from (_arrow(DOWN), _arrow(DOWN))
        yield Stroke(key, KeyKind.CHARACTER)
        yield from (Stroke(key, KeyKind.CHARACTER, held=True) for _ in range(mark_column - 1))


def _corrected(lines: list[list[dict[str, Any]]], *, in_vi: bool) -> Iterator[Stroke]:
    """From mistake to mistake: behind its last wrong sign, back over all of them, then the right.

    In nano the end of a line is a step to the right as any other; in vi it is a step down.
    """
    steps = 0
    for number, line in enumerate(lines):
        if number and in_vi:
            yield from (Stroke("j", KeyKind.CHARACTER), Stroke("0", KeyKind.CHARACTER))
            steps = 0
        elif number:
            steps += 1
        for span in line:
            if span["right"] is None:
                steps += len(span["text"])
                continue
            before, wrong, right, after = _difference(span["text"], span["right"])
            if in_vi:
                yield from _replaced_in_vi(steps + before, wrong, right)
                # Leaving insertion, the cursor steps back onto the last sign written.
                steps = after + (1 if right else 0)
            else:
                yield from islice(cycle([_arrow(RIGHT)]), steps + before + len(wrong))
                yield from (Stroke(DELETE, KeyKind.BACKSPACE) for _ in wrong)
                yield from _written(right)
                steps = after


def _replaced_in_vi(steps: int, wrong: str, right: str) -> Iterator[Stroke]:
    moves = chain("l" * steps, "x" * len(wrong))
    yield from (Stroke(sign, KeyKind.CHARACTER) for sign in moves)
    if right:
        yield from _inserted(_written(right), in_vi=True)


def _difference(wrong: str, right: str) -> tuple[int, str, str, int]:
    """Signs before what differs, what differs in either, and signs after it."""
    before = 0
    while before < min(len(wrong), len(right)) and wrong[before] == right[before]:
        before += 1
    after = 0
    shorter = min(len(wrong), len(right)) - before
    while after < shorter and wrong[-1 - after] == right[-1 - after]:
        after += 1
    return before, wrong[before : len(wrong) - after], right[before : len(right) - after], after
