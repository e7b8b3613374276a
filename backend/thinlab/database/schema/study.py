"""Studies as their files had them, and what was done with them.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from thinlab.database.schema.base import Base, now_by_database, numbered_by_database


class Study(Base):
    """One version of a study: a changed file makes a new row, votes keep theirs."""

    __tablename__ = "study"
    __table_args__ = (
        UniqueConstraint("slug", "content_hash"),
        Index("one_current_study", "slug", unique=True, postgresql_where=text("is_current")),
    )

    id: Mapped[int] = numbered_by_database()
    slug: Mapped[str]
    content_hash: Mapped[str]
    definition: Mapped[dict[str, Any]]
    is_current: Mapped[bool]
    loaded_at: Mapped[datetime] = now_by_database()


class StudyEvent(Base):
    """What a researcher did with a study: closed, reopened, unblinded, froze it. Append-only."""

    __tablename__ = "study_event"
    __table_args__ = (Index("events_of_a_study", "slug", "id"),)

    id: Mapped[int] = numbered_by_database()
    slug: Mapped[str]
    study_id: Mapped[int] = mapped_column(ForeignKey(Study.id))
    kind: Mapped[str]
    reason: Mapped[str | None]
    details: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    at: Mapped[datetime] = now_by_database()
