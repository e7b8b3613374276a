"""What a demo tells all who watch, live or replayed: moments, events, screens.

Names as in `lab.proto`; what is empty, or says what the proto's zero says, is
left out. Instants are ms since the demo began, by one clock.

SPDX-License-Identifier: Apache-2.0
"""

from enum import StrEnum, auto
from typing import Literal

from pydantic import Field

from thinlab.contract.generated.feed import LaneMoment
from thinlab.demo.part import AtMs, DemoPart, LaneNumber


class Moment(DemoPart):
    """What became known of all lanes in 100 ms."""

    type: Literal["moment"]
    at_ms: AtMs
    take: int = Field(description="From 1. Numbers and bytes count anew in each.")
    lanes: list[LaneMoment]


class DemoEventKind(StrEnum):
    """What happened."""

    TAKE = auto()
    PATH = auto()
    LANE = auto()
    STREAM = auto()
    SYNTHETIC = auto()
    STARTED = auto()
    PAUSED = auto()
    RESUMED = auto()
    MARK = auto()
    BLIND = auto()
    POLL_OPENED = auto()
    POLL_CLOSED = auto()
    REVEALED = auto()
    HOST_LOST = auto()
    PROBLEM = auto()
    LIMIT = auto()
    ENDED = auto()


class DemoEvent(DemoPart):
    """Something that happened to the demo; to be shown on every chart."""

    type: Literal["event"]
    number: int = Field(description="Rises by one, from 1.")
    at_ms: AtMs = Field(description="Of a change: when the kernel had taken it.")
    take: int = Field(description="0: before the first one.")
    kind: DemoEventKind
    who: Literal["presenter", "server"]
    text: str = Field(description="What changed, in words.")
    lanes: list[LaneNumber] = Field(description="Which lanes it is about; empty: all.")
    kernel_ms: float | None = Field(
        default=None, description="Of a change: from the command's arrival to the kernel."
    )


class LaneScreen(DemoPart):
    """What a lane's terminal shows next."""

    type: Literal["screen"]
    at_ms: AtMs
    take: int
    lane: LaneNumber
    number: int
    data: str = Field(description="Characters are whole; can be empty.")
    answers_key: int = Field(description="The last key that this or an earlier screen shows.")
    from_start: bool = Field(
        default=False,
        description="All screens of the take so far in one, for who comes late: clear first.",
    )
