"""Running an experiment: what is missing, on Dask, until all of it is there.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from distributed import Client, LocalCluster, as_completed

from thinlab.experiment.definition import ExperimentDefinition
from thinlab.experiment.request import SessionRequest, requests
from thinlab.experiment.session import Outcome, describe_host, run_session
from thinlab.experiment.store import SessionStore
from thinlab.lab.generated import lab_pb2 as pb


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


@dataclass(frozen=True)
class Workers:
    """Who runs the sessions."""

    lab: str | None
    """The host's address for all workers; none: each worker has a host of its own."""
    count: int = 0
    """Local workers; 0: one a core."""
    scheduler: str | None = None
    """Address of a Dask scheduler that has workers already."""


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
    async with _client(workers) as client:
        described = await client.submit(_describe, workers.lab, pure=False)
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


def _describe(lab: str | None) -> bytes:
    return describe_host(lab).SerializeToString()


@asynccontextmanager
async def _client(workers: Workers) -> AsyncIterator[Client]:
    if workers.scheduler is not None:
        async with Client(workers.scheduler, asynchronous=True) as client:
            yield client
        return
    count = workers.count or len(os.sched_getaffinity(0))
    async with (
        LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            asynchronous=True,
            # Any free port of this machine: the usual one may be another cluster's.
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        yield client


def refuse_what_is_lacking(experiment: ExperimentDefinition, host: pb.HostDescription) -> None:
    """Raises `UnavailableError` for the first thing that the host cannot do."""
    if host.clock != pb.CLOCK_VIRTUAL_TIME:
        raise UnavailableError(
            "the host runs in real time; start it with `lab-agent boot --clock virtual`"
        )
    mechanisms = {one.mechanism: one for one in host.mechanisms}
    for mode in dict.fromkeys(cell.mode for cell in experiment.cells()):
        for mechanism in mode.mechanisms:
            support = mechanisms.get(pb.Mechanism.Value(f"MECHANISM_{mechanism.name}"))
            if support is None or not support.available:
                reason = support.reason if support else "the agent does not know it"
                raise UnavailableError(
                    f"mode {mode.value}: this host's kernel lacks {mechanism.value} ({reason}); "
                    "leave the mode out with --mode, or use a kernel that has it"
                )
    baselines = {one.baseline: one for one in host.baselines}
    for baseline in dict.fromkeys(cell.baseline for cell in experiment.cells()):
        offered = baselines.get(pb.Baseline.Value(f"BASELINE_{baseline.name}"))
        if offered is None or not offered.available:
            reason = offered.reason if offered else "the agent does not know it"
            raise UnavailableError(
                f"this host's kernel lacks the baseline {baseline.value} ({reason}); "
                "use a kernel that has it"
            )
