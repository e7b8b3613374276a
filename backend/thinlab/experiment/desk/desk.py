"""What the researcher's pages ask of experiments: lists, reports, cells, sessions made again.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import os
import shutil
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from thinlab.experiment import run_state
from thinlab.experiment.desk.digest import (
    CELLS,
    DIGEST,
    CellEntry,
    Cells,
    Digest,
    SessionEntry,
    SessionMade,
    read,
)
from thinlab.experiment.desk.errands import ErrandError, Errands
from thinlab.experiment.desk.places import Places, is_key
from thinlab.private_folder import private_folder

log = logging.getLogger(__name__)

LOOK_LIMIT_S = 600.0
# One for all there is, and one for what is run meanwhile.
LOOKS_AT_ONCE = 2
REPORT_LIMIT_S = 600.0
SESSION_LIMIT_S = 900.0
# All sessions that are kept together; the one that was used longest ago goes first.
KEPT_BYTES = 1 << 30
# A session of the longest stream leaves hundreds of megabytes.
FREE_BYTES = 1 << 29
MOST_WAITING = 12
# A report that could not be drawn: what was in the way may be gone.
TRIED_AGAIN_S = 30.0
REMEMBERED = 100
CELLS_REMEMBERED = 4
MADE = "made.json"

FULL_DISK = (
    "There is too little room on the disk of Thinlab's data. Make room, and ask again: sessions "
    "that were made again may be deleted at any time."
)


class NotThereError(Exception):
    """There is no such experiment, cell, session or file."""


class BusyDeskError(Exception):
    """So many sessions are waited for that another would wait too long."""


@dataclass(frozen=True)
class Looked:
    """An experiment, as far as is known of it."""

    name: str
    shipped: bool
    run: run_state.Seen | None
    digest: Digest | None
    """None: it is being read."""
    problem: str | None
    """Why it could not be read."""


@dataclass(frozen=True)
class _Stale:
    """What of an experiment has to be read anew."""

    stamp: str
    written_ns: int


@dataclass(frozen=True)
class _Tried:
    """What of an experiment was read, or why it could not be."""

    stamp: str
    problem: str


@dataclass
class Job:
    """Something that is being made, or was tried."""

    problem: str | None = None
    under_way: bool = False
    ended_s: float = 0.0
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def is_open(self) -> bool:
        """Whether it waits or is being made."""
        return self.task is not None and not self.task.done()


class ExperimentDesk:
    """Of one server."""

    def __init__(
        self,
        places: Places,
        errands: Errands | None = None,
        *,
        kept_bytes: int = KEPT_BYTES,
        free_bytes: int = FREE_BYTES,
    ) -> None:
        self.places = places
        self._errands = errands or Errands(places.build)
        self._kept_bytes = kept_bytes
        self._free_bytes = free_bytes
        self._looking: set[asyncio.Task[None]] = set()
        self._began_ns = 0
        """When the last of these did."""
        self._looked: dict[str, _Tried] = {}
        self._reports: OrderedDict[str, Job] = OrderedDict()
        self._sessions: OrderedDict[str, Job] = OrderedDict()
        self._drawing = asyncio.Lock()
        self._making = asyncio.Lock()
        self._cells: OrderedDict[str, Cells] = OrderedDict()

    async def close(self) -> None:
        """Ends what is under way."""
        jobs = (*self._reports.values(), *self._sessions.values())
        tasks = [*self._looking, *(job.task for job in jobs if job.task is not None)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Lists

    async def all(self) -> list[Looked]:
        """Every experiment; those that have changed are read meanwhile."""
        found, stale = await asyncio.to_thread(self._read_all)
        self._have_read(stale)
        return found

    async def one(self, name: str) -> Looked:
        """One experiment. Raises `NotThereError`."""
        looked, stale = await asyncio.to_thread(self._read_one, name)
        self._have_read(stale)
        return looked

    @property
    def is_looking(self) -> bool:
        """Whether experiments are being read."""
        return bool(self._looking)

    def _read_all(self) -> tuple[list[Looked], dict[str, _Stale]]:
        found: list[Looked] = []
        stale: dict[str, _Stale] = {}
        for name in self.places.names():
            looked, older = self._read(name)
            found.append(looked)
            stale |= older
        return found, stale

    def _read_one(self, name: str) -> tuple[Looked, dict[str, _Stale]]:
        if not self.places.is_known(name):
            raise NotThereError
        return self._read(name)

    def _read(self, name: str) -> tuple[Looked, dict[str, _Stale]]:
        """An experiment, and what of it has to be read anew."""
        places = self.places
        stamp = places.stamp(name)
        digest = read(places.digest_folder(name) / DIGEST, Digest)
        current = digest if digest is not None and digest.stamp == stamp else None
        # What was looked at in vain is not looked at again before it changes.
        tried = self._looked.get(name)
        in_vain = tried if current is None and tried is not None and tried.stamp == stamp else None
        stale = {}
        if current is None and in_vain is None:
            stale[name] = _Stale(stamp, places.written_ns(name))
        run = run_state.seen(places.results_of(name))
        problem = in_vain.problem if in_vain else None
        return Looked(name, places.is_shipped(name), run, current, problem), stale

    def _have_read(self, stale: dict[str, _Stale]) -> None:
        # Some may have been looked at since it was found out that they have changed.
        left = {
            name: one
            for name, one in stale.items()
            if name not in self._looked or self._looked[name].stamp != one.stamp
        }
        since_ns = 0
        if self.is_looking:
            # Whoever has just run one looks for it, and what is being read may take a minute.
            since_ns = self._began_ns
            left = {name: one for name, one in left.items() if one.written_ns >= since_ns}
        if left and len(self._looking) < LOOKS_AT_ONCE:
            self._began_ns = time.time_ns()
            task = asyncio.create_task(self._look(left, since_ns))
            self._looking.add(task)
            task.add_done_callback(self._looking.discard)

    async def _look(self, stale: dict[str, _Stale], since_ns: int) -> None:
        problem = "It could not be read."
        try:
            await asyncio.to_thread(private_folder, self.places.own)
            await self._errands.run("look", str(since_ns), limit_s=LOOK_LIMIT_S)
        except (ErrandError, OSError) as error:
            problem += f" {error}"
            log.warning("experiments could not be read: %s", error)
        self._looked |= {name: _Tried(one.stamp, problem) for name, one in stale.items()}

    # Reports

    async def report_state(self, looked: Looked) -> Job | None:
        """None: it is there; else what is being done, which begins now. For results only."""
        digest = looked.digest
        if digest is None or digest.results is None:
            raise NotThereError
        file = self.places.report_file(looked.name, digest.stamp)
        if await asyncio.to_thread(file.is_file):
            return None
        key = f"{looked.name} {digest.stamp}"
        job = self._reports.get(key)
        if job is None or (not job.is_open and job.ended_s + TRIED_AGAIN_S < time.monotonic()):
            job = _remembered(self._reports, key)
            job.task = asyncio.create_task(self._draw(job, looked.name, digest.stamp))
        return job

    async def report(self, name: str) -> Path:
        """The file of an experiment's report, once it is there.

        Raises `NotThereError`, `ErrandError`.
        """
        looked = await self.one(name)
        job = await self.report_state(looked)
        if job is not None and job.task is not None:
            await asyncio.wait([job.task])
            if job.problem is not None:
                raise ErrandError(job.problem)
        if looked.digest is None:
            raise NotThereError
        return self.places.report_file(name, looked.digest.stamp)

    async def _draw(self, job: Job, name: str, stamp: str) -> None:
        async with self._drawing:
            job.under_way = True
            try:
                await self._errands.run("report", name, stamp, limit_s=REPORT_LIMIT_S)
            except (ErrandError, OSError) as error:
                job.problem = str(error)
                log.warning("no report of experiment %s: %s", name, error)
            finally:
                job.under_way = False
                job.ended_s = time.monotonic()

    # Cells and sessions

    async def cells(self, name: str) -> Cells:
        """The cells of an experiment that have sessions. Raises `NotThereError`."""
        looked = await self.one(name)
        if looked.digest is None or looked.digest.results is None:
            raise NotThereError
        stamp = looked.digest.stamp
        known = self._cells.get(name)
        if known is None or known.stamp != stamp:
            file = self.places.digest_folder(name) / CELLS
            known = await asyncio.to_thread(read, file, Cells)
            if known is None or known.stamp != stamp:
                raise NotThereError
            self._cells[name] = known
            while len(self._cells) > CELLS_REMEMBERED:
                self._cells.popitem(last=False)
        return known

    async def session(self, name: str, key: str) -> tuple[Cells, CellEntry, SessionEntry]:
        """One session, and its cell. Raises `NotThereError`."""
        cells = await self.cells(name)
        for cell in cells.cells:
            for entry in cell.sessions:
                if entry.key == key:
                    return cells, cell, entry
        raise NotThereError

    async def made(self, key: str) -> tuple[SessionMade | None, Job | None]:
        """What there is of a session that was made again, and what is being done for it."""
        return await asyncio.to_thread(self._made, key), self._sessions.get(key)

    async def make(self, name: str, key: str) -> None:
        """Has a session made again, unless it is there or somebody has asked already.

        Raises `NotThereError`, `BusyDeskError`.
        """
        await self.session(name, key)
        if await asyncio.to_thread(self._made, key) is not None:
            return
        known = self._sessions.get(key)
        if known is not None and known.is_open:
            return
        if sum(job.is_open for job in self._sessions.values()) >= MOST_WAITING:
            raise BusyDeskError
        job = _remembered(self._sessions, key)
        job.task = asyncio.create_task(self._make(job, name, key))

    async def file(self, name: str, key: str, file: str) -> Path:
        """A file of a session that was made again; `file` is our own word.

        Raises `NotThereError`.
        """
        await self.session(name, key)
        path = self.places.sessions / key / file
        if not await asyncio.to_thread(self._in_use, key, path):
            raise NotThereError
        return path

    async def _make(self, job: Job, name: str, key: str) -> None:
        async with self._making:
            job.under_way = True
            try:
                await asyncio.to_thread(self._make_room)
                await self._errands.run("session", name, key, limit_s=SESSION_LIMIT_S)
                await asyncio.to_thread(self._drop_oldest, key)
            except (ErrandError, OSError) as error:
                job.problem = str(error)
                log.warning("session %s of experiment %s: %s", key, name, error)
            finally:
                job.under_way = False

    def _made(self, key: str) -> SessionMade | None:
        return read(self.places.sessions / key / MADE, SessionMade) if is_key(key) else None

    def _in_use(self, key: str, path: Path) -> bool:
        with suppress(OSError):
            os.utime(self.places.sessions / key / MADE)
        return path.is_file()

    def _make_room(self) -> None:
        """Before a session is made. Raises `ErrandError`."""
        folder = private_folder(self.places.sessions)
        # One at a time: what is half made is of an errand that was killed.
        for left in folder.glob(".new-*"):
            shutil.rmtree(left, ignore_errors=True)
        self._drop_oldest(None)
        for _, _, oldest in sorted(self._kept()):
            if shutil.disk_usage(folder).free >= self._free_bytes:
                break
            shutil.rmtree(oldest, ignore_errors=True)
        if shutil.disk_usage(folder).free < self._free_bytes:
            raise ErrandError(FULL_DISK)

    def _drop_oldest(self, spared: str | None) -> None:
        """Until no more is kept than may be."""
        kept = sorted(self._kept(), reverse=True)
        used = 0
        for _, size, folder in kept:
            used += size
            if used > self._kept_bytes and folder.name != spared:
                shutil.rmtree(folder, ignore_errors=True)
                used -= size

    def _kept(self) -> Iterator[tuple[float, int, Path]]:
        """When each was used last, its size, its folder."""
        for folder in self.places.sessions.iterdir() if self.places.sessions.is_dir() else ():
            if not is_key(folder.name):
                continue
            try:
                used_s = (folder / MADE).stat().st_mtime
            except OSError:
                used_s = 0.0
            files = [file for file in folder.iterdir() if file.is_file()]
            yield used_s, sum(file.stat().st_size for file in files), folder


def _remembered(jobs: "OrderedDict[str, Job]", key: str) -> Job:
    """A new one; of those that are over, the oldest are forgotten."""
    jobs.pop(key, None)
    job = jobs[key] = Job()
    over = [name for name, one in jobs.items() if one is not job and not one.is_open]
    for name in over[: max(len(jobs) - REMEMBERED, 0)]:
        del jobs[name]
    return job
