"""Live demos and what is left of them.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from thinlab.database.schema.base import Base, now_by_database, numbered_by_database, one_of


class Demo(Base):
    """A live demo. `broken_off`: the server ended under it; what was written stays."""

    __tablename__ = "demo"
    __table_args__ = (
        one_of("fate", "running", "ended", "broken_off"),
        CheckConstraint("(fate = 'running') = (ended_at is null)", "running_has_no_end"),
        CheckConstraint("(share_key is null) = (share_hash is null)", "shared_or_not"),
    )

    id: Mapped[int] = numbered_by_database()
    title: Mapped[str]
    code: Mapped[str | None] = mapped_column(index=True)
    settings: Mapped[dict[str, Any]]
    fate: Mapped[str] = mapped_column(server_default="running")
    began_at: Mapped[datetime] = now_by_database()
    ended_at: Mapped[datetime | None]
    length_ms: Mapped[float | None]
    size_bytes: Mapped[int] = mapped_column(server_default="0")
    build: Mapped[str]
    share_key: Mapped[UUID | None]
    share_hash: Mapped[bytes | None] = mapped_column(unique=True)


class DemoTake(Base):
    """One take of a demo. Without an `end`, the server ended under it."""

    __tablename__ = "demo_take"

    demo_id: Mapped[int] = mapped_column(ForeignKey(Demo.id), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    began_at_ms: Mapped[float]
    ready_at_ms: Mapped[float | None]
    ended_at_ms: Mapped[float | None]
    host: Mapped[str | None]
    host_build: Mapped[str | None]
    settings: Mapped[dict[str, Any]]
    seed: Mapped[int]
    letters: Mapped[str | None]
    """What each lane was called before the room, lane by lane; none of a take before that was
    kept, and of one that never opened."""
    end: Mapped[str | None]
    result: Mapped[dict[str, Any] | None]


class DemoEvent(Base):
    """Something that happened to a demo."""

    __tablename__ = "demo_event"
    __table_args__ = (one_of("who", "presenter", "server"),)

    demo_id: Mapped[int] = mapped_column(ForeignKey(Demo.id), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    take: Mapped[int]
    at_ms: Mapped[float]
    kind: Mapped[str]
    who: Mapped[str]
    text: Mapped[str]
    lanes: Mapped[list[int]] = mapped_column(JSONB)
    kernel_ms: Mapped[float | None]


class DemoPoll(Base):
    """A question to a demo's audience; `lane_order` tells which lane each letter was."""

    __tablename__ = "demo_poll"
    __table_args__ = (UniqueConstraint("demo_id", "number"),)

    id: Mapped[int] = numbered_by_database()
    demo_id: Mapped[int] = mapped_column(ForeignKey(Demo.id))
    number: Mapped[int]
    question: Mapped[str]
    lane_order: Mapped[list[int]] = mapped_column(JSONB)
    lane_names: Mapped[list[str] | None] = mapped_column(JSONB(none_as_null=True))
    """In words, letter by letter, when it was opened; null of polls before that was kept."""
    opened_at_ms: Mapped[float]
    closed_at_ms: Mapped[float | None]
    revealed_at_ms: Mapped[float | None]


class DemoVote(Base):
    """A listener's vote in a poll; may change while the poll is open."""

    __tablename__ = "demo_vote"
    __table_args__ = (one_of("choice", "A", "B", "C", "D", "no_difference"),)

    poll_id: Mapped[int] = mapped_column(ForeignKey(DemoPoll.id), primary_key=True)
    listener_hash: Mapped[bytes] = mapped_column(primary_key=True)
    choice: Mapped[str]
    voted_at: Mapped[datetime] = now_by_database()
