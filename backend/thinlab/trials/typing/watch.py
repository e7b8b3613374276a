"""A study's typing sessions as its researcher may watch them: how many, which failed and why.

A session's condition is not in here, nor anything that it shows in: how fast
echoes came, what was sent twice. Who knows which session was the better one
knows half of a vote.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime

from pydantic import BaseModel, Field
from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Keystroke, Participant, Presentation, Study, TypingSession
from thinlab.monitoring.kind import ConnectionChecks, SessionCounts, VoidCount

LATEST = 50


class PastSession(BaseModel):
    """A session that has ended."""

    session_id: int
    participant: str = Field(description="Pseudonym.")
    participant_kind: str
    trial: str
    position: int
    place: str = Field(description="`first` or `second`, as presented.")
    attempt: int
    training: bool
    state: str = Field(description="`done` or `void`.")
    reason: str | None = Field(description="Why it is void.")
    end: str | None = Field(description="`finished`, `left` or `limit`, where it counts.")
    ended_at: datetime | None
    typed_ms: int | None
    keys: int
    transport: str | None
    reconnects: int | None
    link_rtt_p50_ms: float | None
    link_jitter_ms: float | None
    emulator_trustworthy: bool | None
    host_wait_max_ms: float | None = Field(description="Longest that a key waited for the host.")


async def counts(session: AsyncSession, slug: str, kind: str) -> SessionCounts:
    """Sessions and connection checks of one kind of participants."""
    rows = await session.execute(
        select(
            TypingSession.state,
            TypingSession.reason,
            func.count().label("sessions"),
            func.count().filter(TypingSession.emulator_trustworthy.is_(False)).label("shaky"),
        )
        .where(TypingSession.id.in_(_of_study(slug).where(Participant.kind == kind)))
        .group_by(TypingSession.state, TypingSession.reason)
        .order_by(func.count().desc(), TypingSession.reason)
    )
    done = under_way = untrustworthy = 0
    void: list[VoidCount] = []
    for row in rows:
        if row.state == "done":
            done, untrustworthy = row.sessions, row.shaky
        elif row.state == "typing":
            under_way = row.sessions
        else:
            void.append(VoidCount(reason=row.reason, sessions=row.sessions))
    return SessionCounts(
        done=done,
        under_way=under_way,
        void=void,
        untrustworthy=untrustworthy,
        checks=await _checks(session, slug, kind),
    )


async def latest(session: AsyncSession, slug: str) -> list[PastSession]:
    """The sessions that ended last, newest first; previews and bots too."""
    keys = (
        select(func.count())
        .where(Keystroke.session_id == TypingSession.id)
        .scalar_subquery()
        .label("keys")
    )
    typed_s = func.extract("epoch", TypingSession.ended_at - TypingSession.ready_at)
    rows = await session.execute(
        select(
            TypingSession.id.label("session_id"),
            Participant.pseudonym.label("participant"),
            Participant.kind.label("participant_kind"),
            Presentation.trial_id.label("trial"),
            Presentation.position,
            TypingSession.place,
            TypingSession.attempt,
            Presentation.training,
            TypingSession.state,
            TypingSession.reason,
            TypingSession.end,
            TypingSession.ended_at,
            func.round(typed_s * 1000).label("typed_ms"),
            keys,
            TypingSession.transport,
            TypingSession.reconnects,
            TypingSession.link_rtt_p50_ms,
            TypingSession.link_jitter_ms,
            TypingSession.emulator_trustworthy,
            TypingSession.host_wait_max_ms,
        )
        .select_from(TypingSession)
        .join(Presentation, Presentation.id == TypingSession.presentation_id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .where(TypingSession.id.in_(_of_study(slug)), TypingSession.state != "typing")
        .order_by(TypingSession.ended_at.desc().nulls_last(), TypingSession.id.desc())
        .limit(LATEST)
    )
    return [PastSession.model_validate(dict(row)) for row in rows.mappings()]


def _of_study(slug: str) -> Select[int]:
    """Ids of a study's sessions."""
    return (
        select(TypingSession.id)
        .join(Presentation, Presentation.id == TypingSession.presentation_id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug)
    )


async def _checks(session: AsyncSession, slug: str, kind: str) -> ConnectionChecks:
    passed = Participant.connection_passed.is_(True)
    median = func.percentile_cont(0.5)
    row = (
        await session.execute(
            select(
                func.count().filter(passed).label("passed"),
                func.count().filter(Participant.connection_passed.is_(False)).label("refused"),
                median.within_group(Participant.connection_rtt_ms).filter(passed).label("rtt"),
                median.within_group(Participant.connection_jitter_ms)
                .filter(passed)
                .label("jitter"),
            )
            .select_from(Participant)
            .join(Study, Study.id == Participant.study_id)
            .where(Study.slug == slug, Participant.kind == kind)
        )
    ).one()
    return ConnectionChecks(
        passed=row.passed, refused=row.refused, rtt_p50_ms=row.rtt, jitter_p50_ms=row.jitter
    )
