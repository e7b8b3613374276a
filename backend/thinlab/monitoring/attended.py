"""How participants attended to what they heard, for the rules that look at it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, RowMapping, func, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, Recording, Vote
from thinlab.participation.attention import LOOKED_AT, Attention, attention_of


async def rows_of(
    session: AsyncSession, whose: Sequence[ColumnElement[bool]]
) -> Sequence[RowMapping]:
    """A row for each vote on something heard of these participants, training aside."""
    rows = await session.execute(
        select(
            Presentation.participant_id,
            Vote.account,
            Vote.decision_ms,
            func.jsonb_path_query_array(Vote.events, LOOKED_AT, type_=JSONB).label("events"),
            Recording.duration_ms,
        )
        .join(Vote, Vote.presentation_id == Presentation.id)
        .join(Recording, Recording.id == Presentation.first_recording_id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .where(
            *whose,
            Presentation.training.is_(False),
        )
        .order_by(Vote.id)
    )
    return rows.mappings().all()


def by_participant(rows: Iterable[RowMapping]) -> dict[int, list[Attention]]:
    """Trial by trial. Pure, and slow for many: not for the event loop."""
    found: dict[int, list[Attention]] = {}
    for row in rows:
        attention = attention_of(
            row["account"],
            row["events"],
            decision_ms=row["decision_ms"],
            duration_ms=row["duration_ms"],
        )
        found.setdefault(row["participant_id"], []).append(attention)
    return found
