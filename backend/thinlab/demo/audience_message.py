"""Everything that the audience is ever sent or may send, in one place.

Whoever checks the blind mode reads this file: while `blind` is true, no lane's
number, name or mechanism is in what the audience gets, the path is not told,
and neither moments nor events are sent. A screen carries no number and no
instant of its own: they would be another in each lane.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal

from pydantic import Field, RootModel

from thinlab.condition.path import Path
from thinlab.condition.transport import Baseline, Mechanism
from thinlab.demo.feed import DemoEvent, Moment
from thinlab.demo.part import AtMs, DemoPart, LaneNumber, Letter, Listener
from thinlab.demo.state import DemoStage
from thinlab.demo.stream import StreamKind
from thinlab.study.text import Language

NO_DIFFERENCE = "no_difference"
Choice = Letter | Literal["no_difference"]


class AudienceHello(DemoPart):
    """The first message over a socket."""

    do: Literal["hello"]
    listener: Listener


class AudienceListen(DemoPart):
    """Hear another lane, from the next packet on."""

    do: Literal["listen"]
    letter: Letter


class AudienceVote(DemoPart):
    """A vote in the open poll; may be changed until it is closed."""

    do: Literal["vote"]
    choice: Choice


class AudiencePing(DemoPart):
    """Answered by `pong` at once."""

    do: Literal["ping"]
    number: Annotated[int, Field(ge=0, le=2**53 - 1)]


class AudienceCommand(
    RootModel[
        Annotated[
            AudienceHello | AudienceListen | AudienceVote | AudiencePing, Field(discriminator="do")
        ]
    ]
):
    """What an audience's page sends, one a WebSocket message. There is nothing else to send."""


class RevealedLane(DemoPart):
    """What a letter stands for; never told in blind mode."""

    lane: LaneNumber
    name: str
    baseline: Baseline
    mechanisms: list[Mechanism]
    sender: str = Field(description="Mechanisms, their settings and the baseline, in words.")
    plainly: dict[Language, str] = Field(
        description="The mechanisms for who has never heard of TCP, in each language of the page."
    )


class AudienceLane(DemoPart):
    """One lane, as the audience may know it."""

    letter: Letter
    revealed: RevealedLane | None = Field(description="None in blind mode.")


class LetterVotes(DemoPart):
    """How many voted for a letter."""

    letter: Letter
    name: str | None = Field(
        description="What it stood for when the poll was opened; None in blind mode."
    )
    votes: int


class PollResult(DemoPart):
    """A poll's votes."""

    choices: list[LetterVotes]
    no_difference: int


class AudiencePoll(DemoPart):
    """The poll under way, or the last one between the letters as they stand."""

    number: int
    question: str
    open: bool
    votes: int = Field(description="How many have voted.")
    result: PollResult | None = Field(description="None while it is open.")
    revealed: bool = Field(
        description="Whether it was held blind, and the letters have been told since."
    )


class AudienceState(DemoPart):
    """How the demo is; the same for all of the audience."""

    type: Literal["state"]
    at_ms: AtMs
    title: str
    code: str
    stage: DemoStage
    blind: bool
    stream: StreamKind
    sound: bool = Field(description="Whether there is something to hear.")
    take: int
    lanes: list[AudienceLane] = Field(description="In the letters' order.")
    path: Path | None = Field(description="None in blind mode.")
    path_in_full: str | None = Field(description="The path in words. None in blind mode.")
    poll: AudiencePoll | None


class AudienceYou(DemoPart):
    """What the server knows of this listener."""

    type: Literal["you"]
    listener: Listener
    letter: Letter = Field(description="What they hear.")
    voted: Choice | None = Field(description="In the poll of `state`; stored.")


class AudienceScreen(DemoPart):
    """What a terminal shows next."""

    type: Literal["screen"]
    take: int
    letter: Letter
    data: str
    from_start: bool = Field(
        default=False,
        description="All screens of the take so far in one, for who comes late: clear first.",
    )


class AudienceRefused(DemoPart):
    """Something was not done."""

    type: Literal["refused"]
    do: str | None
    text: str
    remedy: str


class AudiencePong(DemoPart):
    """The answer to a ping."""

    type: Literal["pong"]
    number: int
    at_ms: AtMs


class AudienceMessage(
    RootModel[
        Annotated[
            AudienceState
            | AudienceYou
            | Moment
            | DemoEvent
            | AudienceScreen
            | AudienceRefused
            | AudiencePong,
            Field(discriminator="type"),
        ]
    ]
):
    """What the server sends to an audience's page, one a WebSocket message."""
