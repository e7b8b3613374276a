"""Running an experiment: what is missing, on Dask, until all of it is there.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from distributed import Client, as_completed

from thinlab.condition.support import lacking
from thinlab.condition.transport import Mechanism
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.definition import ExperimentDefinition
from thinlab.experiment.request import SessionRequest, requests
from thinlab.experiment.session import Outcome, run_session
from thinlab.experiment.store import SessionStore
from thinlab.lab.team import Workers, dask_client
from thinlab.lab.worker import describe_host


class UnavailableError(Exception):
    """The host's kernel lacks something that the experiment asks for."""


@dataclass
class Progress:
    """How far a run has come."""

    wanted: int = 0
    found: int = 0
    """Already there from earlier runs."""
    done: int = 0
    problems: dict[str, list[SessionRequest]] = field(default_factory=dict)
    """What went wrong, and with which sessions."""

    @property
    def failed(self) -> int:
        """Sessions without a result."""
        return sum(len(sessions) for sessions in self.problems.values())


async def run(
    experiment: ExperimentDefinition,
    store: SessionStore,
    workers: Workers,
    tell: Callable[[Progress], None],
) -> tuple[str, Progress]:
    """Runs the sessions that the store lacks; returns the host's build.

    Each result is kept the moment it is there: killed at any time, the next
    run goes on where this one was. Raises `UnavailableError`, `WorkerError`
    and `AgentAwayError`.
    """
    async with dask_client(workers) as client:
        described = await client.submit(describe_host, workers.lab, pure=False)
        host = pb.HostDescription.FromString(described)
        refuse_what_is_lacking(experiment, host)
        progress = Progress()
        missing: list[SessionRequest] = []
        for request in requests(experiment):
            progress.wanted += 1
            if request.key(host.build) in store:
                progress.found += 1
            else:
                missing.append(request)
        tell(progress)
        await _run_all(client, missing, (workers.lab, host.build), store, (progress, tell))
        return host.build, progress


async def _run_all(
    client: Client,
    missing: Sequence[SessionRequest],
    host: tuple[str | None, str],
    store: SessionStore,
    telling: tuple[Progress, Callable[[Progress], None]],
) -> None:
    progress, tell = telling
    lab, build = host
    futures = [
        client.submit(run_session, request, lab, build, pure=False, priority=-number)
        for number, request in enumerate(missing)
    ]
    finished = as_completed(futures, with_results=True)
    futures.clear()
    async for future, outcome in finished:
        assert isinstance(outcome, Outcome)  # noqa: S101 (Dask's futures are untyped)
        if outcome.record is None:
            progress.problems.setdefault(outcome.problem, []).append(outcome.request)
        else:
            await asyncio.to_thread(store.write, outcome.request.key(build), outcome.record)
            progress.done += 1
        future.release()
        tell(progress)


def refuse_what_is_lacking(experiment: ExperimentDefinition, host: pb.HostDescription) -> None:
    """Raises `UnavailableError` for the first thing that the host cannot do."""
    if host.clock != pb.CLOCK_VIRTUAL_TIME:
        raise UnavailableError(
            "the host runs in real time; start it with `lab-agent boot --clock virtual`"
        )
    for cell in experiment.cells():
        for sender in (cell.transport, *(one.sender(cell.transport) for one in cell.flows)):
            lacks = lacking(sender, host)
            if lacks is None:
                continue
            if isinstance(lacks.of, Mechanism):
                raise UnavailableError(
                    f"mode {sender.mode}: this host's kernel lacks {lacks.of.value} "
                    f"({lacks.reason}); leave the mode out with --mode, or use a kernel that has it"
                )
            raise UnavailableError(
                f"this host's kernel lacks the baseline {lacks.of.value} ({lacks.reason}); "
                "use a kernel that has it"
            )
