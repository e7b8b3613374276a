"""Who came from a panel, what they came to, and what the panel is told of it.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from thinlab.database.schema.base import Base, now_by_database, numbered_by_database, one_of
from thinlab.database.schema.participant import Participant


class PanelSeat(Base):
    """One person of a panel in a study, whichever of its versions.

    `panel_hash` recognises the id when it comes again. A withdrawal erases the ids and the link
    to the participant, the end of the retention the hash, too. `outcome` is written once.
    """

    __tablename__ = "panel_seat"
    __table_args__ = (
        UniqueConstraint("slug", "panel_hash"),
        one_of("outcome", "complete", "screened_out", "declined", "timed_out", "full", "withdrawn"),
        Index("reserved_seats", "reserved_until", postgresql_where=text("outcome is null")),
    )

    id: Mapped[int] = numbered_by_database()
    slug: Mapped[str]
    panel_hash: Mapped[bytes | None]
    panel_participant: Mapped[str | None]
    panel_session: Mapped[str | None]
    panel_batch: Mapped[str | None]
    participant_id: Mapped[int | None] = mapped_column(ForeignKey(Participant.id), unique=True)
    came_at: Mapped[datetime] = now_by_database()
    reserved_until: Mapped[datetime | None]
    outcome: Mapped[str | None]
    outcome_at: Mapped[datetime | None]


class PanelReturn(Base):
    """What a panel is told of an outcome: a code, an address, or both. The researcher's secret."""

    __tablename__ = "panel_return"
    __table_args__ = (
        one_of("outcome", "complete", "screened_out", "declined", "timed_out", "full"),
    )

    slug: Mapped[str] = mapped_column(primary_key=True)
    outcome: Mapped[str] = mapped_column(primary_key=True)
    code: Mapped[str | None]
    url: Mapped[str | None]
