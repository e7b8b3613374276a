"""What a session measured, with the field names and units of `lab.proto`.

A test holds these types against the generated messages, so that neither side
can gain or lose a field alone.

SPDX-License-Identifier: Apache-2.0
"""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class Measured(BaseModel):
    """A message of the agent's protocol, as stored and as sent to the researcher."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class CdfPoint(Measured):
    """`share` of the samples took `latency_us` or less."""

    latency_us: float
    share: float


class LatencyDistribution(Measured):
    """Microseconds; `cdf` rises in both coordinates."""

    samples: int = Field(description="number of samples")
    min_us: float = Field(description="lowest")
    mean_us: float = Field(description="mean")
    p50_us: float = Field(description="median")
    p90_us: float = Field(description="90th percentile")
    p95_us: float = Field(description="95th percentile")
    p98_us: float = Field(description="98th percentile")
    p99_us: float = Field(description="99th percentile")
    p999_us: float = Field(description="99.9th percentile")
    max_us: float = Field(description="highest")
    cdf: list[CdfPoint] = []


class Latency(Measured):
    """One latency, weighted by bytes (as in the papers) and by messages (as people feel it)."""

    per_byte: LatencyDistribution = Field(description="one sample a byte, as in the papers")
    per_message: LatencyDistribution = Field(description="one sample a message, as people feel it")


class TraceMetrics(Measured):
    """What the two captures of a session say."""

    packets: int = Field(description="data packets that the sender put on the wire")
    payload_bytes: int = Field(description="all payload sent, copies included")
    unique_bytes: int = Field(description="distinct bytes of the stream sent")
    delivered_bytes: int = Field(description="distinct bytes of the stream available in order")
    retransmitted_bytes: int = Field(description="payload sent again")
    retransmitted_packets: int = Field(description="packets that carried payload again")
    retransmitted_share: float = Field(description="retransmitted payload of all payload sent")
    redundancy_share: float = Field(description="all payload less unique payload, of all payload")
    packet_payload_mean_bytes: float = Field(description="mean payload of a data packet")
    lost_packets_forward: int = Field(
        description="packets sent and absent at the receiver, sender to receiver"
    )
    lost_packets_backward: int = Field(
        description="packets sent and absent at the other end, receiver to sender"
    )
    loss_share_forward: float = Field(description="lost of sent packets, sender to receiver")
    loss_share_backward: float = Field(description="lost of sent packets, receiver to sender")
    iat_mean_ms: float = Field(description="mean interarrival time of the sender's data packets")
    transport: Latency = Field(description="transport latency, first transmission to first arrival")
    application: Latency = Field(
        description="application latency, first transmission to availability in order"
    )


class FeltMetrics(Measured):
    """What a person notices of the message latencies."""

    share_later_than_100_ms: float = Field(
        description="share of messages later than the flow's minimum by more than 100 ms"
    )
    share_later_than_150_ms: float = Field(
        description="share of messages later than the flow's minimum by more than 150 ms"
    )
    share_later_than_400_ms: float = Field(
        description="share of messages later than the flow's minimum by more than 400 ms"
    )
    longest_stall_ms: float = Field(description="longest time without a message becoming available")
    messages: int = Field(description="messages of the stream")
    sojourn: LatencyDistribution = Field(
        description="socket write to availability in order, one sample a message"
    )
    share_later_than_50_ms: float | None = Field(
        default=None,
        description="share of messages later than the flow's minimum by more than 50 ms",
    )


class PlayoutFacts(Measured):
    """What the receiver's playout did to the clip."""

    played_ms: int = Field(description="length of the recording")
    gaps: int = Field(description="runs in which there was nothing to play")
    concealed_ms: float = Field(description="time filled by concealment or silence")
    longest_gap_ms: float = Field(description="longest run with nothing to play")
    stretched_ms: float = Field(description="time added by playing slower")
    compressed_ms: float = Field(description="time removed by playing faster")
    dropped_ms: float = Field(description="time never played, thrown away to catch up")
    delay_mean_ms: float = Field(
        description="mean delay from capture to ear beyond the path's minimum"
    )
    delay_max_ms: float = Field(
        description="highest delay from capture to ear beyond the path's minimum"
    )


class PlayoutEventKind(StrEnum):
    """What the receiver did to the sound; a gap is a run of the first two."""

    CONCEALED = "concealed"
    SILENT = "silent"
    STRETCHED = "stretched"
    COMPRESSED = "compressed"
    DROPPED = "dropped"


