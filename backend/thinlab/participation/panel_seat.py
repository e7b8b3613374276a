"""Who came from a panel: one seat for each of its ids, with one outcome, whatever happens.

A panel's id is no secret. So it leads to its seat from any browser, but to what a finished seat
has earned only together with the id of the visit, where the panel has one (`is_theirs`).

SPDX-License-Identifier: Apache-2.0
"""

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab import tokens
from thinlab.database.schema import PanelSeat, ServerSecret
from thinlab.participation.messages import PanelIds
from thinlab.study.panel import Outcome, Panel


async def find(session: AsyncSession, slug: str, ids: PanelIds) -> PanelSeat | None:
    """The seat of a panel's id; none for one that has not come yet."""
    found = await session.scalar(
        select(PanelSeat)
        .where(
            PanelSeat.slug == slug,
            PanelSeat.panel_hash == await _hash(session, slug, ids),
        )
        .execution_options(populate_existing=True)
    )
    if found is not None:
        await _expire(session, found)
    return found


async def of(session: AsyncSession, participant_id: int) -> PanelSeat | None:
    """The seat of a participant who came from a panel, as it is at this moment."""
    found = await session.scalar(
        select(PanelSeat)
        .where(PanelSeat.participant_id == participant_id)
        .execution_options(populate_existing=True)
    )
    if found is not None:
        await _expire(session, found)
    return found


async def take(
    session: AsyncSession, slug: str, ids: PanelIds, panel: Panel, participant_id: int
) -> None:
    """A seat for a new participant; the caller holds the lock of the study's places."""
    await _add(
        session,
        slug,
        ids,
        PanelSeat(participant_id=participant_id, reserved_until=func.now() + panel.reserved_for),
    )


async def end_at_the_door(
    session: AsyncSession, slug: str, ids: PanelIds, outcome: Outcome
) -> PanelSeat:
    """The seat of somebody who never joins; the caller holds the lock of the study's places."""
    return await _add(session, slug, ids, PanelSeat(outcome=outcome.value, outcome_at=func.now()))


async def _add(session: AsyncSession, slug: str, ids: PanelIds, seat: PanelSeat) -> PanelSeat:
    seat.slug = slug
    seat.panel_hash = await _hash(session, slug, ids)
    seat.panel_participant = ids.participant
    seat.panel_session = ids.session
    seat.panel_batch = ids.batch
    session.add(seat)
    await session.flush()
    await session.refresh(seat)
    return seat


def is_theirs(seat: PanelSeat, ids: PanelIds) -> bool:
    """Whether somebody may be shown what a finished seat has earned."""
    if seat.panel_participant is None:
        # Withdrawn: nothing tells any more whose it was.
        return False
    return seat.panel_session is None or seat.panel_session == ids.session


async def come_again(session: AsyncSession, seat: PanelSeat, ids: PanelIds) -> None:
    """Somebody goes on with an unfinished seat: the visit that counts is the last one."""
    if seat.outcome is None:
        seat.panel_session, seat.panel_batch = ids.session, ids.batch
        await session.flush()


async def settle(session: AsyncSession, seat: PanelSeat, outcome: Outcome) -> Outcome:
    """Writes an outcome, unless there is one: the first holds. Returns the one that holds."""
    await session.execute(
        update(PanelSeat)
        .where(PanelSeat.id == seat.id, PanelSeat.outcome.is_(None))
        .values(outcome=outcome.value, outcome_at=func.now())
        .execution_options(synchronize_session=False)
    )
    await session.refresh(seat)
    return Outcome(seat.outcome or outcome)


async def counts(session: AsyncSession, slug: str) -> dict[Outcome | None, int]:
    """How many have come to each outcome; under none, how many are under way."""
    await expire_all(session)
    rows = await session.execute(
        select(PanelSeat.outcome, func.count())
        .where(PanelSeat.slug == slug)
        .group_by(PanelSeat.outcome)
    )
    return {None if outcome is None else Outcome(outcome): count for outcome, count in rows}


async def _expire(session: AsyncSession, seat: PanelSeat) -> None:
    if seat.outcome is None and await _expire_those(session, PanelSeat.id == seat.id):
        await session.refresh(seat)


async def expire_all(session: AsyncSession) -> int:
    """Notes of all who let their deadline pass that they did; how many. They may never return."""
    return await _expire_those(session)


async def _expire_those(session: AsyncSession, *which: ColumnElement[bool]) -> int:
    late = await session.scalars(
        update(PanelSeat)
        .where(PanelSeat.outcome.is_(None), PanelSeat.reserved_until <= func.now(), *which)
        .values(outcome=Outcome.TIMED_OUT.value, outcome_at=func.now())
        .returning(PanelSeat.id)
        .execution_options(synchronize_session=False)
    )
    return len(list(late))


async def _hash(session: AsyncSession, slug: str, ids: PanelIds) -> bytes:
    key = (await session.scalars(select(ServerSecret.participant_key))).one()
    return tokens.panel_hash(key, slug, ids.participant)
