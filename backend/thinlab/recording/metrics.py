"""What a session measured, with the field names and units of `lab.proto`.

A test holds these types against the generated messages, so that neither side
can gain or lose a field alone.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import BaseModel, ConfigDict


class Measured(BaseModel):
    """A message of the agent's protocol, as stored and as sent to the researcher."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CdfPoint(Measured):
    """`share` of the samples took `latency_us` or less."""

    latency_us: float
    share: float


class LatencyDistribution(Measured):
    """Microseconds; `cdf` rises in both coordinates."""

    samples: int
    min_us: float
    mean_us: float
    p50_us: float
    p90_us: float
    p95_us: float
    p98_us: float
    p99_us: float
    p999_us: float
    max_us: float
    cdf: list[CdfPoint] = []


class Latency(Measured):
    """One latency, weighted by bytes (as in the papers) and by messages (as people feel it)."""

    per_byte: LatencyDistribution
    per_message: LatencyDistribution


class TraceMetrics(Measured):
    """What the two captures of a session say."""

    packets: int
    payload_bytes: int
    unique_bytes: int
    delivered_bytes: int
    retransmitted_bytes: int
    retransmitted_packets: int
    retransmitted_share: float
    redundancy_share: float
    packet_payload_mean_bytes: float
    lost_packets_forward: int
    lost_packets_backward: int
    loss_share_forward: float
    loss_share_backward: float
    iat_mean_ms: float
    transport: Latency
    application: Latency


class FeltMetrics(Measured):
    """What a person notices of the message latencies."""

    share_later_than_100_ms: float
    share_later_than_150_ms: float
    share_later_than_400_ms: float
    longest_stall_ms: float
    messages: int
    sojourn: LatencyDistribution


class PlayoutFacts(Measured):
    """What the receiver's playout did to the clip."""

    played_ms: int
    gaps: int
    concealed_ms: float
    longest_gap_ms: float
    stretched_ms: float
    compressed_ms: float
    dropped_ms: float
    delay_mean_ms: float
    delay_max_ms: float


class DirectionCheck(Measured):
    """Packets of one direction: sent − received = dropped, or the session failed."""

    sent_packets: int
    received_packets: int
    dropped_packets: int


class LaneCheck(Measured):
    """The session's self-check."""

    forward: DirectionCheck
    backward: DirectionCheck


class Counter(Measured):
    """One of the sender's TCP counters that changed."""

    name: str
    value: int


class SessionResult(Measured):
    """All that a session says about itself."""

    check: LaneCheck
    metrics: TraceMetrics
    felt: FeltMetrics
    playout: PlayoutFacts
    counters: list[Counter] = []
    stream_ns: int
    wall_ns: int
