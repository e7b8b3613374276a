"""Everything that a participant's browser and the server say to each other over a link.

A frame holds messages of one direction, numbered from 1, and an acknowledgement
of the other's. Beside them, outside the numbering: what opens a transport, and
the probes by which the server measures the participant's network. Whoever
checks the blinding reads this file beside `participation/messages.py`:
nothing here tells a session's condition.

Instants named `at_us` are the page's clock: µs since 1970, from
`performance.timeOrigin` and an event's `timeStamp`.

SPDX-License-Identifier: Apache-2.0
"""

from enum import StrEnum, auto
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

# Longer than what one keydown yields (an escape sequence, a composed word), shorter than a paste.
KEY_LIMIT_CHARACTERS = 64

Token = Annotated[str, Field(min_length=20, max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
Received = Annotated[int, Field(ge=0, le=2**31 - 1, description="0: none.")]
PageClock = Annotated[int, Field(ge=0, le=2**53 - 1, description="µs since 1970, by the page.")]


class LiveMessage(BaseModel):
    """A part of a frame: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LinkPurpose(StrEnum):
    """What a link is opened for."""

    CHECK = auto()
    TYPING = auto()


class Hello(LiveMessage):
    """The browser opens a link, or goes on with it over a new transport."""

    type: Literal["hello"]
    participant_token: Token
    link_id: UUID = Field(description="The browser's name for the link.")
    resumes: bool = Field(description="Whether this link was welcomed before.")
    purpose: LinkPurpose
    session_token: Token | None = Field(default=None, description="Of the session to be typed.")


class Welcome(LiveMessage):
    """The link is open."""

    type: Literal["welcome"]
    resumed: bool = Field(description="Whether the server went on with a link that it knew.")


class RefusalCode(StrEnum):
    """Why a link is not opened, or is open no longer."""

    UNKNOWN_PARTICIPANT = "unknown-participant"
    WITHDRAWN = "withdrawn"
    UNKNOWN_SESSION = "unknown-session"
    NOT_NOW = "not-now"
    DONE = "done"
    LINK_LOST = "link-lost"
    TAKEN_OVER = "taken-over"
    NO_HOST = "no-host"
    BUSY = "busy"
    UNAVAILABLE = "unavailable"


class Refused(LiveMessage):
    """Nothing more comes over this link."""

    type: Literal["refused"]
    code: RefusalCode
    remedy: str


class Probe(LiveMessage):
    """The server asks the page for its clock; lost like any other datagram, never repeated."""

    number: Number
    server_us: int


class ProbeAnswer(LiveMessage):
    """Sent at once when the probe came."""

    number: Number
    server_us: int = Field(description="As in the probe.")
    at_us: PageClock


class KeyKind(StrEnum):
    """What a key is for, whatever it writes."""

    CHARACTER = auto()
    ENTER = auto()
    BACKSPACE = auto()
    NAVIGATION = auto()
    CONTROL = auto()
    OTHER = auto()


class Keydown(LiveMessage):
    """One keydown, as the terminal encodes it."""

    type: Literal["key"]
    number: Number = Field(description="From 1, rising by one.")
    at_us: PageClock
    data: Annotated[str, Field(min_length=1, max_length=KEY_LIMIT_CHARACTERS)]
    kind: KeyKind
    repeat: bool = Field(description="Whether it came because the key is held.")


class Keyup(LiveMessage):
    """The keyup that belongs to a key."""

    type: Literal["release"]
    number: Number
    at_us: PageClock


class PaintedScreen(LiveMessage):
    """When a screen reached the page, and when it could be seen."""

    number: Number
    received_at_us: PageClock
    at_us: PageClock


class Painted(LiveMessage):
    """Screens that can be seen."""

    type: Literal["painted"]
    screens: Annotated[list[PaintedScreen], Field(min_length=1, max_length=256)]


class PageState(StrEnum):
    """What happened to the page as a whole."""

    HIDDEN = "hidden"
    VISIBLE = "visible"
    BLURRED = "blurred"
    FOCUSED = "focused"
    RESIZED = "resized"
    PASTE_REFUSED = "paste-refused"


class PageEvent(LiveMessage):
    """The page was hidden, shown, left, entered, resized, or pasted into."""

    type: Literal["page"]
    at_us: PageClock
    state: PageState


class Finish(LiveMessage):
    """The participant is done with the session."""

    type: Literal["finish"]


class SessionStageName(StrEnum):
    """How far a session is."""

    PREPARING = auto()
    READY = auto()
    ENDED = auto()
    VOID = auto()


class StageReason(StrEnum):
    """Why a session ended, or does not count."""

    FINISHED = "finished"
    LEFT = "left"
    LIMIT = "limit"
    LINK_AWAY = "link-away"
    HIDDEN = "hidden"
    HOST_LOST = "host-lost"
    HOST_BEHIND = "host-behind"
    TAKEN_OVER = "taken-over"
    TOO_MUCH = "too-much"
    TOO_FEW_KEYS = "too-few-keys"
    BROKEN = "broken"


class SessionStage(LiveMessage):
    """How far the session is. After `ended` or `void` the link has nothing more to say."""

    type: Literal["stage"]
    stage: SessionStageName
    reason: StageReason | None = None
    limit_ms_left: int | None = Field(
        default=None, description="Of `ready`: after so long the session ends by itself."
    )


class Held(LiveMessage):
    """Whether the page is to take no keys for a moment: the machine is catching up."""

    type: Literal["held"]
    held: bool
    limit_ms_left: int = Field(description="As in `ready`; it stays so while keys are held.")


class ScreenWritten(LiveMessage):
    """What the terminal writes next. Characters are whole; `data` can be empty."""

    type: Literal["screen"]
    number: Number
    data: str
    answers_key: int = Field(description="The last key that this or an earlier screen shows.")


class Verdict(LiveMessage):
    """What the connection check found. After it the link has nothing more to say."""

    type: Literal["verdict"]
    rtt_ms: float
    jitter_ms: float
    lost_share: float
    good: bool
    remedy: str | None = Field(default=None, description="Where the connection is too poor.")


BrowserMessage = Annotated[
    Keydown | Keyup | Painted | PageEvent | Finish,
    Field(discriminator="type"),
]
ServerMessage = Annotated[
    SessionStage | Held | ScreenWritten | Verdict, Field(discriminator="type")
]
Opening = Annotated[Welcome | Refused, Field(discriminator="type")]


class BrowserFrame(LiveMessage):
    """What the browser sends at once."""

    opening: Hello | None = Field(
        default=None, description="In every frame of a transport until the server's first comes."
    )
    ack: Received
    first: Number = Field(description="The number of the first of `messages`.")
    messages: Annotated[list[BrowserMessage], Field(max_length=512)] = []
    answers: Annotated[list[ProbeAnswer], Field(max_length=64)] = []


class ServerFrame(LiveMessage):
    """What the server sends at once."""

    opening: Opening | None = Field(
        default=None, description="In every frame of a transport until the browser knows it."
    )
    ack: Received
    first: Number = Field(description="The number of the first of `messages`.")
    messages: list[ServerMessage] = []
    probe: Probe | None = None
