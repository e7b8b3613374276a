"""A study's session while it is typed, and what is kept of it: one transaction, one folder.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.results import TerminalResult
from thinlab.database.engine import Database
from thinlab.database.loss import is_database_loss
from thinlab.database.schema import Keystroke, Participant, TypingSession
from thinlab.lab.live_hosts import LiveHost, LiveHosts
from thinlab.lab.terminal import AgentTerminal
from thinlab.live import host_waits
from thinlab.live.clock_line import ClockLine, clock_line
from thinlab.live.desk import Caption
from thinlab.live.keystrokes import rows_of
from thinlab.live.messages import StageReason
from thinlab.live.pulse import Pulse
from thinlab.live.record import SessionRecord
from thinlab.live.session import OVERTIME_S, Limits, VoidedError, Waits
from thinlab.live.store import TypingStore
from thinlab.monitoring.rhythm import rhythm_of
from thinlab.participation.participant import WithdrawnError, locked
from thinlab.study.task import COLUMNS, first_text
from thinlab.trials.typing.earlier_keys import earlier_gaps_ms
from thinlab.trials.typing.measures import measures_of
from thinlab.trials.typing.session import Planned

log = logging.getLogger(__name__)

ROWS = 24
# A database that restarts is back within seconds; a session of minutes is worth the wait.
STORE_TRIES = 20
STORE_PAUSE_S = 1.0
FINAL_TEXT_LIMIT_CHARACTERS = 65_536


@dataclass(frozen=True)
class _Yield:
    """What a session comes to."""

    columns: dict[str, Any]
    keystrokes: list[dict[str, Any]]
    line: ClockLine


@dataclass(frozen=True)
class Entered:
    """A session that the database has, and the host that it has been given."""

    host: LiveHost
    planned: Planned
    participant: Participant
    session_id: int
    study: str
    waits: Waits


class StudyJob:
    """As `TypingJob`."""

    def __init__(
        self,
        database: Database,
        store: TypingStore,
        hosts: LiveHosts,
        pulse: Pulse,
        entered: Entered,
    ) -> None:
        self._pulse = pulse
        self._host_wait_ms: float | None = None
        self._database = database
        self._store = store
        self._hosts = hosts
        self._host = entered.host
        self._planned = planned = entered.planned
        self._participant = participant = entered.participant
        self._session_id = entered.session_id
        self.limits = Limits(planned.task.limit_s, planned.task.least_keys, entered.waits)
        self.caption = Caption(
            participant.pseudonym,
            entered.study,
            entered.session_id,
            planned.presentation.position,
            planned.place,
            planned.training,
        )

    def terminal(self) -> AgentTerminal:
        """The agent's, over a lane of the session's condition."""
        planned = self._planned
        return AgentTerminal(
            self._host.agent,
            pb.TerminalOpen(
                lane=planned.condition.to_lane(planned.seed),
                task=pb.TerminalTask(
                    editor=pb.Editor.Value(f"EDITOR_{planned.task.editor.name}"),
                    text=first_text(planned.task, planned.language).encode(),
                    columns=COLUMNS,
                    rows=ROWS,
                ),
                # The session keeps the task's time; the terminal's is for whoever forgot it.
                limit_ns=round((planned.task.limit_s + OVERTIME_S) * 1e9),
            ),
        )

    def left(self) -> None:
        """The host is free for another."""
        self._hosts.give_back(self._host)

    async def store(self, record: SessionRecord, end: StageReason) -> None:
        """Files first, then the row that makes them count. Raises `VoidedError`."""
        earlier: list[list[float]] = []

        async def recall(session: AsyncSession) -> None:
            earlier[:] = await earlier_gaps_ms(session, self._participant.id)

        await self._patiently(recall)
        found = await asyncio.to_thread(self._yield, record, earlier)
        if self._host_wait_ms is not None and self._host_wait_ms > self._pulse.limit_ms:
            log.warning(
                "session %d: a key waited %.0f ms for the host",
                self._session_id,
                self._host_wait_ms,
            )
            raise VoidedError(StageReason.HOST_BEHIND)
        await asyncio.to_thread(
            self._store.write,
            self._session_id,
            record,
            found.line,
            keep_text=self._planned.keep_text,
        )

        async def keep(session: AsyncSession) -> None:
            row = await self._row(session)
            for name, value in found.columns.items():
                setattr(row, name, value)
            row.state, row.end = "done", end.value
            row.ended_at = datetime.now(UTC)
            if found.keystrokes:
                await session.execute(insert(Keystroke), found.keystrokes)

        try:
            await self._patiently(keep)
        except BaseException:
            await asyncio.to_thread(self._store.remove, [self._session_id])
            raise

    async def void(self, reason: StageReason, record: SessionRecord) -> None:
        """The row stays, without what was typed."""

        async def note(session: AsyncSession) -> None:
            row = await self._row(session)
            for name, value in _connection_columns(record).items():
                setattr(row, name, value)
            row.host_wait_max_ms = self._host_wait_ms
            row.state, row.reason = "void", reason.value
            row.ended_at = datetime.now(UTC)

        try:
            await self._patiently(note)
        except VoidedError:
            log.info("session %d was void already", self._session_id)

    async def _row(self, session: AsyncSession) -> TypingSession:
        """The session's row, still under way. Raises `VoidedError`."""
        try:
            participant = await locked(session, self._participant)
        except WithdrawnError as error:
            raise VoidedError(StageReason.BROKEN) from error
        row = await session.scalar(
            select(TypingSession).where(
                TypingSession.id == self._session_id, TypingSession.state == "typing"
            )
        )
        if row is None:
            raise VoidedError(StageReason.TAKEN_OVER)
        participant.last_seen_at = datetime.now(UTC)
        return row

    async def _patiently(self, work: Callable[[AsyncSession], Awaitable[None]]) -> None:
        """One transaction, again while the database is away."""
        for tries_left in reversed(range(STORE_TRIES)):
            try:
                async with self._database.transaction() as session:
                    await work(session)
            except Exception as error:
                if not is_database_loss(error) or not tries_left:
                    raise
                log.warning("session %d waits for the database", self._session_id)
                await asyncio.sleep(STORE_PAUSE_S)
            else:
                return

    def _yield(self, record: SessionRecord, earlier_gaps: list[list[float]]) -> _Yield:
        planned, ended = self._planned, record.ended
        if ended is None or record.ready is None or record.ready_us is None:
            raise VoidedError(StageReason.BROKEN)
        line = clock_line(record, shares_clock=self._host.shares_clock)
        rows = rows_of(record, line, keep_text=planned.keep_text)
        text = ended.result.text.decode("utf-8", "replace")[:FINAL_TEXT_LIMIT_CHARACTERS]
        standstills = list(self._pulse.standstills)
        late_ms = emulator_late_ms(ended.result, planned.condition.to_lane(planned.seed))
        waited_ms = host_waits.longest_ms(rows, record.ready_us, standstills)
        self._host_wait_ms = None if waited_ms is None else max(waited_ms, late_ms)
        described = self._host.description or pb.HostDescription()
        uncertainty_us = line.uncertainty_us
        keys = [Keystroke(**row) for row in rows]
        rhythm = rhythm_of(list(record.keys.values()), earlier_gaps)
        measures = measures_of(planned.task, planned.language, keys, text, rhythm)
        columns = _connection_columns(record) | {
            "ready_at": datetime.fromtimestamp(record.ready_us / 1e6, UTC),
            "host": f"{self._host.agent.address} {record.ready.host}",
            "host_build": record.ready.build,
            "agent_version": described.agent_version,
            "kernel_release": described.kernel_release,
            "clock_uncertainty_ms": None if uncertainty_us is None else uncertainty_us / 1000,
            "emulator_trustworthy": ended.result.timing.trustworthy,
            "host_wait_max_ms": self._host_wait_ms,
            # PostgreSQL has no place for NUL.
            "final_text": text.replace("\0", "\ufffd") if planned.keep_text else None,
            "measures": measures.model_dump(mode="json"),
            "result": TerminalResult.of(ended.result).model_dump(mode="json"),
        }
        keystrokes = [{"session_id": self._session_id, **row} for row in rows]
        for row in keystrokes:
            if row["data"] is not None:
                row["data"] = row["data"].replace("\0", "\ufffd")
        return _Yield(columns, keystrokes, line)


def emulator_late_ms(result: pb.TerminalResult, lane: pb.LaneSpec) -> float:
    """By how much the latest packet came later than its path's delay, where that is known."""
    ways = ((lane.forward, result.timing.forward), (lane.backward, result.timing.backward))
    return max(
        0.0 if path.jitter_us or path.rate_bit_per_s else error.max_us / 1000
        for path, error in ways
    )


def _connection_columns(record: SessionRecord) -> dict[str, Any]:
    network = record.meter.found()
    return {
        "transport": record.transports[-1] if record.transports else None,
        "reconnects": max(len(record.transports) - 1, 0),
        "link_rtt_p50_ms": None if network is None else network.rtt_p50_ms,
        "link_rtt_p95_ms": None if network is None else network.rtt_p95_ms,
        "link_jitter_ms": None if network is None else network.jitter_ms,
    }
