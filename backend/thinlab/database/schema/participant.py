"""Participants: who they are here, how they were let in, and what they said beside the trials.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import date, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from thinlab.database.schema.base import Base, now_by_database, numbered_by_database, one_of
from thinlab.database.schema.study import Study


class Participant(Base):
    """One person in one study. No address, no browser, no name is kept.

    `join_key` and the hashes link a browser to its answers; when the study's
    retention ends they are erased, and the answers are nobody's. `left_out` is
    the last word of `exclusion_entry`, here so that places are counted fast.
    `ineligible_by` is the question whose answer has kept them out, `hearing` the
    outcome of each test so far, `hearing_failed` the one that was failed for good.
    """

    __tablename__ = "participant"
    __table_args__ = (
        UniqueConstraint("study_id", "join_key"),
        one_of("kind", "person", "preview", "bot"),
        Index("participants_of_a_study", "study_id", "kind"),
    )

    id: Mapped[int] = numbered_by_database()
    pseudonym: Mapped[str] = mapped_column(unique=True)
    study_id: Mapped[int] = mapped_column(ForeignKey(Study.id))
    kind: Mapped[str]
    language: Mapped[str]
    join_key: Mapped[UUID | None]
    token_hash: Mapped[bytes | None] = mapped_column(unique=True)
    withdraw_hash: Mapped[bytes | None] = mapped_column(unique=True)
    consent_version: Mapped[str]
    joined_at: Mapped[datetime] = now_by_database()
    last_seen_at: Mapped[datetime] = now_by_database()
    sound_checked_at: Mapped[datetime | None]
    level_percent: Mapped[int | None]
    headphones_correct: Mapped[int | None]
    headphones_of: Mapped[int | None]
    headphones_tries: Mapped[int | None]
    headphones_passed: Mapped[bool | None]
    connection_checked_at: Mapped[datetime | None]
    connection_tries: Mapped[int | None]
    connection_passed: Mapped[bool | None]
    connection_transport: Mapped[str | None]
    connection_rtt_ms: Mapped[float | None]
    connection_jitter_ms: Mapped[float | None]
    connection_lost_share: Mapped[float | None]
    ineligible_by: Mapped[str | None]
    hearing: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    hearing_failed: Mapped[str | None]
    completed_at: Mapped[datetime | None]
    completion_code: Mapped[str | None] = mapped_column(unique=True)
    withdrawn_at: Mapped[datetime | None]
    left_out: Mapped[bool] = mapped_column(server_default=text("false"))


class HeadphoneTest(Base):
    """A try of the headphone test: which noise of each round has the tone, and what was answered.

    The sounds are made of `seed` when they are asked for.
    """

    __tablename__ = "headphone_test"

    participant_id: Mapped[int] = mapped_column(ForeignKey(Participant.id), primary_key=True)
    number: Mapped[int] = mapped_column("try", primary_key=True)
    seed: Mapped[bytes]
    tones: Mapped[list[int]] = mapped_column(JSONB)
    answers: Mapped[list[int] | None] = mapped_column(JSONB(none_as_null=True))


class HearingTest(Base):
    """A try of a test of hearing or equipment: which sound of each round is the right one.

    As of the headphone test, the sounds are made of `seed` when they are asked for. Where answers
    come one by one, a try goes on as long as there are fewer of them than of `rights`.
    """

    __tablename__ = "hearing_test"

    participant_id: Mapped[int] = mapped_column(ForeignKey(Participant.id), primary_key=True)
    test: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column("try", primary_key=True)
    seed: Mapped[bytes]
    rights: Mapped[list[Any]] = mapped_column(JSONB)
    answers: Mapped[list[Any] | None] = mapped_column(JSONB(none_as_null=True))


class Invitation(Base):
    """A link for one person; only its hash is kept.

    `used_on`: no instant, for that of joining is the participant's. When they
    withdraw, label and day go; when the retention ends, the hash, too.
    """

    __tablename__ = "invitation"
    __table_args__ = (Index("invitations_of_a_study", "slug", "id"),)

    id: Mapped[int] = numbered_by_database()
    slug: Mapped[str]
    label: Mapped[str]
    token_hash: Mapped[bytes | None] = mapped_column(unique=True)
    created_at: Mapped[datetime] = now_by_database()
    participant_id: Mapped[int | None] = mapped_column(ForeignKey(Participant.id), unique=True)
    used: Mapped[bool] = mapped_column(server_default=text("false"))
    used_on: Mapped[date | None]


class ExclusionEntry(Base):
    """A researcher leaves a participant out, or takes them in again. Append-only."""

    __tablename__ = "exclusion_entry"
    __table_args__ = (Index("exclusions_of_a_participant", "participant_id", "id"),)

    id: Mapped[int] = numbered_by_database()
    participant_id: Mapped[int] = mapped_column(ForeignKey(Participant.id))
    excluded: Mapped[bool]
    reason: Mapped[str]
    at: Mapped[datetime] = now_by_database()


class QuestionnaireAnswer(Base):
    """An answer to one of the study's questions, as given. Written once."""

    __tablename__ = "questionnaire_answer"

    participant_id: Mapped[int] = mapped_column(ForeignKey(Participant.id), primary_key=True)
    question_id: Mapped[str] = mapped_column(primary_key=True)
    answer: Mapped[Any] = mapped_column(JSONB)
    answered_at: Mapped[datetime] = now_by_database()
