"""Where participants are: there now, paused, gone, done; and how far they came.

One query gives a row a participant; counts are made of these rows, so that
every number on the researcher's pages agrees with every other.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import Row, and_, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, Study, TypingSession, Vote
from thinlab.participation.places import ABANDONED_AFTER, CONNECTION_TRIES

# A minute's clip, heard some times over, keeps the browser silent for so long.
LIVE_FOR = timedelta(minutes=5)


class Presence(StrEnum):
    """Where a participant is. What comes first in this order tells."""

    WITHDRAWN = "withdrawn"
    COMPLETED = "completed"
    HEADPHONES_FAILED = "headphones_failed"
    HEARING_FAILED = "hearing_failed"
    CONNECTION_FAILED = "connection_failed"
    INELIGIBLE = "ineligible"
    LIVE = "live"
    PAUSED = "paused"
    GONE = "gone"


@dataclass(frozen=True)
class Present:
    """One participant."""

    id: int
    pseudonym: str
    completion_code: str | None
    version: str
    """Content hash of the study as it was when they joined."""
    kind: str
    language: str
    presence: Presence
    joined_at: datetime
    last_seen_at: datetime
    completed_at: datetime | None
    sound_checked: bool
    headphones_correct: int | None
    headphones_of: int | None
    headphones_tries: int | None
    headphones_passed: bool | None
    hearing: Mapping[str, Mapping[str, Any]] | None
    """By test: `correct`, `of`, `tries` and `passed`."""
    connection_passed: bool | None
    connection_tries: int | None
    connection_rtt_ms: float | None
    connection_jitter_ms: float | None
    sessions_void: int
    """Typing sessions that do not count."""
    trials_drawn: int
    trials_done: int
    """Votes of the session, training included."""

    @property
    def started(self) -> bool:
        """Whether the trials were opened."""
        return self.trials_drawn > 0


async def of_study(session: AsyncSession, slug: str, *, kind: str | None) -> list[Present]:
    """Everybody in every version of a study, or those of one kind, in the order of joining."""
    idle = func.now() - Participant.last_seen_at
    presence = case(
        (Participant.withdrawn_at.is_not(None), Presence.WITHDRAWN),
        (Participant.completed_at.is_not(None), Presence.COMPLETED),
        (
            and_(
                Participant.headphones_passed.is_(False),
                Study.definition["headphones"].as_string() == "required",
            ),
            Presence.HEADPHONES_FAILED,
        ),
        (
            and_(
                Participant.connection_passed.is_(False),
                Participant.connection_tries >= CONNECTION_TRIES,
            ),
            Presence.CONNECTION_FAILED,
        ),
        (Participant.hearing_failed.is_not(None), Presence.HEARING_FAILED),
        (Participant.ineligible_by.is_not(None), Presence.INELIGIBLE),
        (idle < LIVE_FOR, Presence.LIVE),
        (idle < ABANDONED_AFTER, Presence.PAUSED),
        else_=Presence.GONE,
    )
    far = (
        select(
            Presentation.participant_id,
            func.count().label("drawn"),
            func.count(Vote.id).label("done"),
        )
        .join(Participant, Participant.id == Presentation.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .outerjoin(Vote, Vote.presentation_id == Presentation.id)
        .where(Study.slug == slug)
        .group_by(Presentation.participant_id)
        .subquery()
    )
    void = (
        select(Presentation.participant_id, func.count().label("sessions"))
        .join(TypingSession, TypingSession.presentation_id == Presentation.id)
        .where(TypingSession.state == "void")
        .group_by(Presentation.participant_id)
        .subquery()
    )
    query = (
        select(
            Participant.id,
            Participant.pseudonym,
            Participant.completion_code,
            Study.content_hash.label("version"),
            Participant.kind,
            Participant.language,
            presence.label("presence"),
            Participant.joined_at,
            Participant.last_seen_at,
            Participant.completed_at,
            Participant.sound_checked_at.is_not(None).label("sound_checked"),
            Participant.headphones_correct,
            Participant.headphones_of,
            Participant.headphones_tries,
            Participant.headphones_passed,
            Participant.hearing,
            Participant.connection_passed,
            Participant.connection_tries,
            Participant.connection_rtt_ms,
            Participant.connection_jitter_ms,
            func.coalesce(void.c.sessions, 0).label("sessions_void"),
            func.coalesce(far.c.drawn, 0).label("trials_drawn"),
            func.coalesce(far.c.done, 0).label("trials_done"),
        )
        .join(Study, Study.id == Participant.study_id)
        .outerjoin(far, far.c.participant_id == Participant.id)
        .outerjoin(void, void.c.participant_id == Participant.id)
        .where(Study.slug == slug)
        .order_by(Participant.id)
    )
    if kind is not None:
        query = query.where(Participant.kind == kind)
    rows = (await session.execute(query)).all()
    # Thousands of people take a moment, in which others have votes to store.
    return await asyncio.to_thread(_made_of, rows)


def _made_of(rows: Sequence[Row[Any]]) -> list[Present]:
    return [
        Present(**{**row._mapping, "presence": Presence(row.presence)})  # noqa: SLF001 (its public name)
        for row in rows
    ]
