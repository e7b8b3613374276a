"""Who talks to whom: new transports to their links, links to their sessions, one a participant.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from thinlab.live.connection import Connection
from thinlab.live.connection_check import ConnectionCheck
from thinlab.live.desk import Caption, Desk, RefusedError, TypingJob, refused
from thinlab.live.messages import (
    Hello,
    LinkPurpose,
    RefusalCode,
    SessionStageName,
    StageReason,
    Verdict,
)
from thinlab.live.newcomer import Newcomer
from thinlab.live.pulse import Pulse
from thinlab.live.record import SessionRecord
from thinlab.live.session import TypingSession, VoidedError
from thinlab.live.starts import Starts
from thinlab.live.transport import Transport

if TYPE_CHECKING:
    from uuid import UUID

log = logging.getLogger(__name__)

# Each adds what it adds only some seconds later: more come in when these have shown what they take.
MOST_PREPARING = 8
UNDER_WAY = {SessionStageName.PREPARING, SessionStageName.READY}
# For what is under way at the end to be entered as void; the next start enters what is not.
CLOSING_PATIENCE_S = 2.0


@dataclass(frozen=True)
class RunningSession:
    """A session under way, as the researcher may see it: never its condition."""

    caption: Caption
    since: datetime
    stage: SessionStageName
    transport: str | None
    link_rtt_ms: float | None
    link_jitter_ms: float | None
    keys: int
    reconnects: int


@dataclass
class _Running:
    session: TypingSession
    job: TypingJob
    since: datetime
    task: asyncio.Task[None] | None = None


def _seen(one: _Running) -> RunningSession:
    meter = one.session.record.meter
    found = meter.found()
    return RunningSession(
        caption=one.job.caption,
        since=one.since,
        stage=one.session.stage,
        transport=one.session.connection.kind,
        link_rtt_ms=meter.recent_rtt_ms(),
        link_jitter_ms=found.jitter_ms if found else None,
        keys=one.session.record.keys_pressed,
        reconnects=one.session.connection.reconnects,
    )


@dataclass(frozen=True)
class _Line:
    """A link and whose it is."""

    connection: Connection
    owner: tuple[str, LinkPurpose, str | None]


class Switchboard:
    """All links and sessions of this process."""

    def __init__(self, desk: Desk, pulse: Pulse) -> None:
        self._desk = desk
        self._starts = Starts()
        self._pulse = pulse
        self._lines: dict[UUID, _Line] = {}
        self._running: dict[int, _Running] = {}
        self._checks: dict[int, tuple[Connection, asyncio.Task[None]]] = {}
        self._link_locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self._participant_locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.turned_away = 0
        """How often somebody was told that there is no room, so far."""

    def welcome(self, transport: Transport) -> None:
        """A transport was opened by somebody who has yet to say hello."""
        Newcomer(transport, self.admit)

    @property
    def links(self) -> int:
        """How many are open."""
        return len(self._lines)

    def running(self) -> list[RunningSession]:
        """The sessions under way."""
        return [_seen(one) for one in self._running.values()]

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs something beside the transports."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def admit(self, hello: Hello, newcomer: Newcomer) -> None:
        """Attaches a transport to its link, old or new. Raises `RefusedError`."""
        # As a task of ours: whoever is being let in at the end is waited for.
        await self.spawn(self._admit(hello, newcomer))

    async def _admit(self, hello: Hello, newcomer: Newcomer) -> None:
        self._refuse_at_the_end()
        lock = self._link_locks.setdefault(hello.link_id, asyncio.Lock())
        async with lock:
            line = self._lines.get(hello.link_id)
            owner = (hello.participant_token, hello.purpose, hello.session_token)
            if line is not None and not line.connection.closed:
                if line.owner != owner:
                    raise RefusedError(RefusalCode.UNKNOWN_SESSION)
                newcomer.join(line.connection)
                return
            if hello.resumes:
                raise RefusedError(RefusalCode.LINK_LOST)
            participant_id = await self._desk.participant_of(hello.participant_token)
            connection = Connection(hello.link_id, on_close=self._forget)
            try:
                if hello.purpose is LinkPurpose.CHECK:
                    await self._desk.may_check(participant_id)
                    self._refuse_at_the_end()
                    self._begin_check(participant_id, connection)
                    newcomer.join(connection)
                else:
                    await self._type(hello, participant_id, connection, newcomer)
            except BaseException:
                connection.close()
                raise
            self._lines[hello.link_id] = _Line(connection, owner)

    def _forget(self, connection: Connection) -> None:
        self._lines.pop(connection.link_id, None)

    async def _type(
        self, hello: Hello, participant_id: int, connection: Connection, newcomer: Newcomer
    ) -> None:
        async with self._lock_of(participant_id):
            before = self._running.get(participant_id)
            if before is not None and before.session.stage in UNDER_WAY:
                before.session.void(StageReason.TAKEN_OVER)
            if before is not None and before.task is not None:
                await asyncio.wait([before.task])
            # Waiting may have taken long: no host is held for nobody.
            self._refuse_where_gone(connection, newcomer)
            self._refuse_at_the_end()
            self._refuse_without_room()
            if not self._starts.may_begin(participant_id, newcomer.caller):
                raise RefusedError(RefusalCode.UNAVAILABLE)
            job = await self._desk.begin(hello, participant_id)
            try:
                self._refuse_where_gone(connection, newcomer)
                self._refuse_at_the_end()
            except RefusedError:
                # Nothing said over a closed link arrives, and nobody would end the session.
                reason = StageReason.HOST_LOST if self._closing else StageReason.LINK_AWAY
                try:
                    await self._void(job, reason, SessionRecord(connection.meter))
                finally:
                    job.left()
                raise
            session = TypingSession(job.terminal(), connection, job.limits)
            session.hold(self._pulse.held)
            self._pulse.listeners.add(session.hold)
            running = _Running(session, job, datetime.now(UTC))
            self._running[participant_id] = running
            running.task = self.spawn(self._run(participant_id, running))
            newcomer.join(connection)

    def _lock_of(self, participant_id: int) -> asyncio.Lock:
        return self._participant_locks.setdefault(participant_id, asyncio.Lock())

    def _refuse_where_gone(self, connection: Connection, newcomer: Newcomer) -> None:
        if newcomer.gone or connection.closed:
            raise RefusedError(RefusalCode.LINK_LOST)

    def _refuse_at_the_end(self) -> None:
        if self._closing:
            raise RefusedError(RefusalCode.UNAVAILABLE)

    def _refuse_without_room(self) -> None:
        stages = [one.session.stage for one in self._running.values()]
        preparing = stages.count(SessionStageName.PREPARING)
        if preparing >= MOST_PREPARING or not self._pulse.has_room:
            self.turned_away += 1
            raise RefusedError(RefusalCode.BUSY)

    async def _run(self, participant_id: int, running: _Running) -> None:
        session, job = running.session, running.job
        try:
            try:
                record = await session.run()
                await job.store(record, session.end)
                session.conclude(SessionStageName.ENDED, session.end)
            except VoidedError as voided:
                await self._void(job, voided.reason, session.record)
                session.conclude(SessionStageName.VOID, voided.reason)
            except Exception:
                log.exception("a typing session could not be kept")
                await self._void(job, StageReason.BROKEN, session.record)
                session.conclude(SessionStageName.VOID, StageReason.BROKEN)
        finally:
            self._pulse.listeners.discard(session.hold)
            job.left()
            if self._running.get(participant_id) is running:
                del self._running[participant_id]

    async def _void(self, job: TypingJob, reason: StageReason, record: SessionRecord) -> None:
        try:
            await job.void(reason, record)
        except Exception:
            # The place's next attempt, or the next start, makes it void.
            log.exception("a void session could not be entered")

    def _begin_check(self, participant_id: int, connection: Connection) -> None:
        """One a participant: who asks again has left the one before, or would flood us."""
        if participant_id in self._checks:
            before, task = self._checks[participant_id]
            task.cancel()
            before.refuse(refused(RefusalCode.TAKEN_OVER))
        task = self.spawn(self._check(participant_id, connection))
        self._checks[participant_id] = connection, task

    async def _check(self, participant_id: int, connection: Connection) -> None:
        try:
            found = await ConnectionCheck(connection).run()
            if found is None or connection.kind is None:
                return
            result = await self._desk.checked(participant_id, connection.kind, found)
            connection.send(
                Verdict(
                    type="verdict",
                    rtt_ms=round(found.rtt_p50_ms, 1),
                    jitter_ms=round(found.jitter_ms, 1),
                    lost_share=round(found.lost_share, 4),
                    good=result.good,
                    remedy=result.remedy,
                )
            )
            connection.leave()
        except RefusedError as error:
            connection.refuse(error.refused)
        except Exception:
            log.exception("a connection check could not be kept")
            connection.refuse(refused(RefusalCode.UNAVAILABLE))
        finally:
            if self._checks.get(participant_id, (None,))[0] is connection:
                del self._checks[participant_id]

    @asynccontextmanager
    async def leaving(self, participant_id: int) -> AsyncIterator[None]:
        """A participant leaves the study: their session has ended, and meanwhile none begins."""
        # One that is just beginning is not seen yet: it is waited for.
        async with self._lock_of(participant_id):
            running = self._running.get(participant_id)
            if running is not None and running.task is not None:
                running.session.void(StageReason.BROKEN)
                running.session.connection.refuse(refused(RefusalCode.WITHDRAWN))
                await asyncio.wait([running.task])
            yield

    async def close(self) -> None:
        """Ends everything; sessions under way are void. Nobody is let in any more."""
        self._closing = True
        for running in self._running.values():
            running.session.void(StageReason.HOST_LOST)
        if self._tasks:
            await asyncio.wait(list(self._tasks), timeout=CLOSING_PATIENCE_S)
        for line in list(self._lines.values()):
            line.connection.close()
        left = list(self._tasks)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
