"""One session of an experiment: what is asked of the agent, and under which key it is kept.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf.json_format import MessageToDict

from thinlab.condition.condition import Condition
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.names import IatDistribution
from thinlab.experiment.definition import Cell, ExperimentDefinition
from thinlab.lab.agent import one_flow

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
        lane = Condition(transport=cell.transport, path=cell.path).to_lane(self.seed)
        stream = pb.SyntheticStream(
            payload_bytes=cell.message_bytes,
            iat_us=round(cell.iat_ms * 1000),
            iat_spread_us=round(cell.iat_spread_ms * 1000),
            messages=self.messages,
        )
        if cell.iat_distribution is IatDistribution.EXPONENTIAL:
            stream.iat_distribution = pb.IAT_DISTRIBUTION_EXPONENTIAL
        session = one_flow(lane, pb.Stream(synthetic=stream))
        cell.over_time.apply(session.lanes[0], self.messages * cell.iat_ms)
        return session

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
