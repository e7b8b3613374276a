"""Looks at the installation every few seconds and keeps what it saw, so that asking costs nothing.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.backup.last import last_backup
from thinlab.database.engine import Database
from thinlab.database.loss import is_database_loss
from thinlab.database.schema import Participant, RecordingJob, TypingSession, Vote
from thinlab.health.figures import (
    Disk,
    Figures,
    GuestWall,
    LiveHostFigures,
    Punctuality,
    Stored,
    TypingRoom,
)
from thinlab.lab.live_hosts import LiveHost, LiveHosts
from thinlab.live.host_waits import BY_HOST
from thinlab.live.pulse import Pulse

log = logging.getLogger(__name__)

LOOK_EVERY_S = 15.0
PATIENCE_S = 5.0
PRESENT = timedelta(minutes=5)


@dataclass(frozen=True)
class Seen:
    """What the watch looks at."""

    database: Database
    data: Path
    recordings: Path
    hosts: LiveHosts
    demos: Callable[[], int]
    links: Callable[[], int]
    pulse: Pulse
    turned_away: Callable[[], int]


class Watch:
    """The last look."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._looked_us = 0
        self._last: Figures | None = None

    @property
    def figures(self) -> Figures | None:
        """As they were last looked at, but for what is known at every moment."""
        return None if self._last is None else replace(self._last, room=self._room())

    async def keep(self) -> None:
        """Looks again and again, until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_EVERY_S)

    async def look(self) -> Figures:
        """Looks once."""
        seen = self._seen
        late_s = self._late_s()
        backup = await asyncio.to_thread(last_backup, seen.data)
        self._last = Figures(
            looked_at=datetime.now(UTC),
            stored=await self._stored(),
            disks=await asyncio.to_thread(self._disks),
            live_hosts=[
                LiveHostFigures(host.problem, host.sessions, _wall(host))
                for host in seen.hosts.known()
            ],
            live_problem=seen.hosts.problem,
            demos=seen.demos(),
            links=seen.links(),
            loop_late_s=late_s,
            room=self._room(),
            backup_at=None if backup is None else backup.made_at,
            backup_bytes=None if backup is None else backup.size_bytes,
        )
        return self._last

    def _late_s(self) -> float:
        """Of the standstills since it was last asked, the longest."""
        since_us, self._looked_us = self._looked_us, time.time_ns() // 1000
        lately = (one for one in self._seen.pulse.standstills if one.ended_us > since_us)
        return max((one.ended_us - one.began_us for one in lately), default=0) / 1e6

    def _room(self) -> TypingRoom:
        pulse = self._seen.pulse
        return TypingRoom(
            behind_ms=pulse.behind_ms,
            limit_ms=pulse.limit_ms,
            has_room=pulse.has_room,
            held=pulse.held,
            holds=pulse.holds,
            turned_away=self._seen.turned_away(),
        )

    def _disks(self) -> dict[str, Disk]:
        found = {}
        for name, folder in {"data": self._seen.data, "recordings": self._seen.recordings}.items():
            there = next(one for one in (folder, *folder.parents) if one.is_dir())
            usage = shutil.disk_usage(there)
            found[name] = Disk(usage.free, usage.total)
        return found

    async def _stored(self) -> Stored | None:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(PATIENCE_S):
                began = loop.time()
                async with self._seen.database.transaction() as session:
                    await session.scalar(select(1))
                    answered_in_s = loop.time() - began
                    return await _counted(session, answered_in_s)
        except Exception as error:
            if not is_database_loss(error):
                log.exception("the database could not be looked at")
            return None


async def _counted(session: AsyncSession, answered_in_s: float) -> Stored:
    jobs = await session.execute(
        select(RecordingJob.state, func.count().label("jobs")).group_by(RecordingJob.state)
    )
    lately = TypingSession.ended_at > func.now() - timedelta(hours=1)
    measured = TypingSession.emulator_trustworthy.is_not(None)
    late = TypingSession.emulator_trustworthy.is_(False)
    by_hosts = TypingSession.reason.in_(BY_HOST)
    row = (
        await session.execute(
            select(
                func.count().filter(measured),
                func.count().filter(late),
                func.count().filter(by_hosts),
            ).where(lately)
        )
    ).one()
    present = Participant.last_seen_at > func.now() - PRESENT
    return Stored(
        answered_in_s=answered_in_s,
        jobs={row.state: row.jobs for row in jobs},
        votes=await session.scalar(select(func.count()).select_from(Vote)) or 0,
        present=await session.scalar(select(func.count()).select_from(Participant).where(present))
        or 0,
        punctuality=Punctuality(*row),
    )


def _wall(host: LiveHost) -> GuestWall | None:
    if host.description is None or not host.description.HasField("guest_wall"):
        return None
    wall = host.description.guest_wall
    return GuestWall(wall.landlock_version, wall.seccomp)
