"""Keeps every study supplied with recordings: finds what is missing and makes it.

Runs beside the routes. What is done survives in files and rows, so a recorder
that dies loses at most the sessions under way.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass

from thinlab.database.engine import Database
from thinlab.lab.agent import Agent
from thinlab.recording import making, shelf
from thinlab.recording.clips import Clips
from thinlab.recording.condition import RecordingSpec
from thinlab.recording.store import Host, RecordingStore, Sheet
from thinlab.study.catalogue import StoredStudy
from thinlab.study.trial import Trial, member_conditions, runs_of, seeds_of

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Slot:
    """A trial's member, in one version of a study."""

    study_id: int
    trial_id: str
    run: int
    member: str


@dataclass
class Work:
    """Where a slot's recording is on its way."""

    share: float = 0.0
    done: bool = False
    problem: str | None = None


Listener = Callable[["Recorder"], None]


class Recorder:
    """Makes recordings, as many at once as there are processors."""

    def __init__(
        self,
        database: Database,
        agent: Agent,
        clips: Clips,
        store: RecordingStore,
        *,
        listener: Listener | None = None,
    ) -> None:
        self._database = database
        self._agent = agent
        self._clips = clips
        self._store = store
        self._listener = listener or (lambda _: None)
        self._at_once = asyncio.Semaphore(os.cpu_count() or 1)
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._made: dict[str, asyncio.Task[Sheet]] = {}
        self.work: dict[Slot, Work] = {}
        self.sessions = 0
        """Sessions asked of the agent: none when all that is wanted was kept."""

    async def ask(self, study: StoredStudy) -> int:
        """Starts making what the study lacks; returns how many recordings are on their way."""
        running = self._tasks.get(study.id)
        if running is None or running.done():
            for trial in study.definition.trials:
                for run in range(runs_of(trial)):
                    for member, _ in self._specs(trial, study, run):
                        self.work[Slot(study.id, trial.id, run, member)] = Work()
            self._tasks[study.id] = asyncio.create_task(self._supply(study))
        return sum(not self.work[slot].done for slot in self.work if slot.study_id == study.id)

    def is_making(self, study: StoredStudy) -> bool:
        """Whether recordings of this study are on their way."""
        task = self._tasks.get(study.id)
        return task is not None and not task.done()

    def on_the_way(
        self, study: StoredStudy, trial_id: str, member: str
    ) -> tuple[float, str | None]:
        """Share done and problem of one member's recording."""
        work = self.work.get(Slot(study.id, trial_id, 0, member), Work())
        return work.share, work.problem

    async def wait(self, study: StoredStudy) -> None:
        """Returns once the study's recordings are made or have failed."""
        task = self._tasks.get(study.id)
        if task is not None:
            await asyncio.wait([task])

    async def close(self) -> None:
        """Stops; sessions under way are lost and made again next time."""
        tasks = [*self._tasks.values(), *self._made.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _specs(self, trial: Trial, study: StoredStudy, run: int) -> list[tuple[str, RecordingSpec]]:
        return [
            (
                member,
                RecordingSpec(
                    clip=trial.clip,
                    clip_sha256=self._clips.manifest[trial.clip].sha256,
                    condition=study.definition.conditions[condition],
                    seed=seed,
                ),
            )
            for member, condition, seed in zip(
                "ab", member_conditions(trial), seeds_of(trial, run), strict=False
            )
        ]

    async def _supply(self, study: StoredStudy) -> None:
        slots = [slot for slot in self.work if slot.study_id == study.id]
        try:
            host = await making.host_of(self._agent)
        except Exception as error:  # noqa: BLE001 (told to the researcher, not lost)
            for slot in slots:
                self._fail(slot, error)
            return
        async with asyncio.TaskGroup() as trials:
            for trial in study.definition.trials:
                for run in range(runs_of(trial)):
                    trials.create_task(self._supply_trial(study, trial, run, host))

    async def _supply_trial(self, study: StoredStudy, trial: Trial, run: int, host: Host) -> None:
        specs = self._specs(trial, study, run)
        slots = [Slot(study.id, trial.id, run, member) for member, _ in specs]
        results = await asyncio.gather(
            *(self._one(slot, spec, host) for slot, (_, spec) in zip(slots, specs, strict=True)),
            return_exceptions=True,
        )
        failures = [result for result in results if isinstance(result, BaseException)]
        for slot, result in zip(slots, results, strict=True):
            if isinstance(result, BaseException):
                self._fail(slot, result)
        if failures:
            return
        try:
            keys = {member: spec.key(host.build) for member, spec in specs}
            async with self._database.transaction() as session:
                await shelf.use(session, study.id, trial.id, run, keys)
        except Exception as error:  # noqa: BLE001 (told to the researcher, not lost)
            for slot in slots:
                self._fail(slot, error)
            return
        for slot in slots:
            self.work[slot].done = True
        self._listener(self)

    async def _one(self, slot: Slot, spec: RecordingSpec, host: Host) -> None:
        """The recording of one slot, stored; two slots that ask for the same share it."""

        def progress(share: float) -> None:
            self.work[slot].share = share
            self._listener(self)

        key = spec.key(host.build)
        task = self._made.get(key)
        if task is None:
            task = asyncio.create_task(self._make(key, spec, host, progress))
            self._made[key] = task
            task.add_done_callback(lambda _: self._made.pop(key, None))
        sheet = await asyncio.shield(task)
        async with self._database.transaction() as session:
            await shelf.enter(session, key, spec, sheet)
        progress(1.0)

    async def _make(
        self, key: str, spec: RecordingSpec, host: Host, progress: Callable[[float], None]
    ) -> Sheet:
        kept = await asyncio.to_thread(self._store.read_sheet, key)
        if kept is not None:
            return kept
        self.sessions += 1
        async with self._at_once:
            progress(0.0)
            samples = await asyncio.to_thread(self._clips.samples, spec.clip)
            made = await making.make(self._agent, host, spec, samples, progress)
            return await asyncio.to_thread(self._store.write, key, made)

    def _fail(self, slot: Slot, error: BaseException) -> None:
        log.error("recording %s/%s failed: %s", slot.trial_id, slot.member, error)
        self.work[slot].problem = str(error) or type(error).__name__
        self.work[slot].done = True
        self._listener(self)
