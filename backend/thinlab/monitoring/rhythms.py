"""The rhythms of participants' typing sessions, as they were made when each session ended.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, RowMapping, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, TypingSession
from thinlab.monitoring.rhythm import Rhythm, Verdict, verdict_of


async def rows_of(
    session: AsyncSession, whose: Sequence[ColumnElement[bool]]
) -> Sequence[RowMapping]:
    """A row for each session that counts of these participants, training aside.

    Sessions from before rhythms were kept have none.
    """
    rows = await session.execute(
        select(Presentation.participant_id, TypingSession.measures["rhythm"].label("rhythm"))
        .join(TypingSession, TypingSession.presentation_id == Presentation.id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .where(
            *whose,
            Presentation.training.is_(False),
            TypingSession.state == "done",
        )
        .order_by(TypingSession.id)
    )
    return rows.mappings().all()


def by_participant(rows: Iterable[RowMapping]) -> dict[int, Verdict]:
    """What each one's sessions say together. Pure."""
    found: dict[int, list[Rhythm]] = {}
    for row in rows:
        rhythms = found.setdefault(row["participant_id"], [])
        if row["rhythm"] is not None:
            rhythms.append(Rhythm.model_validate(row["rhythm"]))
    return {id_: verdict_of(rhythms) for id_, rhythms in found.items()}