class PlayoutEvent(Measured):
    """Something that the receiver did to the sound."""

    kind: PlayoutEventKind
    at_ms: float = Field(description="place in the recording where it begins")
    length_ms: float = Field(
        description="concealed, silent: how long it lasts in the recording; the others take no "
        "time there: how much of the source was added or is missing"
    )


class DirectionCheck(Measured):
    """Packets of one direction: sent − received = dropped, or the session failed."""

    sent_packets: int = Field(description="packets at this direction's start")
    received_packets: int = Field(description="packets at this direction's end")
    dropped_packets: int = Field(description="packets that the emulator says it dropped")


class LaneCheck(Measured):
    """The session's self-check."""

    forward: DirectionCheck = Field(description="self-check, sender to receiver")
    backward: DirectionCheck = Field(description="self-check, receiver to sender")


class Counter(Measured):
    """One of the sender's TCP counters that changed."""

    name: str
    value: int


class TcpInfo(Measured):
    """The sending socket at the end, by the kernel's names; none is what it does not have."""

    rto_us: int = Field(description="retransmission timeout")
    rtt_us: int = Field(description="smoothed round-trip time")
    rttvar_us: int = Field(description="variation of the round-trip time")
    min_rtt_us: int = Field(description="lowest round-trip time")
    snd_mss_bytes: int = Field(description="largest segment")
    snd_cwnd: int = Field(description="congestion window, packets")
    snd_ssthresh: int = Field(description="slow start threshold, packets; 2147483647: none yet")
    reordering: int = Field(description="reordering that the sender allows for, packets")
    reord_seen: int = Field(description="reordering events seen")
    segs_out: int = Field(description="packets sent, those without payload included")
    data_segs_out: int = Field(description="packets sent with payload")
    total_retrans: int = Field(description="packets retransmitted")
    bytes_sent: int = Field(description="payload sent, copies included")
    bytes_retrans: int = Field(description="payload retransmitted")
    bytes_acked: int = Field(description="payload acknowledged")
    dsack_dups: int = Field(description="packets that the receiver said it had already")
    busy_time_us: int = Field(description="time with something to send or unacknowledged")
    total_rto: int | None = Field(default=None, description="retransmission timeouts")
    total_rto_recoveries: int | None = Field(
        default=None, description="recoveries that a timeout began"
    )
    total_rto_time_ms: int | None = Field(
        default=None, description="time spent in those recoveries"
    )
    thin_linear_timeouts: int | None = Field(default=None, description="timeouts without back-off")
    thin_early_retrans: int | None = Field(
        default=None, description="recoveries that one duplicate acknowledgement began"
    )
    rdb_bundles: int | None = Field(default=None, description="packets that carried payload again")
    rdb_repairs: int | None = Field(
        default=None, description="lost segments that a bundle delivered"
    )
    rdb_dsacks: int | None = Field(default=None, description="DSACKs of the sender's own bundles")
    rdb_congestion: int | None = Field(
        default=None, description="window reductions for repaired losses"
    )
    rdb_bytes: int | None = Field(default=None, description="payload carried again in bundles")


class Copies(Measured):
    """What was sent more than once, and whether it helped."""

    bundle_packets: int = Field(description="packets with new payload behind payload sent before")
    bundled_bytes: int = Field(description="payload sent before, in those")
    bundle_hit_bytes: int = Field(description="of that, what had not arrived any other way")
    spurious_packets: int = Field(description="retransmissions of what did arrive")
    spurious_bytes: int = Field(description="payload of those")


class SessionResult(Measured):
    """All that a session says about itself."""

    check: LaneCheck = Field(description="the lane")
    metrics: TraceMetrics = Field(description="trace")
    felt: FeltMetrics = Field(description="felt")
    playout: PlayoutFacts = Field(description="playout")
    counters: list[Counter] = []
    stream_ns: int = Field(description="emulated length of the stream")
    wall_ns: int = Field(description="what the session took without the boot; not reproducible")
    # Of recordings made before the agent told them: none.
    tcp_info: TcpInfo | None = Field(default=None, description="the sending socket at the end")
    receiver_counters: list[Counter] = []
    copies: Copies | None = Field(default=None, description="of the captures")
    playout_events: list[PlayoutEvent] | None = None
