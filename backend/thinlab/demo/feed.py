"""What a demo tells all who watch, live or replayed: moments, events, screens.

Names as in `lab.proto`; what is empty, or says what the proto's zero says, is
left out. Instants are ms since the demo began, by one clock.

SPDX-License-Identifier: Apache-2.0
"""

from enum import StrEnum, auto
from typing import Literal

from pydantic import Field

from thinlab.contract.generated.names import PacketKind, Repair
from thinlab.contract.generated.results import (
    Copies,
    FeltMetrics,
    PlayoutEventKind,
    PlayoutFacts,
    TraceMetrics,
)
from thinlab.demo.part import AtMs, DemoPart, LaneNumber


class PacketDeparture(DemoPart):
    """A packet leaves its sender."""

    number: int = Field(description="Rises by one in a lane's take, both directions together.")
    forward: bool
    kind: PacketKind
    sent_ms: AtMs
    start: int = Field(description="Its bytes of its direction's stream: from here …")
    end: int = Field(description="… to here.")
    new_from: int | None = Field(
        default=None, description="Of a bundle: where bytes sent for the first time begin."
    )
    acknowledged: int = Field(default=0, description="Up to here of the other direction's stream.")
    duplicate: bool = Field(default=False, description="A duplicate acknowledgement.")
    selective: bool = Field(default=False, description="It carries SACK blocks.")
    cause: Literal["fast", "timeout"] | None = Field(
        default=None, description="Of a retransmission."
    )


class PacketFate(DemoPart):
    """What became of a departure. A newer fate of the same number replaces an older one."""

    number: int
    arrived_ms: AtMs | None = Field(default=None, description="None: lost.")


class MessagePassage(DemoPart):
    """A message that the application at the receiver can read."""

    number: int = Field(description="Rises by one in a take, from 0.")
    written_ms: AtMs = Field(description="W: ms since the demo began.")
    sent_ms: AtMs = Field(description="S, of its last byte.")
    arrived_ms: AtMs = Field(description="A, of all of it, in whichever order.")
    available_ms: AtMs = Field(description="I.")
    recovery: Repair = Field(default=Repair.NONE, description="What brought its missing bytes.")


class EchoPassage(DemoPart):
    """One key and its echo."""

    number: int = Field(description="The key's.")
    written_ms: AtMs
    shown_ms: AtMs


class SocketState(DemoPart):
    """The sender's end of the connection, as the kernel says it is."""

    at_ms: AtMs
    snd_cwnd: int = Field(description="Packets.")
    in_flight: int = Field(description="Packets.")
    rto_ms: float
    backoff: int = Field(description="Times the timer was doubled.")
    rtt_ms: float = Field(description="Smoothed.")
    unsent_bytes: int
    snd_ssthresh: int = Field(description="Packets; 2147483647: none yet.")


class PlayoutPassage(DemoPart):
    """Something that the receiver did to the sound."""

    kind: PlayoutEventKind
    at_ms: AtMs = Field(description="When it was heard.")
    length_ms: float


class PlayoutState(DemoPart):
    """The receiver's playout."""

    buffer_ms: float = Field(description="Arrived and not played.")
    target_ms: float = Field(description="The delay that it aims at.")
    delay_ms: float = Field(description="From capture to ear, the path's own included.")
    facts: PlayoutFacts = Field(description="Since the take began.")
    passages: list[PlayoutPassage] = Field(default=[], description="New ones.")


class LaneFigures(DemoPart):
    """A lane's figures, as the analyser would find them in the captures so far."""

    metrics: TraceMetrics = Field(
        description="Each `cdf` has at most 80 of the exact curve's points, first and last among "
        "them, to 10 µs and a ten-thousandth."
    )
    copies: Copies
    felt: FeltMetrics = Field(description="Of a terminal: of the echoes.")


class LaneMoment(DemoPart):
    """What became known of one lane."""

    departures: list[PacketDeparture] = Field(default=[])
    fates: list[PacketFate] = Field(default=[])
    messages: list[MessagePassage] = Field(default=[])
    echoes: list[EchoPassage] = Field(default=[])
    socket: SocketState | None = None
    playout: PlayoutState | None = None
    whole: LaneFigures | None = Field(default=None, description="Of the take; once a second.")
    last_minute: LaneFigures | None = Field(default=None, description="Of what was sent in it.")


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
