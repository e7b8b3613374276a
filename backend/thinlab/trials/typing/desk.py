"""The desk of the studies: participants let in, sessions entered, terminals opened.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.engine import Database
from thinlab.database.schema import Participant, TypingSession
from thinlab.lab.live_hosts import LiveHosts, NoHostError
from thinlab.live.desk import CheckResult, RefusedError
from thinlab.live.messages import Hello, RefusalCode
from thinlab.live.network import NetworkFound
from thinlab.live.pulse import Pulse
from thinlab.live.store import TypingStore
from thinlab.live.transport import TransportKind
from thinlab.participation import participant as participation
from thinlab.participation.kind import Kinds
from thinlab.participation.participant import WithdrawnError
from thinlab.study import catalogue
from thinlab.trials.typing import connection_check
from thinlab.trials.typing import session as typing_session
from thinlab.trials.typing.connection_check import ConnectionFound, NotDueError
from thinlab.trials.typing.hiding_waits import waits_of
from thinlab.trials.typing.job import Entered, StudyJob
from thinlab.trials.typing.session import NotItsTurnError, TypedError, UnknownSessionError

TOO_POOR = {
    "rtt": "Answers over your connection take too long to feel the difference. Come nearer to the "
    "router, use a cable, or switch off a VPN; then try again.",
    "jitter": "Your connection's delay varies too much to feel the difference. Come nearer to the "
    "router, use a cable, or stop downloads; then try again.",
    "loss": "Your connection loses too much to feel the difference. Come nearer to the router, or "
    "use a cable; then try again.",
}


class StudyDesk:
    """Over the database, the live hosts and the store."""

    def __init__(
        self,
        database: Database,
        hosts: LiveHosts,
        store: TypingStore,
        kinds: Kinds,
        pulse: Pulse | None = None,
    ) -> None:
        self._pulse = pulse or Pulse()
        self._database = database
        self._hosts = hosts
        self._store = store
        self._kinds = kinds

    async def prepare(self) -> None:
        """At the start: nothing is under way, and no file belongs to nothing."""
        async with self._database.transaction() as session:
            await typing_session.void_all_under_way(session, "server-restarted")
            known = set(await session.scalars(select(TypingSession.id)))
        self._store.keep_only(known)

    async def participant_of(self, participant_token: str) -> int:
        """As `Desk`."""
        async with self._database.transaction() as session:
            participant = await participation.by_token(session, participant_token)
        if participant is None:
            raise RefusedError(RefusalCode.UNKNOWN_PARTICIPANT)
        if participant.withdrawn_at is not None:
            raise RefusedError(RefusalCode.WITHDRAWN)
        return participant.id

    async def begin(self, hello: Hello, participant_id: int) -> StudyJob:
        """As `Desk`."""
        if hello.session_token is None:
            raise RefusedError(RefusalCode.UNKNOWN_SESSION)
        try:
            host = self._hosts.take()
        except NoHostError as error:
            raise RefusedError(RefusalCode.NO_HOST) from error
        try:
            async with self._entered(participant_id) as (session, participant):
                planned = await typing_session.plan(session, participant, hello.session_token)
                row = await typing_session.begin(session, participant, planned)
                study = await catalogue.by_id(session, participant.study_id)
        except BaseException:
            self._hosts.give_back(host)
            raise
        waits = waits_of(study.definition)
        entered = Entered(host, planned, participant, row.id, study.slug, waits)
        return StudyJob(self._database, self._store, self._hosts, self._pulse, entered)

    async def may_check(self, participant_id: int) -> None:
        """As `Desk`."""
        async with self._entered(participant_id) as (session, participant):
            await connection_check.expect(session, participant, self._kinds)

    async def checked(
        self, participant_id: int, kind: TransportKind, found: NetworkFound
    ) -> CheckResult:
        """As `Desk`."""
        measured = ConnectionFound(kind, found.rtt_p50_ms, found.jitter_ms, found.lost_share)
        async with self._entered(participant_id) as (session, participant):
            too_poor = await connection_check.store(session, participant, measured, self._kinds)
        return CheckResult(too_poor is None, None if too_poor is None else TOO_POOR[too_poor])

    @asynccontextmanager
    async def _entered(
        self, participant_id: int
    ) -> AsyncIterator[tuple[AsyncSession, Participant]]:
        """A transaction over a participant; the study's objections in the link's words."""
        try:
            async with self._database.transaction() as session:
                participant = await session.get_one(Participant, participant_id)
                yield session, participant
        except WithdrawnError as error:
            raise RefusedError(RefusalCode.WITHDRAWN) from error
        except UnknownSessionError as error:
            raise RefusedError(RefusalCode.UNKNOWN_SESSION) from error
        except (NotItsTurnError, NotDueError) as error:
            raise RefusedError(RefusalCode.NOT_NOW) from error
        except TypedError as error:
            raise RefusedError(RefusalCode.DONE) from error
