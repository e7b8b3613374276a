"""Leaving a study, and the end of its retention: what is deleted, and what stays.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import timedelta

from sqlalchemy import and_, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import HearingTest, Invitation, PanelSeat, Participant, Study
from thinlab.participation.participant import locked_or_withdrawn
from thinlab.study.panel import Outcome

# By which a panel knows somebody.
NO_IDS = {"panel_participant": None, "panel_session": None, "panel_batch": None}

# What a participant, their device and their network told of them.
TOLD = (
    "ineligible_by",
    "hearing",
    "hearing_failed",
    "sound_checked_at",
    "level_percent",
    "headphones_correct",
    "headphones_of",
    "headphones_tries",
    "headphones_passed",
    "connection_checked_at",
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
    # By a function of the tables' owner: our own role may not delete.
    typed = await session.scalars(select(func.delete_answers(row.id)))
    sessions = list(typed)
    await session.refresh(row)
    # The invitation stays used, but no longer tells who came with it, nor when.
    await session.execute(
        update(Invitation)
        .where(Invitation.participant_id == row.id)
        .values(participant_id=None, used_on=None, label="")
    )
    # Neither does the seat at a panel: only that somebody with this id has been here.
    await session.execute(
        update(PanelSeat)
        .where(PanelSeat.participant_id == row.id)
        .values(
            **NO_IDS,
            participant_id=None,
            outcome=func.coalesce(PanelSeat.outcome, Outcome.WITHDRAWN.value),
            outcome_at=func.coalesce(PanelSeat.outcome_at, func.now()),
        )
    )
    await session.execute(delete(HearingTest).where(HearingTest.participant_id == row.id))
    row.completed_at = None
    row.completion_code = None
    for name in TOLD:
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
        await _erase_invitations(session, study.slug, timedelta(days=days))
        await _erase_panel_ids(session, study.slug, timedelta(days=days))
    return erased


async def _erase_invitations(session: AsyncSession, slug: str, retention: timedelta) -> None:
    """Of those who cannot be recognised any more: a label may be a name, a hash leads to a link."""
    nobody = select(Participant.id).where(Participant.token_hash.is_(None))
    of_nobody = Invitation.participant_id.in_(nobody)
    # Of who has withdrawn, the link's only use was to say that it is used.
    withdrawn = and_(
        Invitation.used,
        Invitation.participant_id.is_(None),
        Invitation.created_at < func.now() - retention,
    )
    await session.execute(
        update(Invitation)
        .where(Invitation.slug == slug, or_(of_nobody, withdrawn))
        .values(participant_id=None, used_on=None, label="", token_hash=None)
    )


async def _erase_panel_ids(session: AsyncSession, slug: str, retention: timedelta) -> None:
    """Who came and to what end; how many came to each stays."""
    await session.execute(
        update(PanelSeat)
        .where(
            PanelSeat.slug == slug,
            PanelSeat.panel_hash.is_not(None),
            PanelSeat.came_at < func.now() - retention,
        )
        .values(**NO_IDS, panel_hash=None, participant_id=None)
    )
