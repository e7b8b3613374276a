"""A demo as it is stored: what the list of demos and the replay show.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from enum import StrEnum, auto

from pydantic import Field

from thinlab.contract.generated.results import DemoResult
from thinlab.demo.part import DemoPart
from thinlab.demo.setting import DemoSettings
from thinlab.demo.state import DemoStage
from thinlab.demo.wording import SettingsWords


class DemoFate(StrEnum):
    """Whether a demo goes on. `broken_off`: the server ended under it."""

    RUNNING = auto()
    ENDED = auto()
    BROKEN_OFF = auto()


class DemoSummary(DemoPart):
    """A line of the list of demos."""

    demo_id: int
    title: str
    fate: DemoFate
    began_at: datetime
    ended_at: datetime | None
    length_ms: float | None
    takes: int
    size_bytes: int
    stage: DemoStage | None = Field(description="Of a running one.")
    code: str | None = Field(description="Of a running one: the audience's.")
    shared: bool


class TakeSound(DemoPart):
    """What is kept of what was heard: of each lane `sound.opus`, and its pieces to be played."""

    began_at_ms: float = Field(description="When its first sample was heard.")
    length_ms: float
    piece_ms: float = Field(description="Of each piece but the last.")
    credit: str = Field(description="Whoever plays it shows this.")


class DemoTakeRecord(DemoPart):
    """One take."""

    number: int
    began_at_ms: float
    ready_at_ms: float | None
    ended_at_ms: float | None
    host: str | None
    host_build: str | None
    settings: DemoSettings = Field(description="When it began.")
    words: SettingsWords = Field(description="Of `settings`.")
    letters: str | None = Field(
        description="What each lane was called before the room, such as `BA`; None where that "
        "is not known."
    )
    end: str | None = Field(description="`finished`, or what went wrong.")
    captures: list[str] = Field(description="Names of its lanes' files: lane-<n>-<name>.")
    sound: TakeSound | None = Field(
        description="None: nothing was heard, or it is not kept, as of a microphone."
    )


class PollRecord(DemoPart):
    """A poll, as stored."""

    number: int
    question: str
    order: list[int] = Field(description="Which lane each letter stood for.")
    names: list[str] | None = Field(
        description="What each letter stood for, in words, when the poll was opened; "
        "None of a poll before that was kept."
    )
    opened_at_ms: float
    closed_at_ms: float | None
    revealed_at_ms: float | None
    votes: dict[str, int] = Field(description="By letter, and `no_difference`.")


class DemoDetails(DemoPart):
    """A demo, running or past."""

    summary: DemoSummary
    takes: list[DemoTakeRecord]
    polls: list[PollRecord]
    share_token: str | None = Field(
        description="The replay's address is /demo/replay/TOKEN; never told to whom it is shared."
    )


class TakeResult(DemoPart):
    """What a take measured."""

    number: int
    result: DemoResult | None = Field(description="None: it did not end by itself.")
