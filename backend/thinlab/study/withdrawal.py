"""Leaving a study, and the end of its retention: what is deleted, and what stays.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import timedelta

from sqlalchemy import delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import (
    Allocation,
    ExclusionEntry,
    Invitation,
    Keystroke,
    Participant,
    Presentation,
    QuestionnaireAnswer,
    Study,
    TypingSession,
    Vote,
)
from thinlab.study.participation import locked_or_withdrawn

# What a participant's device and network told of them.
MEASURED = (
    "level_percent",
    "headphones_correct",
    "headphones_of",
    "headphones_tries",
    "headphones_passed",
    "connection_tries",
    "connection_passed",
    "connection_transport",
    "connection_rtt_ms",
    "connection_jitter_ms",
    "connection_lost_share",
)


async def withdraw(session: AsyncSession, participant: Participant) -> list[int]:
    """Deletes all that a participant answered; a tombstone stays, so that counts add up.

    Returns the typing sessions whose files are to go, too. Withdrawing twice is
    withdrawing once.
    """
    row = await locked_or_withdrawn(session, participant)
    if row.withdrawn_at is not None:
        return []
    # The triggers let only this transaction delete.
    await session.execute(text("set local thinlab.withdrawing = 'yes'"))
    mine = select(Presentation.id).where(Presentation.participant_id == row.id)
    typed = select(TypingSession.id).where(TypingSession.presentation_id.in_(mine))
    sessions = list(await session.scalars(typed))
    await session.execute(delete(Keystroke).where(Keystroke.session_id.in_(typed)))
    await session.execute(delete(TypingSession).where(TypingSession.presentation_id.in_(mine)))
    await session.execute(delete(Vote).where(Vote.presentation_id.in_(mine)))
    for table in (Presentation, QuestionnaireAnswer, ExclusionEntry, Allocation):
        await session.execute(delete(table).where(table.participant_id == row.id))
    # The invitation stays used, but no longer tells who came with it.
    await session.execute(
        update(Invitation).where(Invitation.participant_id == row.id).values(participant_id=None)
    )
    row.withdrawn_at = await session.scalar(select(func.now()))
    row.completed_at = None
    row.completion_code = None
    for name in MEASURED:
        setattr(row, name, None)
    await session.flush()
    return sessions


async def erase_links(session: AsyncSession) -> int:
    """Erases what links participants to their answers where a study's retention has ended.

    Returns of how many participants. From then on nobody can resume or
    withdraw: there is no telling whose answers they were.
    """
    erased = 0
    for study in await session.scalars(select(Study)):
        days = study.definition.get("retention_days")
        if days is None:
            continue
        gone = list(
            await session.scalars(
                update(Participant)
                .where(
                    Participant.study_id == study.id,
                    Participant.token_hash.is_not(None),
                    Participant.joined_at < func.now() - timedelta(days=days),
                )
                .values(join_key=None, token_hash=None, withdraw_hash=None, completion_code=None)
                .returning(Participant.id)
                .execution_options(synchronize_session=False)
            )
        )
        erased += len(gone)
    # An invitation's label may be a name.
    nobody = select(Participant.id).where(Participant.token_hash.is_(None))
    await session.execute(
        update(Invitation)
        .where(Invitation.participant_id.in_(nobody))
        .values(participant_id=None, label="")
    )
    return erased
