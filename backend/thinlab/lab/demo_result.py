"""What a demo's take measured, with the field names and units of `lab.proto`.

A test holds these types against the contract.

SPDX-License-Identifier: Apache-2.0
"""

from google.protobuf.json_format import MessageToDict
from pydantic import Field

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.recording.metrics import (
    Copies,
    Counter,
    FeltMetrics,
    LaneCheck,
    Measured,
    PlayoutFacts,
    TcpInfo,
    TraceMetrics,
)


class WholeFigures(Measured):
    """A lane's figures."""

    # Where nothing was sent there are none.
    metrics: TraceMetrics | None = Field(default=None, description="trace")
    copies: Copies | None = Field(default=None, description="of the captures")
    felt: FeltMetrics | None = Field(default=None, description="felt; of a terminal, of the echoes")


class DemoLaneResult(Measured):
    """One lane, from its first packet to its last."""

    check: LaneCheck | None = Field(default=None, description="the lane")
    figures: WholeFigures | None = Field(default=None, description="of the whole take")
    playout: PlayoutFacts | None = Field(default=None, description="playout")
    tcp_info: TcpInfo | None = Field(default=None, description="the sending socket at the end")
    counters: list[Counter] = Field(default=[])
    receiver_counters: list[Counter] = Field(default=[])
    skipped_messages: int = Field(description="never written: the socket took nothing for seconds")


class DemoHeldUp(Measured):
    """How far the machine was held up while the take ran, which no network did."""

    standstills: int = Field(description="of the guest: it did not run for more than 8 ms")
    stood_still_ms: float = Field(description="in all")
    sound_late_max_ms: float = Field(description="sound waits for what the guest has to tell")
    sound_left_out: int = Field(description="packets that were too late by then")


class DemoResult(Measured):
    """All that a take says about itself."""

    lanes: list[DemoLaneResult]
    ready_ns: int = Field(description="when the stream began")
    end_ns: int = Field(description="when it ended")
    reason: str = Field(default="", description="of the end; empty: as asked")
    # Takes of older agents have none.
    held_up: DemoHeldUp | None = Field(default=None, description="the machine")


def demo_result_of(result: pb.DemoResult) -> DemoResult:
    """The agent's message as our own type; zeros are numbers, not absences."""
    return DemoResult.model_validate(
        MessageToDict(
            result, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
    )
