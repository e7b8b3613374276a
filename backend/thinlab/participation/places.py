"""How many places a study has, and who holds them.

A place is held by a completed session and by a live one, from its first trial
on. It returns when a session is abandoned, withdrawn, or left out by the
researcher. Whoever a panel has sent has a place reserved from joining on, until
they come to an end or let their deadline pass. Previews and bots are counted
among their own kind and never take a person's place.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import timedelta

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from thinlab.database.schema import Allocation, PanelSeat, Participant, Study
from thinlab.study.catalogue import StoredStudy

# First key of the advisory lock; the second is the study. Any number will do.
ALLOCATION_LOCK = 20_080

# A session idle for longer is abandoned: somebody else may get its place.
ABANDONED_AFTER = timedelta(minutes=60)

CONNECTION_TRIES = 3


class FullError(Exception):
    """Others hold all places; one may return."""


def _holds_a_place() -> ColumnElement[bool]:
    # By another name: the query around it may count allocations itself.
    own, seat = aliased(Allocation), aliased(PanelSeat)
    seated = seat.participant_id == Participant.id
    reserved = exists().where(seated, seat.outcome.is_(None), seat.reserved_until > func.now())
    # Joining is free: whoever has only joined keeps nobody else out.
    begun = exists().where(own.participant_id == Participant.id)
    return and_(
        Participant.withdrawn_at.is_(None),
        ~Participant.left_out,
        or_(
            and_(Participant.completed_at.is_not(None), begun),
            reserved,
            and_(
                Participant.last_seen_at > func.now() - ABANDONED_AFTER,
                begun,
                ~exists().where(seated),
            ),
        ),
    )


HOLDS_A_PLACE = _holds_a_place()
"""Over `Participant`: whether it counts for balance and for the stop rule."""

# Put together once: SQLAlchemy takes half a millisecond for it.
_HELD = (
    select(func.count())
    .select_from(Participant)
    .join(Study, Study.id == Participant.study_id)
    .where(
        Study.slug == bindparam("slug"),
        Participant.kind == bindparam("kind"),
        Participant.id.is_distinct_from(bindparam("but")),
        HOLDS_A_PLACE,
    )
)
_HELD_IN = _HELD.where(Participant.language == bindparam("language"))
_ROUNDS_HELD = (
    select(Allocation.block_id, Allocation.row, func.array_agg(Allocation.round))
    .join(Participant, Participant.id == Allocation.participant_id)
    .where(
        Participant.study_id == bindparam("study_id"),
        Participant.kind == bindparam("kind"),
        HOLDS_A_PLACE,
    )
    .group_by(Allocation.block_id, Allocation.row)
)


async def lock(session: AsyncSession, slug: str) -> None:
    """Until the transaction ends, nobody else draws from or counts on the study's places.

    Of all versions of the study, since they share them.
    """
    await session.execute(select(func.pg_advisory_xact_lock(ALLOCATION_LOCK, func.hashtext(slug))))


async def is_full(
    session: AsyncSession,
    study: StoredStudy,
    *,
    kind: str,
    language: str,
    but: int | None = None,
) -> bool:
    """Whether nobody more of this kind and language can be taken.

    Sessions of earlier versions of the study count too. `but`: a participant
    who is not to count.
    """
    stop = study.definition.stop
    asked = {"slug": study.slug, "kind": kind, "but": but}
    if stop is not None and stop.completed is not None:
        held = await session.scalar(_HELD, asked)
        if (held or 0) >= stop.completed:
            return True
    for quota in study.definition.quotas:
        if quota.language == language:
            held = await session.scalar(_HELD_IN, {**asked, "language": language})
            if (held or 0) >= quota.completed:
                return True
    return False


async def rounds_held(
    session: AsyncSession, study_id: int, kind: str
) -> dict[str, dict[int, list[int]]]:
    """Which rounds of each row place holders have, by block."""
    rows = await session.execute(_ROUNDS_HELD, {"study_id": study_id, "kind": kind})
    held: dict[str, dict[int, list[int]]] = {}
    for block_id, row, rounds in rows:
        held.setdefault(block_id, {})[row] = list(rounds)
    return held
