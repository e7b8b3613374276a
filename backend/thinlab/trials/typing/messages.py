"""What the browser of a participant who types is sent and may send: nothing tells the condition.

SPDX-License-Identifier: Apache-2.0
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from thinlab.participation.messages import Account, Count, Message, PresentedTrial


class TextSpan(Message):
    """A stretch of a line."""

    text: str
    right: str | None = Field(description="What it should read; null where it is right.")


class EditorName(StrEnum):
    """The program in the terminal."""

    NANO = "nano"
    VI = "vi"


class TaskForm(Message):
    """What every task has; the same for both sessions."""

    editor: EditorName
    limit_s: int = Field(description="A session ends by itself after so long.")
    least_keys: int = Field(description="Keys to press before a session can be ended.")


class CopyForm(TaskForm):
    """Type these lines."""

    kind: Literal["copy"]
    lines: list[str]


class CorrectForm(TaskForm):
    """Correct the mistakes in the file, which holds these lines."""

    kind: Literal["correct"]
    lines: list[list[TextSpan]]


class HoldForm(TaskForm):
    """Hold this key down in each empty line, and release it above the mark."""

    kind: Literal["hold"]
    key: str
    mark_column: int = Field(description="1 for the first column.")
    repeats: int = Field(description="How many such lines there are.")


class FreeForm(TaskForm):
    """Type anything."""

    kind: Literal["free"]
    prompt: str


AnyTaskForm = TypeAliasType(
    "AnyTaskForm",
    Annotated[CopyForm | CorrectForm | HoldForm | FreeForm, Field(discriminator="kind")],
)


class SessionHandle(Message):
    """An opaque name for one session of a trial to be typed, dead after the vote."""

    session_token: str
    done: bool = Field(description="Whether it counts already; then the next thing comes.")


class TypedTrial(PresentedTrial):
    """A trial to type: the task twice, then the question. It is never sent ahead."""

    medium: Literal["typed"]
    task: AnyTaskForm
    first: SessionHandle
    second: SessionHandle


class TypedAccount(Account):
    """How a typist came to an answer."""

    medium: Literal["typed"]
    sessions_first: Count = Field(description="Typed at the first place, as this page knows.")
    sessions_second: Count
