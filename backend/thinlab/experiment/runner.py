"""Running an experiment: what is missing, on Dask, until all of it is there.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import dask
from distributed import Client, Future, KilledWorker, as_completed

from thinlab.condition.support import lacking
from thinlab.condition.transport import Mechanism
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment import broken, provenance
from thinlab.experiment.definition import ExperimentDefinition
from thinlab.experiment.request import SessionRequest, requests
from thinlab.experiment.session import Outcome, run_session
from thinlab.experiment.store import SessionStore
from thinlab.lab.team import Workers, dask_client
from thinlab.lab.worker import WorkerError, describe_host

# A replay's has every write of its capture; Dask would warn of each from 10 MB on.
REQUESTS_MAY_BE_LARGE = {"distributed.admin.large-graph-warning-threshold": "1 GB"}
TRIES = 2
"""Of a session that fails; what fails again is reported."""


class UnavailableError(Exception):
    """The host's kernel lacks something that the experiment asks for."""


@dataclass
class Progress:
    """How far a run has come."""

    wanted: int = 0
    found: int = 0
    """Already there from earlier runs."""
    done: int = 0
    broken: int = 0
    """Of these and of those found: whose path broke the stream."""
    problems: dict[str, list[SessionRequest]] = field(default_factory=dict)
    """What went wrong, and with which sessions."""
    tried_again: int = 0
    """Sessions that failed once."""
    began_s: float = field(default_factory=time.monotonic)

    @property
    def left_s(self) -> float | None:
        """Seconds that the rest will take at the pace so far; none before anything is done."""
        through = self.done + self.failed
        if not through:
            return None
        left = self.wanted - self.found - through
        return (time.monotonic() - self.began_s) / through * left

    @property
    def failed(self) -> int:
        """Sessions without a result."""
        return sum(len(sessions) for sessions in self.problems.values())


async def run(
    experiment: ExperimentDefinition,
    store: SessionStore,
    workers: Workers,
    tell: Callable[[Progress], None],
) -> tuple[pb.HostDescription, Progress]:
    """Runs the sessions that the store lacks; returns what the host is.

    Each result is kept the moment it is there: killed at any time, the next
    run goes on where this one was. A worker that dies loses what it was at,
    which another then does. Raises `UnavailableError`, `WorkerError`
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
            # Elsewhere: of a large replay it takes seconds, and workers give up a scheduler that
            # does not answer.
            kept = store.read(await asyncio.to_thread(request.key, host.build))
            if kept is not None:
                progress.found += 1
                progress.broken += broken.OUTCOME in kept
            else:
                missing.append(request)
        tell(progress)
        with dask.config.set(REQUESTS_MAY_BE_LARGE):
            await _run_all(client, missing, (workers.lab, host.build), store, (progress, tell))
        return host, progress


async def _run_all(
    client: Client,
    missing: Sequence[SessionRequest],
    host: tuple[str | None, str],
    store: SessionStore,
    telling: tuple[Progress, Callable[[Progress], None]],
) -> None:
    progress, tell = telling
    lab, build = host

    def submit(request: SessionRequest, number: int) -> "Future[Outcome]":
        future = client.submit(run_session, request, lab, build, pure=False, priority=-number)
        asked[future.key] = request
        return future

    asked: dict[object, SessionRequest] = {}
    tries: dict[SessionRequest, int] = {}
    futures = [submit(request, number) for number, request in enumerate(missing)]
    finished = as_completed(futures, with_results=True, raise_errors=False)
    futures.clear()
    async for future, told in finished:
        outcome = _outcome(asked.pop(future.key), told)
        request = outcome.request
        tries[request] = tries.get(request, 0) + 1
        if outcome.record is not None:
            # First: a record names it.
            if settings := outcome.settings:
                await asyncio.to_thread(store.keep_text, provenance.digest(settings), settings)
            key = await asyncio.to_thread(request.key, build)
            await asyncio.to_thread(store.write, key, outcome.record)
            progress.done += 1
            progress.broken += broken.OUTCOME in outcome.record
        elif tries[request] < TRIES:
            progress.tried_again += 1
            finished.add(submit(request, len(missing)))
        else:
            progress.problems.setdefault(outcome.problem, []).append(request)
        future.release()
        tell(progress)


def _outcome(request: SessionRequest, told: object) -> Outcome:
    """What Dask tells of a task: its outcome, or what it raised. Raises what is no session's."""
    match told:
        case Outcome():
            return told
        case (_, KilledWorker() as error, _):
            return Outcome(request, None, f"every worker that took it died ({error})")
        case (_, BaseException() as error, _):
            raise error
        case BaseException():
            raise WorkerError(
                f"the Dask scheduler took sessions back ({told!r}): is it still there? What was "
                "kept stays; run it again"
            )
    raise TypeError(f"neither an outcome nor an error: {told!r}")


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
