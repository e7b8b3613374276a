"""A condition, and the lane that it asks an agent for.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Self

from pydantic import model_validator

from thinlab.condition.path import BitErrors, Direction, Impairments, Path
from thinlab.condition.transport import (
    Baseline,
    Bundling,
    HiddenLossResponse,
    Protocol,
    Sctp,
    Tcp,
    Transport,
    UdpLite,
)
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.names import PROTOCOL_OF_BASELINE, Codec
from thinlab.part import Part

RESPONSES = {
    HiddenLossResponse.BASELINE: pb.HIDDEN_LOSS_RESPONSE_UNSPECIFIED,
    HiddenLossResponse.NONE: pb.HIDDEN_LOSS_RESPONSE_NONE,
    HiddenLossResponse.REDUCE_WINDOW: pb.HIDDEN_LOSS_RESPONSE_REDUCE_WINDOW,
}


class Condition(Part):
    """How something is sent: sender and path."""

    transport: Transport
    path: Path
    codec: Codec = Codec.OPUS
    """Of sound; of no account to what is typed."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        ways = (self.path.forward, self.path.backward)
        if reason := too_long(self.transport.baseline, *ways):
            raise ValueError(reason)
        return self

    def to_lane(self, seed: int) -> pb.LaneSpec:
        """The lane of this condition; `seed` is of the emulator's randomness, both directions."""
        transport = self.transport.in_use
        lane = pb.LaneSpec(
            forward=_path(self.path.forward),
            backward=_path(self.path.backward),
            baseline=pb.Baseline.Value(f"BASELINE_{transport.baseline.name}"),
            mechanisms=[pb.Mechanism.Value(f"MECHANISM_{m.name}") for m in transport.mechanisms],
            seed=seed,
        )
        if transport.bundling != Bundling():
            lane.bundling.CopyFrom(_bundling(transport.bundling))
        if transport.tcp != Tcp():
            lane.tcp.CopyFrom(pb.Tcp(**transport.tcp.model_dump()))
        if transport.sctp != Sctp():
            lane.sctp.CopyFrom(pb.Sctp(**transport.sctp.model_dump()))
        if transport.udp_lite != UdpLite():
            lane.udp_lite.CopyFrom(pb.UdpLite(**transport.udp_lite.model_dump()))
        return lane


def too_long(baseline: Baseline, *ways: Impairments) -> str:
    """Why a sender's messages do not fit a path with a limit to packets; empty: they do."""
    if PROTOCOL_OF_BASELINE[baseline] is Protocol.TCP or not any(way.mtu_bytes for way in ways):
        return ""
    return (
        f"`mtu_bytes` is of TCP alone, and `baseline: {baseline.value}` sends each message in a "
        "packet: leave it out, or choose another baseline"
    )


def _path(direction: Direction) -> pb.Path:
    path = pb.Path(
        delay_us=round(direction.delay_ms * 1000),
        jitter_us=round(direction.jitter_ms * 1000),
        rate_bit_per_s=round(direction.rate_kbit_per_s * 1000),
        queue_packets=direction.queue_packets,
        corrupt_share=direction.corrupt_share,
        reorder_share=direction.reorder_share,
        duplicate_share=direction.duplicate_share,
        queue_bytes=direction.queue_bytes,
        ecn=direction.ecn,
        mtu_bytes=direction.mtu_bytes,
    )
    if direction.queue_discipline is not None:
        path.queue_discipline = pb.QueueDiscipline.Value(
            f"QUEUE_DISCIPLINE_{direction.queue_discipline.name}"
        )
    if direction.gilbert_elliott is not None:
        path.gilbert_elliott.CopyFrom(
            pb.GilbertElliottLoss(**direction.gilbert_elliott.model_dump())
        )
    elif direction.loss_share > 0:
        path.uniform.loss_share = direction.loss_share
    if direction.bit_errors is not None:
        path.bit_errors.CopyFrom(_bit_errors(direction.bit_errors))
    return path


def _bit_errors(errors: BitErrors) -> pb.BitErrors:
    return pb.BitErrors(
        good_us=round(errors.good_ms * 1000),
        bad_us=round(errors.bad_ms * 1000),
        error_share_good=errors.error_share_good,
        error_share_bad=errors.error_share_bad,
        tick_us=round(errors.tick_ms * 1000),
        at_end=errors.at_end,
    )


def _bundling(settings: Bundling) -> pb.Bundling:
    return pb.Bundling(
        max_bytes=settings.max_bytes,
        max_packets=settings.max_packets,
        hidden_loss_response=RESPONSES[settings.hidden_loss_response],
        min_iat_us=None if settings.min_iat_ms is None else round(settings.min_iat_ms * 1000),
    )
