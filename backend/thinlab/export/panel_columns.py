"""The list by which a panel's participants are paid: who came to which end.

No column tells who somebody is in the study's other files, unless it is asked for.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import PanelSeat, Participant
from thinlab.export.column import Column, text, time
from thinlab.participation import panel_seat

SOURCE = "panel"


@dataclass(frozen=True)
class SeatEntry:
    """One person of the panel."""

    participant: str | None
    session: str | None
    batch: str | None
    came_at: datetime
    outcome: str | None
    outcome_at: datetime | None
    pseudonym: str | None


COLUMNS: tuple[Column[SeatEntry], ...] = (
    text(
        "panel_participant",
        "The panel's id; empty after a withdrawal and the end of the retention.",
        SOURCE,
        lambda row: row.participant,
    ),
    text("panel_session", "The panel's id of the last visit.", SOURCE, lambda row: row.session),
    text("panel_batch", "The panel's own name for the study.", SOURCE, lambda row: row.batch),
    time("came_at", "When they joined, or ended without joining.", SOURCE, lambda row: row.came_at),
    text(
        "outcome",
        "complete, screened_out, declined, timed_out, full or withdrawn; empty: under way.",
        SOURCE,
        lambda row: row.outcome,
    ),
    time("outcome_at", "When that showed.", SOURCE, lambda row: row.outcome_at),
)
PSEUDONYM: Column[SeatEntry] = text(
    "pseudonym",
    "Of the participant in all other files: with it, the list tells how this person answered.",
    SOURCE,
    lambda row: row.pseudonym,
)


def panel_columns(*, pseudonyms: bool) -> tuple[Column[SeatEntry], ...]:
    """The list's columns."""
    return (*COLUMNS, PSEUDONYM) if pseudonyms else COLUMNS


async def seats(session: AsyncSession, slug: str) -> Iterable[SeatEntry]:
    """Everybody whom a panel has sent, in the order of coming."""
    await panel_seat.expire_all(session)
    rows = await session.execute(
        select(PanelSeat, Participant.pseudonym)
        .outerjoin(Participant, Participant.id == PanelSeat.participant_id)
        .where(PanelSeat.slug == slug)
        .order_by(PanelSeat.id)
        .execution_options(populate_existing=True)
    )
    return [
        SeatEntry(
            participant=seat.panel_participant,
            session=seat.panel_session,
            batch=seat.panel_batch,
            came_at=seat.came_at,
            outcome=seat.outcome,
            outcome_at=seat.outcome_at,
            pseudonym=pseudonym,
        )
        for seat, pseudonym in rows
    ]
