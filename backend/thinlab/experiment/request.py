"""One session of an experiment: what is asked of the agent, and under which key it is kept.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf.json_format import MessageToDict

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.definition import (
    Bundling,
    Cell,
    ExperimentDefinition,
    HiddenLossResponse,
    IatDistribution,
)

# Changes when a session's record gains something that kept records lack.
RECORD_VERSION = 1


@dataclass(frozen=True)
class SessionRequest:
    """One run of one cell."""

    cell: Cell
    run: int
    seed: int
    messages: int
    retransmission_times: bool

    def spec(self) -> pb.SessionSpec:
        """The request as the agent takes it."""
        cell = self.cell
        lane = pb.LaneSpec(
            forward=_path(cell),
            backward=_path(cell),
            baseline=pb.Baseline.Value(f"BASELINE_{cell.baseline.name}"),
            mechanisms=[
                pb.Mechanism.Value(f"MECHANISM_{mechanism.name}")
                for mechanism in cell.mode.mechanisms
            ],
            seed=self.seed,
        )
        if cell.bundling != Bundling():
            lane.bundling.CopyFrom(_bundling(cell.bundling))
        stream = pb.SyntheticStream(
            payload_bytes=cell.message_bytes,
            iat_us=round(cell.iat_ms * 1000),
            iat_spread_us=round(cell.iat_spread_ms * 1000),
            messages=self.messages,
        )
        if cell.iat_distribution is IatDistribution.EXPONENTIAL:
            stream.iat_distribution = pb.IAT_DISTRIBUTION_EXPONENTIAL
        return pb.SessionSpec(lane=lane, synthetic=stream)

    def key(self, host_build: str) -> str:
        """Content key of the session on a host of this build, 32 hex digits."""
        identity = {
            "host_build": host_build,
            "spec": MessageToDict(self.spec(), preserving_proto_field_name=True),
            "retransmission_times": self.retransmission_times,
            "record": RECORD_VERSION,
        }
        canonical = json.dumps(identity, sort_keys=True)
        return hashlib.sha256(canonical.encode()).hexdigest()[:32]


def requests(experiment: ExperimentDefinition) -> Iterator[SessionRequest]:
    """Every session, run by run: what is there when a run is interrupted covers all cells."""
    for run in range(experiment.runs):
        for cell in experiment.cells():
            yield SessionRequest(
                cell=cell,
                run=run,
                seed=cell.seed(experiment.seed, run),
                messages=cell.messages(experiment.minutes),
                retransmission_times=experiment.retransmission_times,
            )


def _path(cell: Cell) -> pb.Path:
    path = pb.Path(delay_us=round(cell.rtt_ms * 1000 / 2))
    if cell.loss_share > 0:
        path.uniform.loss_share = cell.loss_share
    return path


def _bundling(settings: Bundling) -> pb.Bundling:
    response = {
        HiddenLossResponse.BASELINE: pb.HIDDEN_LOSS_RESPONSE_UNSPECIFIED,
        HiddenLossResponse.NONE: pb.HIDDEN_LOSS_RESPONSE_NONE,
        HiddenLossResponse.REDUCE_WINDOW: pb.HIDDEN_LOSS_RESPONSE_REDUCE_WINDOW,
    }
    return pb.Bundling(
        max_bytes=settings.max_bytes,
        max_packets=settings.max_packets,
        hidden_loss_response=response[settings.hidden_loss_response],
    )
