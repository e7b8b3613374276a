"""What a terminal's session measured, with the field names and units of `lab.proto`.

Without the keys, which have a table of their own, and the text, which is kept
only where the study says so. A test holds these types against the contract.

SPDX-License-Identifier: Apache-2.0
"""

from enum import StrEnum

from google.protobuf.json_format import MessageToDict
from pydantic import Field

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.recording.metrics import (
    Copies,
    Counter,
    FeltMetrics,
    LaneCheck,
    Measured,
    TcpInfo,
    TraceMetrics,
)

LEFT_OUT = {"keys", "text"}


class TerminalEnd(StrEnum):
    """Why a terminal ended."""

    UNKNOWN = "TERMINAL_END_UNSPECIFIED"
    FINISHED = "TERMINAL_END_FINISHED"
    EDITOR_LEFT = "TERMINAL_END_EDITOR_LEFT"
    LIMIT = "TERMINAL_END_LIMIT"
    CONNECTION_LOST = "TERMINAL_END_CONNECTION_LOST"


class DelayError(Measured):
    """Measured less wanted one-way delay of the packets that came through."""

    packets: int = Field(description="packets compared")
    p50_us: float = Field(description="median")
    p99_us: float = Field(description="99th percentile")
    max_us: float = Field(description="highest")
    min_us: float = Field(description="lowest")


class EmulatorTiming(Measured):
    """How well the emulator kept its own time."""

    forward: DelayError = Field(description="measured less wanted delay, sender to receiver")
    backward: DelayError = Field(description="measured less wanted delay, receiver to sender")
    trustworthy: bool = Field(description="whether the emulator kept its own time")
    reason: str = Field(description="why it did not")


class ClockComparison(Measured):
    """The guest's clock against the machine's; already taken off every instant."""

    offset_ns: int = Field(description="guest less machine")
    round_trip_ns: int = Field(description="of the question that was answered fastest")
    drift_ns: int = Field(description="how much the offset had grown in the end")


class TerminalResult(Measured):
    """All that a terminal's session says about itself."""

    end: TerminalEnd
    reason: str = Field(default="", description="of the end, where there is more to say")
    check: LaneCheck = Field(description="the lane")
    timing: EmulatorTiming = Field(description="the emulator")
    # A direction in which nothing was sent has no metrics.
    metrics_forward: TraceMetrics | None = Field(default=None, description="keys' direction")
    metrics_backward: TraceMetrics | None = Field(default=None, description="echoes' direction")
    copies_forward: Copies | None = Field(default=None, description="keys' direction")
    copies_backward: Copies | None = Field(default=None, description="echoes' direction")
    felt: FeltMetrics | None = Field(default=None, description="of the keys")
    tcp_info_sender: TcpInfo | None = Field(default=None, description="the sending socket")
    tcp_info_receiver: TcpInfo | None = Field(default=None, description="the receiving socket")
    counters: list[Counter] = Field(default=[])
    receiver_counters: list[Counter] = Field(default=[])
    ready_ns: int = Field(description="when keys began to count")
    end_ns: int = Field(description="when the session ended")
    clock: ClockComparison | None = Field(default=None, description="the guest's clock")


def terminal_result_of(result: pb.TerminalResult) -> TerminalResult:
    """The agent's message as our own type; zeros are numbers, not absences."""
    message = MessageToDict(
        result, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return TerminalResult.model_validate(
        {name: value for name, value in message.items() if name not in LEFT_OUT}
    )
