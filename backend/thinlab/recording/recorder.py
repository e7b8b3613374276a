"""Makes the recordings that were asked for, as Dask tasks, until nothing is left.

Runs in a process of its own. What is done survives in files and rows, so a
recorder that dies loses at most the sessions under way, and the next one goes
on from there.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Any

from distributed import Client

from thinlab.clips import wav
from thinlab.clips.manifest import Clips
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.database.engine import Database
from thinlab.database.loss import is_database_loss
from thinlab.lab.team import Workers, dask_client
from thinlab.lab.worker import describe_host
from thinlab.recording import queue, registry, trial_recordings, worker
from thinlab.recording.predictor import Predictor
from thinlab.recording.queue import Job
from thinlab.recording.store import Host, Made, RecordingStore, Sheet, StoreError
from thinlab.recording.trouble import Trouble, trouble_of
from thinlab.recording.worker import Order, Outcome
from thinlab.study import catalogue

log = logging.getLogger(__name__)

# How often newly asked jobs are looked for, and shares are told, while others are made.
LOOK_EVERY_S = 0.3
WORKERS_PATIENCE_S = 60.0


class NoWorkersError(Exception):
    """Nobody is there to make recordings."""


class Recorder:
    """Makes what the database asks for. One at a time in an installation: see `alone`."""

    def __init__(
        self,
        database: Database,
        clips: Clips,
        store: RecordingStore,
        workers: Workers,
        *,
        predictions: bool = True,
    ) -> None:
        self._database = database
        self._clips = clips
        self._store = store
        self._workers = workers
        self._predictions = predictions

    async def make_all(self) -> None:
        """Returns when no job is open. Raises the database's errors."""
        async with self._database.transaction() as session:
            await queue.take_back(session)
            # What one that died had entered and not put to use.
            for study in await catalogue.all_current(session):
                await trial_recordings.supply(session, study, self._clips, self._store)
            unheard = self._predictions and await registry.unpredicted(session)
            if not await queue.all_open(session) and not unheard:
                return
        try:
            async with dask_client(self._workers) as client:
                host = await self._host(client)
                predictor = Predictor(
                    self._database,
                    self._clips,
                    self._store,
                    client,
                    local=self._workers.scheduler is None,
                )
                crew = _Crew(
                    self._database,
                    self._clips,
                    self._store,
                    client,
                    predictor if self._predictions else None,
                )
                await crew.work(self._workers.lab, host)
        except Exception as error:
            if is_database_loss(error):
                raise
            log.exception("no recording can be made")
            async with self._database.transaction() as session:
                await queue.fail_all_open(session, _no_crew(error, self._workers))

    async def _host(self, client: Client) -> Host:
        """Which host the recordings are made on. Raises what asking it raises."""
        try:
            # Typed for clients that are not asynchronous.
            await client.wait_for_workers(1, timeout=WORKERS_PATIENCE_S)  # type: ignore[func-returns-value, misc]
        except TimeoutError as error:
            raise NoWorkersError(
                f"the Dask scheduler at {self._workers.scheduler} has no workers"
            ) from error
        described = await client.submit(describe_host, self._workers.lab, pure=False)
        host = pb.HostDescription.FromString(described)
        return Host(
            build=host.build,
            agent_version=host.agent_version,
            kernel_release=host.kernel_release,
        )


def _no_crew(error: BaseException, workers: Workers) -> Trouble:
    if workers.scheduler is not None and isinstance(error, OSError | NoWorkersError):
        return Trouble(
            str(error) or f"nothing answers at {workers.scheduler}",
            "Start a Dask scheduler and workers there, or unset THINLAB_DASK_SCHEDULER and start "
            "again to record on this machine. Then press Record again.",
        )
    return trouble_of(error)


@dataclass
class _Crew:
    """The jobs under way on one cluster."""

    database: Database
    clips: Clips
    store: RecordingStore
    client: Client
    predictor: Predictor | None
    shares: dict[int, float] = field(default_factory=dict)

    async def work(self, lab: str | None, host: Host) -> None:
        """Keeps every worker busy until no job is open."""
        self.client.subscribe_topic(worker.PROGRESS_TOPIC, self._hear)
        recording: set[asyncio.Task[None]] = set()
        predicting: set[asyncio.Task[None]] = set()
        try:
            while True:
                room = max(1, sum((await self.client.ncores()).values()))
                while len(recording) < room and (next_one := await self._take()) is not None:
                    recording.add(asyncio.create_task(self._one(next_one, lab, host)))
                # Takes longer than to record: nothing else is under way, and one worker stays free.
                while self.predictor and not recording and len(predicting) < max(1, room - 1):
                    unheard = await self.predictor.next()
                    if unheard is None:
                        break
                    predicting.add(asyncio.create_task(self.predictor.predict(unheard)))
                if not recording | predicting:
                    return
                done, _ = await asyncio.wait(
                    recording | predicting,
                    timeout=LOOK_EVERY_S,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                for one in done:
                    one.result()
                recording -= done
                predicting -= done
                await self._tell_shares()
        finally:
            for one in recording | predicting:
                one.cancel()

    async def _take(self) -> Job | None:
        async with self.database.transaction() as session:
            return await queue.take(session)

    async def _hear(self, event: tuple[object, dict[str, Any]]) -> None:
        _, told = event
        self.shares[told["job"]] = told["share"]

    async def _tell_shares(self) -> None:
        shares, self.shares = self.shares, {}
        if shares:
            async with self.database.transaction() as session:
                await queue.tell_shares(session, shares)

    async def _one(self, one: Job, lab: str | None, host: Host) -> None:
        """One job to its end. Raises the database's errors; all others are told."""
        try:
            await self._make(one, lab, host)
        except Exception as error:
            if is_database_loss(error):
                raise
            log.exception("recording %s of %s failed", one.id, one.spec.clip)
            await self._fail(one, trouble_of(error))

    async def _make(self, one: Job, lab: str | None, host: Host) -> None:
        key = one.spec.key(host.build)
        sheet = await asyncio.to_thread(self.store.read_sheet, key)
        if sheet is None:
            samples = await asyncio.to_thread(self.clips.samples, one.spec.clip)
            outcome: Outcome = await self.client.submit(
                worker.make_recording, Order(one.id, one.spec, samples), lab, host, pure=False
            )
            if outcome.made is None:
                await self._fail(one, outcome.trouble or Trouble("", ""))
                return
            sheet = await self._write(key, outcome.made)
        await self._enter(one, key, sheet)

    async def _write(self, key: str, made: Made) -> Sheet:
        # Before anything is written: another recording must not lie under a known key.
        async with self.database.transaction() as session:
            await registry.refuse_other_audio(session, key, wav.sha256(made.samples))
        try:
            return await asyncio.to_thread(self.store.write, key, made)
        except OSError as error:
            raise StoreError(f"{self.store.folder}: {error.strerror}") from error

    async def _enter(self, one: Job, key: str, sheet: Sheet) -> None:
        async with self.database.transaction() as session:
            recording_id = await registry.enter(session, key, one.spec, sheet)
            await queue.finish(session, one.id, recording_id)
        async with self.database.transaction() as session:
            for study in await catalogue.all_current(session):
                await trial_recordings.supply(session, study, self.clips, self.store, one.spec)

    async def _fail(self, one: Job, trouble: Trouble) -> None:
        log.error("recording %s of %s failed: %s", one.id, one.spec.clip, trouble.problem)
        async with self.database.transaction() as session:
            await queue.fail(session, one.id, trouble)
