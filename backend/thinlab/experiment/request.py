"""One session of an experiment: what is asked of the agent, and under which key it is kept.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from google.protobuf.json_format import MessageToDict

from thinlab.condition.condition import Condition
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.names import IatDistribution
from thinlab.experiment.definition import Cell, ExperimentDefinition
from thinlab.experiment.flows import PlannedFlow, lanes, plan
from thinlab.lab.agent import one_flow

# Changes when a session's record gains something that kept records lack.
RECORD_VERSION = 1
# The same for how far tanks are from where they are seen, of sessions that tell of it.
TANKS_VERSION = 2


@dataclass(frozen=True)
class SessionRequest:
    """One run of one cell."""

    cell: Cell
    run: int
    seed: int
    messages: int
    """Of the one stream; 0 where there are flows."""
    retransmission_times: bool
    minutes: float = 0.0
    """Where there are flows, which last so long."""

    def spec(self) -> pb.SessionSpec:
        """The request as the agent takes it."""
        cell = self.cell
        lane = Condition(transport=cell.transport, path=cell.path).to_lane(self.seed)
        if cell.flows:
            return self._of_flows(lane)
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

    @property
    def tanks_told(self) -> list[str]:
        """What its replays' files say of tanks, which are then measured."""
        replays = [group.stream.replay for group in self.cell.flows]
        return [one.positions_content for one in replays if one and one.positions]

    def planned(self) -> tuple[PlannedFlow, ...]:
        """The session's flows, and whose they are; none of a cell with one stream."""
        return plan(self.cell.flows, self.minutes) if self.cell.flows else ()

    def _of_flows(self, first: pb.LaneSpec) -> pb.SessionSpec:
        asked: dict[int, list[pb.Flow]] = {}
        for one in self.planned():
            asked.setdefault(one.lane, []).append(one.asked)
        specs = [first]
        for groups in lanes(self.cell.flows)[1:]:
            sender = groups[0].sender(self.cell.transport)
            spec = Condition(transport=sender, path=self.cell.path).to_lane(0)
            # The bottleneck is the first lane's, and so is the seed.
            for field in ("forward", "backward"):
                spec.ClearField(field)
            specs.append(spec)
        session = pb.SessionSpec(
            lanes=[
                pb.SessionLane(lane=spec, flows=asked[number]) for number, spec in enumerate(specs)
            ],
            shared_bottleneck=len(specs) > 1,
        )
        self.cell.over_time.apply(session.lanes[0], self.minutes * 60_000)
        return session

    def key(self, host_build: str) -> str:
        """Content key of the session on a host of this build, 32 hex digits."""
        return _key(self, host_build)


# Asked for when a session is looked for, kept, tabled and drawn.
@cache
def _key(request: SessionRequest, host_build: str) -> str:
    spec = request.spec()
    identity: dict[str, object] = {
        "host_build": host_build,
        "retransmission_times": request.retransmission_times,
        "record": RECORD_VERSION,
    }
    if request.cell.flows:
        # Of a captured game they have half a million messages, which take seconds as JSON. Bytes
        # are not promised to be the same for ever: with others, sessions are run again.
        told = hashlib.sha256()
        for lane in spec.lanes:
            told.update(lane.SerializeToString(deterministic=True))
            lane.ClearField("flows")
        identity["lanes"] = told.hexdigest()
    identity["spec"] = MessageToDict(spec, preserving_proto_field_name=True)
    # What else is measured of sessions with tanks does not change the keys of all others.
    if tanks := request.tanks_told:
        contents = [hashlib.sha256(content.encode()).hexdigest() for content in tanks]
        identity["tanks"] = [TANKS_VERSION, *contents]
    canonical = json.dumps(identity, sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:32]


def requests(experiment: ExperimentDefinition) -> Iterator[SessionRequest]:
    """Every session, run by run: what is there when a run is interrupted covers all cells."""
    for run in range(experiment.runs):
        for cell in experiment.cells():
            yield request_of(experiment, cell, run)


def request_of(experiment: ExperimentDefinition, cell: Cell, run: int) -> SessionRequest:
    """One session of the experiment."""
    return SessionRequest(
        cell=cell,
        run=run,
        seed=cell.seed(experiment.seed, run),
        messages=cell.messages(experiment.minutes),
        retransmission_times=experiment.retransmission_times,
        minutes=experiment.minutes if cell.flows else 0.0,
    )
