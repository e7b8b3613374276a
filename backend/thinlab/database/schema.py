"""The tables, in the order of the walk from a study to a vote.

Votes and presentations never change once written: triggers (see the first
migration) refuse UPDATE and DELETE, whoever asks.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Identity,
    Index,
    MetaData,
    Table,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from thinlab.recording.metric_columns import METRIC_COLUMNS


class Base(DeclarativeBase):
    """Types and constraint names shared by all tables."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 (SQLAlchemy's way to declare it)
        int: BigInteger,
        float: Double,
        datetime: DateTime(timezone=True),
        dict[str, Any]: JSONB,
        list[dict[str, Any]]: JSONB,
    }


def _now() -> Mapped[datetime]:
    return mapped_column(server_default=func.now())


class Study(Base):
    """One version of a study: a changed file makes a new row, votes keep theirs."""

    __tablename__ = "study"
    __table_args__ = (
        UniqueConstraint("slug", "content_hash"),
        Index("one_current_study", "slug", unique=True, postgresql_where=text("is_current")),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    slug: Mapped[str]
    content_hash: Mapped[str]
    definition: Mapped[dict[str, Any]]
    is_current: Mapped[bool]
    loaded_at: Mapped[datetime] = _now()


class Recording(Base):
    """A finished recording; its files lie in the cache under its key."""

    __tablename__ = "recording"

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    clip: Mapped[str]
    clip_sha256: Mapped[str]
    condition: Mapped[dict[str, Any]]
    seed: Mapped[int]
    host_build: Mapped[str]
    agent_version: Mapped[str]
    kernel_release: Mapped[str]
    duration_ms: Mapped[int]
    audio_sha256: Mapped[str]
    result: Mapped[dict[str, Any]]
    made_at: Mapped[datetime] = _now()


session_metrics = Table(
    "session_metrics",
    Base.metadata,
    Column("recording_id", ForeignKey(Recording.id), primary_key=True),
    *(
        Column(column.name, BigInteger if column.kind is int else Double, nullable=False)
        for column in METRIC_COLUMNS
    ),
)


class TrialRecording(Base):
    """Which recording a study's trial uses from now on, for member `a` or `b`."""

    __tablename__ = "trial_recording"
    __table_args__ = (CheckConstraint("member in ('a', 'b')", "member"),)

    study_id: Mapped[int] = mapped_column(ForeignKey(Study.id), primary_key=True)
    trial_id: Mapped[str] = mapped_column(primary_key=True)
    member: Mapped[str] = mapped_column(primary_key=True)
    recording_id: Mapped[int] = mapped_column(ForeignKey(Recording.id))


class Participant(Base):
    """One person in one study. No address, no browser, no name is kept."""

    __tablename__ = "participant"
    __table_args__ = (UniqueConstraint("study_id", "join_key"),)

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    pseudonym: Mapped[str] = mapped_column(unique=True)
    study_id: Mapped[int] = mapped_column(ForeignKey(Study.id))
    join_key: Mapped[UUID]
    token_hash: Mapped[bytes] = mapped_column(unique=True)
    consent_version: Mapped[str]
    preview: Mapped[bool]
    joined_at: Mapped[datetime] = _now()
    completed_at: Mapped[datetime | None]
    completion_code: Mapped[str | None] = mapped_column(unique=True)


class Presentation(Base):
    """A trial as drawn for one participant: position, and which member is first."""

    __tablename__ = "presentation"
    __table_args__ = (
        UniqueConstraint("participant_id", "trial_id"),
        UniqueConstraint("participant_id", "position", name="uq_presentation_position"),
        CheckConstraint("first_member in ('a', 'b')", "first_member"),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey(Participant.id))
    trial_id: Mapped[str]
    position: Mapped[int]
    first_member: Mapped[str]
    first_recording_id: Mapped[int] = mapped_column(ForeignKey(Recording.id))
    second_recording_id: Mapped[int] = mapped_column(ForeignKey(Recording.id))
    trial_token: Mapped[str] = mapped_column(unique=True)
    first_token: Mapped[str] = mapped_column(unique=True)
    second_token: Mapped[str] = mapped_column(unique=True)
    opened_at: Mapped[datetime] = _now()


class Vote(Base):
    """An answer, as given. Written once."""

    __tablename__ = "vote"
    __table_args__ = (
        CheckConstraint("choice in ('first', 'second', 'no_difference')", "choice"),
        CheckConstraint("played_first in ('first', 'second')", "played_first"),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    presentation_id: Mapped[int] = mapped_column(ForeignKey(Presentation.id), unique=True)
    vote_key: Mapped[UUID] = mapped_column(unique=True)
    choice: Mapped[str]
    plays_first: Mapped[int]
    plays_second: Mapped[int]
    switches: Mapped[int]
    decision_ms: Mapped[int]
    played_first: Mapped[str | None]
    output_latency_ms: Mapped[float | None]
    events: Mapped[list[dict[str, Any]]]
    build: Mapped[str]
    received_at: Mapped[datetime] = _now()


class ServerSecret(Base):
    """One row: what this installation keeps to itself."""

    __tablename__ = "server_secret"
    __table_args__ = (CheckConstraint("id = 1", "one_row"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    participant_key: Mapped[bytes]
    setup_token: Mapped[str]
    password_hash: Mapped[str | None]


class ResearcherSession(Base):
    """A signed-in browser of the researcher."""

    __tablename__ = "researcher_session"

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    created_at: Mapped[datetime] = _now()
    expires_at: Mapped[datetime]
