"""Running one session on a host: the task that Dask hands to a worker.

Takes values and returns values, so that any worker, here or on another
machine, can do it. A worker elsewhere finds its host in its own THINLAB_LAB.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.results import SessionResult
from thinlab.experiment import broken, game, provenance, self_check
from thinlab.experiment.capture import retransmissions
from thinlab.experiment.request import SessionRequest
from thinlab.lab.agent import Agent, AgentAwayError, AgentRefusedError, StreamBrokeError
from thinlab.lab.analyser import AnalyserError
from thinlab.lab.patience import patiently
from thinlab.lab.worker import analyser_here, host_of_build

# What is about a clip's playout, and what is another each time.
LEFT_OUT = {"playout", "playout_events", "wall_ns"}


class SelfCheckError(Exception):
    """A session's numbers do not add up: there is no result."""


@dataclass(frozen=True)
class Outcome:
    """What became of a session: its record, or why there is none."""

    request: SessionRequest
    record: dict[str, Any] | None
    problem: str = ""
    settings: str = ""
    """What the kernel said that the lanes were set to; the record has its hash."""


def run_session(request: SessionRequest, lab: str | None, host_build: str) -> Outcome:
    """Runs a session on the host at `lab`, or on the worker's own. Raises `WorkerError`."""
    try:
        record, settings = asyncio.run(_run(request, lab, host_build))
        return Outcome(request, record, settings=settings)
    except StreamBrokeError as error:
        if broken.may_break(request.cell.path):
            return Outcome(request, broken.record(host_build, str(error)))
        return Outcome(request, None, str(error))
    except (AgentAwayError, AgentRefusedError, SelfCheckError, AnalyserError) as error:
        return Outcome(request, None, str(error))


async def _run(
    request: SessionRequest, lab: str | None, host_build: str
) -> tuple[dict[str, Any], str]:
    async with host_of_build(lab, host_build) as agent:
        record, files = await made_by(agent, request)
    if request.tanks_told:
        asked = (request.planned(), files, analyser_here())
        record["tanks"] = await asyncio.to_thread(game.of_session, *asked)
    return record, provenance.settings(files)


async def made_by(
    agent: Agent, request: SessionRequest
) -> tuple[dict[str, Any], Sequence[provenance.LaneFiles]]:
    """Runs a session on whatever host this is: its record, and each lane's files.

    Raises `AgentAwayError`, `AgentRefusedError` and `SelfCheckError`.
    """
    host = await patiently(agent.describe)
    results, files = await patiently(lambda: agent.answers(request.spec(), lambda _: None))
    told = {place: _kept(result) for place, result in results.items()}
    for result in told.values():
        _expect_sound(result)
    record: dict[str, Any] = {"host_build": host.build}
    if request.cell.flows:
        record["flows"] = [
            {"lane": one.lane, "flow": one.flow, "result": told[one.lane, one.flow]}
            for one in request.planned()
        ]
    else:
        record["result"] = told[0, 0]
    record["provenance"] = provenance.of_session(host, files)
    if request.retransmission_times and not request.cell.flows:
        capture = files[0][pb.FILE_KIND_SENDER_CAPTURE]
        record["retransmissions_ms"] = retransmissions(bytes(capture))
    return record, files


def _expect_sound(result: Mapping[str, Any]) -> None:
    fault = self_check.broken(result)
    if fault is not None:
        raise SelfCheckError(fault)


def _kept(answer: pb.SessionResult) -> dict[str, Any]:
    return SessionResult.of(answer).model_dump(mode="json", exclude=LEFT_OUT)
