"""What a console sends, and how it is answered.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal

from pydantic import Field, RootModel

from thinlab.condition.path import Path
from thinlab.demo.feed import DemoEvent, LaneScreen, Moment
from thinlab.demo.part import AtMs, DemoPart, LaneNumber, Line, Listener
from thinlab.demo.setting import DemoLane, DemoSettings, Lanes
from thinlab.demo.state import DemoState
from thinlab.demo.stream import PAYLOAD_LIMIT_BYTES, DemoStream
from thinlab.live.messages import KEY_LIMIT_CHARACTERS

CommandNumber = Annotated[
    int, Field(ge=0, le=2**53 - 1, description="The console's; comes back in the answer.")
]


class Command(DemoPart):
    """Something that a console wants done."""

    command: CommandNumber


class ConsoleHello(Command):
    """The first command over a socket: who listens beside this console."""

    do: Literal["hello"]
    listener: Listener


class SetPath(Command):
    """Another path for all lanes."""

    do: Literal["set_path"]
    path: Path


class SetLane(Command):
    """Another sender for one lane; its connection goes on."""

    do: Literal["set_lane"]
    lane: LaneNumber
    to: DemoLane


class SetLanes(Command):
    """Other lanes; another number of them makes a new take."""

    do: Literal["set_lanes"]
    lanes: Lanes


class SetStream(Command):
    """Another stream: a new take."""

    do: Literal["set_stream"]
    stream: DemoStream


class SetUp(Command):
    """Another path, other lanes and another stream at once: a new take."""

    do: Literal["set_up"]
    to: DemoSettings


class SetSynthetic(Command):
    """Another size and pace of the synthetic stream that runs."""

    do: Literal["set_synthetic"]
    payload_bytes: Annotated[int, Field(ge=1, le=PAYLOAD_LIMIT_BYTES)]
    iat_ms: Annotated[float, Field(ge=10, le=10_000)]


class Start(Command):
    """Opens a take where none runs: at first, or after a problem."""

    do: Literal["start"]


class Pause(Command):
    """Nothing new is written."""

    do: Literal["pause"]


class Resume(Command):
    """The stream goes on."""

    do: Literal["resume"]


class Mark(Command):
    """Notes a moment."""

    do: Literal["mark"]
    text: Annotated[Line, Field(max_length=200)]


class Key(Command):
    """What one keydown writes, to every lane's terminal. Not answered where all is well."""

    do: Literal["key"]
    data: Annotated[str, Field(min_length=1, max_length=KEY_LIMIT_CHARACTERS)]


class Listen(Command):
    """Lets the listener of this console's `hello` hear another lane, from the next packet on."""

    do: Literal["listen"]
    lane: LaneNumber


class Blind(Command):
    """Whether the audience is told letters only. Switching it on draws their order."""

    do: Literal["blind"]
    on: bool


class OpenPoll(Command):
    """Asks the audience which lane they prefer."""

    do: Literal["open_poll"]
    question: Annotated[Line, Field(min_length=1, max_length=200)]


class ClosePoll(Command):
    """Takes no more votes."""

    do: Literal["close_poll"]


class Reveal(Command):
    """Tells the audience what the letters stand for; ends blind mode, and an open poll."""

    do: Literal["reveal"]


class EndDemo(Command):
    """Ends the demo for all."""

    do: Literal["end"]


class Ping(Command):
    """Answered by `pong` at once."""

    do: Literal["ping"]


AnyCommand = Annotated[
    ConsoleHello
    | SetPath
    | SetLane
    | SetLanes
    | SetStream
    | SetUp
    | SetSynthetic
    | Start
    | Pause
    | Resume
    | Mark
    | Key
    | Listen
    | Blind
    | OpenPoll
    | ClosePoll
    | Reveal
    | EndDemo
    | Ping,
    Field(discriminator="do"),
]


class ConsoleCommand(RootModel[AnyCommand]):
    """What a console sends, one a WebSocket message."""


class Done(DemoPart):
    """A command was carried out."""

    type: Literal["done"]
    command: CommandNumber
    event: int | None = Field(default=None, description="The number of the event that it made.")
    kernel_ms: float | None = Field(
        default=None, description="Of a change: from the command's arrival to the kernel."
    )


class CommandRefused(DemoPart):
    """A command was not carried out; nothing has changed."""

    type: Literal["refused"]
    command: CommandNumber | None = Field(description="None: it had no number that can be read.")
    field: str | None
    text: str
    remedy: str


class Pong(DemoPart):
    """The answer to a ping."""

    type: Literal["pong"]
    command: CommandNumber
    at_ms: AtMs


class ConsoleMessage(
    RootModel[
        Annotated[
            DemoState | Moment | DemoEvent | LaneScreen | Done | CommandRefused | Pong,
            Field(discriminator="type"),
        ]
    ]
):
    """What the server sends to a console, one a WebSocket message."""
