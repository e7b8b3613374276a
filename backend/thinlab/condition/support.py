"""What a host's kernel has of what a sender can be.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from thinlab.condition.transport import Baseline, Mechanism, Transport
from thinlab.contract.generated import lab_pb2 as pb


@dataclass(frozen=True)
class Support:
    """Whether the kernel has a mechanism or a baseline."""

    of: Mechanism | Baseline
    available: bool
    reason: str
    """Why not; empty where it is available."""


def mechanisms_of(host: pb.HostDescription) -> list[Support]:
    """Every mechanism."""
    found = {one.mechanism: one for one in host.mechanisms}
    return [
        _support(one, found.get(pb.Mechanism.Value(f"MECHANISM_{one.name}"))) for one in Mechanism
    ]


def baselines_of(host: pb.HostDescription) -> list[Support]:
    """Every baseline."""
    found = {one.baseline: one for one in host.baselines}
    return [_support(one, found.get(pb.Baseline.Value(f"BASELINE_{one.name}"))) for one in Baseline]


def lacking(transport: Transport, host: pb.HostDescription) -> Support | None:
    """The first thing that the host lacks for a sender; none if it has all."""
    wanted = {*transport.mechanisms, transport.baseline}
    every = (*mechanisms_of(host), *baselines_of(host))
    return next((one for one in every if one.of in wanted and not one.available), None)


def _support(
    of: Mechanism | Baseline, told: "pb.MechanismSupport | pb.BaselineSupport | None"
) -> Support:
    if told is None:
        return Support(of, available=False, reason="the agent does not know it")
    return Support(of, told.available, told.reason)
