"""Bodies of a demo's HTTP routes.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from pydantic import Field

from thinlab.demo.feed import DemoEvent
from thinlab.demo.part import DemoPart, Line, Listener
from thinlab.demo.setting import DemoSettings
from thinlab.demo.stored import DemoSummary, TakeResult

OfferedDescription = Annotated[str, Field(min_length=1, max_length=32_768)]


class PresenterToken(DemoPart):
    """From the address that `thinlab run` printed."""

    token: Annotated[str, Field(min_length=1, max_length=100)]


class PresenterAccess(DemoPart):
    """Whether this browser may use the demos' routes."""

    allowed: bool
    researcher: bool = Field(description="By a researcher's session, not the presenter's.")


class NewDemo(DemoPart):
    """A demo to be run; its first take is opened at once."""

    title: Annotated[Line, Field(min_length=1, max_length=100)]
    settings: DemoSettings


class SharedToken(DemoPart):
    """A link to a demo's replay."""

    token: str


class DemoList(DemoPart):
    """Newest first."""

    demos: list[DemoSummary]


class ResultList(DemoPart):
    """Take by take."""

    takes: list[TakeResult]


class EventList(DemoPart):
    """All that happened."""

    events: list[DemoEvent]


class SoundOffer(DemoPart):
    """A session description for one audio track to be received."""

    sdp: OfferedDescription
    listener: Listener


class MicrophoneOffer(DemoPart):
    """A session description for one audio track to be sent."""

    sdp: OfferedDescription


class SoundAnswer(DemoPart):
    """The server's description."""

    sdp: str


class AudienceInvitation(DemoPart):
    """Where the audience's code leads."""

    title: str
    code: str
    ended: bool = Field(description="Whether the demo is over.")
    replay: str | None = Field(
        description="The token of its replay, at /demo/replay/TOKEN, where it is over and shared."
    )
