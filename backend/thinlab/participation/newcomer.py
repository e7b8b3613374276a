"""Who joined and never began: forgotten after a while, so that joining leaves nothing for good.

Anybody may join an open study, as often as they like. A newcomer holds no place and has answered no
trial; a page that comes back after it was forgotten joins anew, by the same invitation, too.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import timedelta

from sqlalchemy import Select, and_, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import (
    Allocation,
    ExclusionEntry,
    HeadphoneTest,
    HearingTest,
    Invitation,
    PanelSeat,
    Participant,
    Presentation,
    QuestionnaireAnswer,
)

# Silent for so long.
FORGOTTEN_AFTER = timedelta(days=1)
# Of one study; beyond it those who were silent longest, who are not at their page any more.
NEWCOMERS_LIMIT = 2_000
AWAY_AFTER = timedelta(minutes=10)


def _newcomers() -> Select[tuple[int, int]]:
    """Each, and how many of the same study have been heard of since."""
    # A withdrawal is on record, and so is what a researcher wrote of somebody; answers are deleted
    # by a withdrawal alone.
    nothing_of = (Allocation, Presentation, ExclusionEntry, QuestionnaireAnswer)
    place = func.row_number().over(
        partition_by=Participant.study_id, order_by=Participant.last_seen_at.desc()
    )
    return select(Participant.id, place.label("place")).where(
        Participant.withdrawn_at.is_(None),
        Participant.completed_at.is_(None),
        # A place that a panel's participant still has reserved.
        ~exists().where(PanelSeat.participant_id == Participant.id, PanelSeat.outcome.is_(None)),
        *(~exists().where(table.participant_id == Participant.id) for table in nothing_of),
    )


async def forget(session: AsyncSession, *, most: int = NEWCOMERS_LIMIT) -> int:
    """Deletes the rows of those who are gone; how many.

    Rows that are locked are left alone: their people are on the way after all.
    """
    waiting = _newcomers().subquery()
    silent = func.now() - Participant.last_seen_at
    gone = list(
        await session.scalars(
            select(Participant.id)
            .join(waiting, waiting.c.id == Participant.id)
            .where(
                or_(
                    silent > FORGOTTEN_AFTER,
                    and_(silent > AWAY_AFTER, waiting.c.place > most),
                )
            )
            .with_for_update(of=Participant, skip_locked=True)
        )
    )
    for tried in (HeadphoneTest, HearingTest):
        await session.execute(delete(tried).where(tried.participant_id.in_(gone)))
    await session.execute(
        update(Invitation)
        .where(Invitation.participant_id.in_(gone))
        .values(participant_id=None, used=False, used_on=None)
    )
    # That they came, and to what end, stays for whoever pays them.
    await session.execute(
        update(PanelSeat).where(PanelSeat.participant_id.in_(gone)).values(participant_id=None)
    )
    await session.execute(delete(Participant).where(Participant.id.in_(gone)))
    return len(gone)
