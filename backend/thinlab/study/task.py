"""What a typing trial asks for: the task, and the text that the editor begins with.

The words stand in the study file, so that they are frozen with the study. Both
sessions of a trial are on the same task and begin with the same bytes.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from thinlab.contract.generated.names import Editor
from thinlab.part import Part
from thinlab.study.text import LocalText, said

# The terminal's width for everybody, and what fits into it beside a sign that a line goes on.
COLUMNS = 80
LONGEST_LINE = 76
MOST_LINES = 16

# `{wrong|right}` in the text of a `correct` task.
MISTAKE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


def _typeable(text: LocalText) -> LocalText:
    for one in [text] if isinstance(text, str) else text.values():
        bare = MISTAKE.sub(lambda found: max(found.groups(), key=len), one).rstrip("\n")
        lines = bare.split("\n")
        if len(lines) > MOST_LINES:
            raise ValueError(f"more than {MOST_LINES} lines, which the terminal cannot show")
        for number, line in enumerate(lines, start=1):
            if len(line) > LONGEST_LINE:
                raise ValueError(f"line {number} is longer than {LONGEST_LINE} characters")
            if any(not sign.isprintable() for sign in line):
                raise ValueError(f"line {number} contains a character that nobody can type")
    return text


def _with_mistakes(text: LocalText) -> LocalText:
    for one in [text] if isinstance(text, str) else text.values():
        if not MISTAKE.search(one):
            raise ValueError(
                "it contains no mistake: write `{wrong|right}` where there should be one"
            )
        if any(wrong == right for wrong, right in MISTAKE.findall(one)):
            raise ValueError("in `{wrong|right}` the two have to differ")
        if re.search(r"[{}]", MISTAKE.sub("", one)):
            raise ValueError("a brace without its counterpart: write a mistake as `{wrong|right}`")
    return text


TypedText = Annotated[LocalText, AfterValidator(_typeable)]
LimitSeconds = Annotated[
    int,
    Field(ge=10, le=900, description="A session ends after so long, if not before.", examples=[90]),
]
LeastKeys = Annotated[
    int,
    Field(
        ge=1,
        le=2000,
        description="Keys to press in a session before it can be ended: who has not typed has "
        "felt nothing.",
        examples=[60],
    ),
]


class _Task(Part):
    editor: Editor = Field(default=Editor.NANO, description="`nano`, or `vi` for who knows it.")
    limit_s: LimitSeconds
    least_keys: LeastKeys

    def texts(self) -> Iterator[tuple[str, LocalText]]:
        """Every text that a participant reads, with its place below the task's in the file."""
        yield from ()


class CopyTask(_Task):
    """Type these lines into an empty file."""

    kind: Literal["copy"]
    text: TypedText = Field(
        description=f"What to type: at most {MOST_LINES} lines of {LONGEST_LINE} characters."
    )

    def texts(self) -> Iterator[tuple[str, LocalText]]:
        """What to type."""
        yield "text", self.text


class CorrectTask(_Task):
    """Correct the marked mistakes in a file. People feel latency when they correct."""

    kind: Literal["correct"]
    text: Annotated[TypedText, AfterValidator(_with_mistakes)] = Field(
        description="The file, each mistake as `{wrong|right}`.",
        examples=["The {qiuck|quick} brown fox"],
    )

    def texts(self) -> Iterator[tuple[str, LocalText]]:
        """The file."""
        yield "text", self.text


class HoldTask(_Task):
    """Hold one key down and release it under a mark, as in the papers' test."""

    kind: Literal["hold"]
    key: Annotated[str, Field(pattern=r"^[a-z0-9]$", description="The key.", examples=["x"])] = "x"
    mark_column: Annotated[
        int, Field(ge=10, le=LONGEST_LINE, description="Where to release it: the mark's column.")
    ] = 60
    repeats: Annotated[int, Field(ge=1, le=5, description="Lines to fill.")] = 3
    least_keys: LeastKeys = 10


class FreeTask(_Task):
    """Type anything."""

    kind: Literal["free"]
    prompt: LocalText = Field(description="What to write about.")

    def texts(self) -> Iterator[tuple[str, LocalText]]:
        """What to write about."""
        yield "prompt", self.prompt


Task = Annotated[CopyTask | CorrectTask | HoldTask | FreeTask, Field(discriminator="kind")]


@dataclass(frozen=True)
class Span:
    """A stretch of one line, as the participant is to see it."""

    text: str
    right: str | None = None
    """What it should read; none where it is right already."""


def lines_of(task: CopyTask | CorrectTask, language: str) -> list[list[Span]]:
    """The task's text line by line, mistakes apart."""
    return [_spans(line) for line in said(task.text, language).rstrip("\n").split("\n")]


def _spans(line: str) -> list[Span]:
    spans: list[Span] = []
    last = 0
    for found in MISTAKE.finditer(line):
        if found.start() > last:
            spans.append(Span(line[last : found.start()]))
        spans.append(Span(found[1], right=found[2]))
        last = found.end()
    if last < len(line):
        spans.append(Span(line[last:]))
    return spans


def first_text(task: Task, language: str) -> str:
    """What the editor's file holds at the beginning."""
    match task:
        case CorrectTask():
            lines = lines_of(task, language)
            return "".join("".join(span.text for span in spans) + "\n" for spans in lines)
        case HoldTask():
            # An empty line to fill, and the mark below it.
            return ("\n" + " " * (task.mark_column - 1) + "^\n") * task.repeats
        case CopyTask() | FreeTask():
            return ""


def wanted_text(task: Task, language: str) -> str | None:
    """What the file should hold at the end; none where there is no right or wrong."""
    match task:
        case CopyTask() | CorrectTask():
            lines = lines_of(task, language)
            return "".join(
                "".join(span.text if span.right is None else span.right for span in spans) + "\n"
                for spans in lines
            )
        case HoldTask():
            filled = task.key * task.mark_column + "\n"
            return (filled + " " * (task.mark_column - 1) + "^\n") * task.repeats
        case FreeTask():
            return None


class ConnectionLimits(Part):
    """The worst network between participant and server with which a difference can be felt."""

    rtt_ms_at_most: Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)] = Field(
        default=150, description="Median round trip, browser to server and back."
    )
    jitter_ms_at_most: Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)] = Field(
        default=30, description="From the median to the 95th percentile of the round trip."
    )
    lost_share_at_most: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = Field(
        default=0.02, description="Probes that never came back."
    )

    @model_validator(mode="after")
    def _reachable(self) -> Self:
        if self.rtt_ms_at_most < 1:
            raise ValueError("`rtt_ms_at_most` below 1 refuses everybody")
        return self
