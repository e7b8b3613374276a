"""The tables, in the order of the walk from a study to a vote.

Votes and presentations never change once written: triggers (see the
migrations) refuse UPDATE and DELETE, whoever asks. One way leads past them: a
participant's own withdrawal, which names itself for its transaction.

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
        Column(column.name, BigInteger if column.kind is int else Double, nullable=column.nullable)
        for column in METRIC_COLUMNS
    ),
)


class TrialRecording(Base):
    """Which recording a study's trial uses in a run from now on, for member `a` or `b`."""

    __tablename__ = "trial_recording"
    __table_args__ = (CheckConstraint("member in ('a', 'b')", "member"),)

    study_id: Mapped[int] = mapped_column(ForeignKey(Study.id), primary_key=True)
    trial_id: Mapped[str] = mapped_column(primary_key=True)
    run: Mapped[int] = mapped_column(primary_key=True)
    member: Mapped[str] = mapped_column(primary_key=True)
    recording_id: Mapped[int] = mapped_column(ForeignKey(Recording.id))


class RecordingJob(Base):
    """A recording that some study asked for: queued, being made, done or failed.

    The maker is another process, so this table is where it and the
    researcher's page meet, and what a restart goes on from.
    """

    __tablename__ = "recording_job"
    __table_args__ = (CheckConstraint("state in ('queued', 'making', 'done', 'failed')", "state"),)

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    spec_key: Mapped[str] = mapped_column(unique=True)
    clip: Mapped[str]
    clip_sha256: Mapped[str]
    condition: Mapped[dict[str, Any]]
    seed: Mapped[int]
    state: Mapped[str] = mapped_column(server_default="queued")
    share: Mapped[float] = mapped_column(server_default="0")
    problem: Mapped[str | None]
    remedy: Mapped[str | None]
    recording_id: Mapped[int | None] = mapped_column(ForeignKey(Recording.id))
    asked_at: Mapped[datetime] = _now()
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class PredictedQuality(Base):
    """What an objective measure predicts of a recording, or why it says nothing."""

    __tablename__ = "predicted_quality"

    recording_id: Mapped[int] = mapped_column(ForeignKey(Recording.id), primary_key=True)
    measure: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[str]
    score: Mapped[float | None]
    reason: Mapped[str | None]
    made_at: Mapped[datetime] = _now()


class StudyEvent(Base):
    """What a researcher did with a study: closed, reopened, unblinded, froze it. Append-only."""

    __tablename__ = "study_event"
    __table_args__ = (Index("events_of_a_study", "slug", "id"),)

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    slug: Mapped[str]
    study_id: Mapped[int] = mapped_column(ForeignKey(Study.id))
    kind: Mapped[str]
    reason: Mapped[str | None]
    details: Mapped[dict[str, Any]] = mapped_column(server_default=text("'{}'::jsonb"))
    at: Mapped[datetime] = _now()


class Participant(Base):
    """One person in one study. No address, no browser, no name is kept.

    `join_key` and the hashes link a browser to its answers; when the study's
    retention ends they are erased, and the answers are nobody's. `left_out` is
    the last word of `exclusion_entry`, here so that places are counted fast.
    """

    __tablename__ = "participant"
    __table_args__ = (
        UniqueConstraint("study_id", "join_key"),
        CheckConstraint("kind in ('person', 'preview', 'bot')", "kind"),
        Index("participants_of_a_study", "study_id", "kind"),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    pseudonym: Mapped[str] = mapped_column(unique=True)
    study_id: Mapped[int] = mapped_column(ForeignKey(Study.id))
    kind: Mapped[str]
    language: Mapped[str]
    join_key: Mapped[UUID | None]
    token_hash: Mapped[bytes | None] = mapped_column(unique=True)
    withdraw_hash: Mapped[bytes | None] = mapped_column(unique=True)
    consent_version: Mapped[str]
    joined_at: Mapped[datetime] = _now()
    last_seen_at: Mapped[datetime] = _now()
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
    completed_at: Mapped[datetime | None]
    completion_code: Mapped[str | None] = mapped_column(unique=True)
    withdrawn_at: Mapped[datetime | None]
    left_out: Mapped[bool] = mapped_column(server_default=text("false"))


class Invitation(Base):
    """A link for one person; only its hash is kept."""

    __tablename__ = "invitation"
    __table_args__ = (Index("invitations_of_a_study", "slug", "id"),)

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    slug: Mapped[str]
    label: Mapped[str]
    token_hash: Mapped[bytes] = mapped_column(unique=True)
    created_at: Mapped[datetime] = _now()
    participant_id: Mapped[int | None] = mapped_column(ForeignKey(Participant.id), unique=True)
    used_at: Mapped[datetime | None]


class ExclusionEntry(Base):
    """A researcher leaves a participant out, or takes them in again. Append-only."""

    __tablename__ = "exclusion_entry"
    __table_args__ = (Index("exclusions_of_a_participant", "participant_id", "id"),)

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey(Participant.id))
    excluded: Mapped[bool]
    reason: Mapped[str]
    at: Mapped[datetime] = _now()


class Allocation(Base):
    """Which row of a block a participant has, drawn under the study's lock."""

    __tablename__ = "allocation"

    participant_id: Mapped[int] = mapped_column(ForeignKey(Participant.id), primary_key=True)
    block_id: Mapped[str] = mapped_column(primary_key=True)
    row: Mapped[int]
    round: Mapped[int]


class QuestionnaireAnswer(Base):
    """An answer to one of the study's questions, as given. Written once."""

    __tablename__ = "questionnaire_answer"

    participant_id: Mapped[int] = mapped_column(ForeignKey(Participant.id), primary_key=True)
    question_id: Mapped[str] = mapped_column(primary_key=True)
    answer: Mapped[Any] = mapped_column(JSONB)
    answered_at: Mapped[datetime] = _now()


class Presentation(Base):
    """A trial as drawn for one participant: position, run, and which member is first.

    A trial to be heard names its recordings, by two tokens; one to be typed has
    none yet, and its tokens open the two sessions.
    """

    __tablename__ = "presentation"
    __table_args__ = (
        UniqueConstraint("participant_id", "trial_id"),
        UniqueConstraint("participant_id", "position", name="uq_presentation_position"),
        CheckConstraint("first_member in ('a', 'b')", "first_member"),
        CheckConstraint("medium in ('heard', 'typed')", "medium"),
        CheckConstraint(
            "medium = 'typed' or (second_recording_id is null) = (second_token is null)",
            "second_has_a_token",
        ),
        CheckConstraint(
            "case medium when 'heard' then first_recording_id is not null "
            "else first_recording_id is null and second_recording_id is null "
            "and second_token is not null end",
            "heard_has_recordings",
        ),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey(Participant.id))
    block_id: Mapped[str]
    trial_id: Mapped[str]
    position: Mapped[int]
    training: Mapped[bool]
    run: Mapped[int]
    first_member: Mapped[str]
    medium: Mapped[str]
    first_recording_id: Mapped[int | None] = mapped_column(ForeignKey(Recording.id))
    second_recording_id: Mapped[int | None] = mapped_column(ForeignKey(Recording.id))
    trial_token: Mapped[str] = mapped_column(unique=True)
    first_token: Mapped[str] = mapped_column(unique=True)
    second_token: Mapped[str | None] = mapped_column(unique=True)
    drawn_at: Mapped[datetime] = _now()


class TypingSession(Base):
    """One session of a trial to be typed, from its lane opened to its measures.

    `typing`: under way. `done`: counts. `void`: something came between, the
    `reason` says what; the place is offered again, as the next attempt.
    """

    __tablename__ = "typing_session"
    __table_args__ = (
        UniqueConstraint("presentation_id", "place", "attempt"),
        Index(
            "one_session_a_place",
            "presentation_id",
            "place",
            unique=True,
            postgresql_where=text("state <> 'void'"),
        ),
        CheckConstraint("place in ('first', 'second')", "place"),
        CheckConstraint("state in ('typing', 'done', 'void')", "state"),
        CheckConstraint("(state = 'void') = (reason is not null)", "void_has_a_reason"),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    presentation_id: Mapped[int] = mapped_column(ForeignKey(Presentation.id))
    place: Mapped[str]
    attempt: Mapped[int]
    state: Mapped[str] = mapped_column(server_default="typing")
    reason: Mapped[str | None]
    condition: Mapped[dict[str, Any]]
    seed: Mapped[int]
    task: Mapped[dict[str, Any]]
    language: Mapped[str]
    opened_at: Mapped[datetime] = _now()
    ready_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    end: Mapped[str | None]
    host: Mapped[str | None]
    host_build: Mapped[str | None]
    agent_version: Mapped[str | None]
    kernel_release: Mapped[str | None]
    transport: Mapped[str | None]
    reconnects: Mapped[int | None]
    link_rtt_p50_ms: Mapped[float | None]
    link_rtt_p95_ms: Mapped[float | None]
    link_jitter_ms: Mapped[float | None]
    clock_uncertainty_ms: Mapped[float | None]
    emulator_trustworthy: Mapped[bool | None]
    final_text: Mapped[str | None]
    measures: Mapped[dict[str, Any] | None]
    result: Mapped[dict[str, Any] | None]


class Keystroke(Base):
    """One key on its way from the finger to the glyph.

    `pressed_us`: since the terminal was ready. Every other stamp: since the key
    was pressed, on one clock line; none where the step was not seen.
    """

    __tablename__ = "keystroke"

    session_id: Mapped[int] = mapped_column(ForeignKey(TypingSession.id), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    repeat: Mapped[bool]
    data: Mapped[str | None]
    pressed_us: Mapped[int]
    released_us: Mapped[int | None]
    backend_received_us: Mapped[int | None]
    agent_received_us: Mapped[int | None]
    pty_written_us: Mapped[int | None]
    key_written_us: Mapped[int | None]
    key_sent_us: Mapped[int | None]
    key_arrived_us: Mapped[int | None]
    key_delivered_us: Mapped[int | None]
    echo_written_us: Mapped[int | None]
    echo_sent_us: Mapped[int | None]
    echo_arrived_us: Mapped[int | None]
    echo_delivered_us: Mapped[int | None]
    screen_us: Mapped[int | None]
    agent_forwarded_us: Mapped[int | None]
    backend_forwarded_us: Mapped[int | None]
    painted_us: Mapped[int | None]
    screen: Mapped[int | None]
    key_transmissions: Mapped[int | None]
    echo_transmissions: Mapped[int | None]
    key_recovery: Mapped[str | None]
    echo_recovery: Mapped[str | None]


class Vote(Base):
    """An answer, as given: a choice, or a score on the block's scale. Written once."""

    __tablename__ = "vote"
    __table_args__ = (
        CheckConstraint("choice in ('first', 'second', 'no_difference')", "choice"),
        CheckConstraint("score between -3 and 5", "score"),
        CheckConstraint("(choice is null) <> (score is null)", "choice_or_score"),
        CheckConstraint("played_first in ('first', 'second')", "played_first"),
        CheckConstraint("noticeable between 1 and 4", "noticeable"),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    presentation_id: Mapped[int] = mapped_column(ForeignKey(Presentation.id), unique=True)
    vote_key: Mapped[UUID] = mapped_column(unique=True)
    choice: Mapped[str | None]
    score: Mapped[int | None]
    noticeable: Mapped[int | None]
    plays_first: Mapped[int]
    plays_second: Mapped[int]
    switches: Mapped[int]
    decision_ms: Mapped[int]
    played_first: Mapped[str | None]
    output_latency_ms: Mapped[float | None]
    events: Mapped[list[dict[str, Any]]]
    build: Mapped[str]
    received_at: Mapped[datetime] = _now()


class Demo(Base):
    """A live demo. `broken_off`: the server ended under it; what was written stays."""

    __tablename__ = "demo"
    __table_args__ = (
        CheckConstraint("fate in ('running', 'ended', 'broken_off')", "fate"),
        CheckConstraint("(fate = 'running') = (ended_at is null)", "running_has_no_end"),
        CheckConstraint("(share_key is null) = (share_hash is null)", "shared_or_not"),
    )

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
    title: Mapped[str]
    settings: Mapped[dict[str, Any]]
    fate: Mapped[str] = mapped_column(server_default="running")
    began_at: Mapped[datetime] = _now()
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
    end: Mapped[str | None]
    result: Mapped[dict[str, Any] | None]


class DemoEvent(Base):
    """Something that happened to a demo."""

    __tablename__ = "demo_event"
    __table_args__ = (CheckConstraint("who in ('presenter', 'server')", "who"),)

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

    id: Mapped[int] = mapped_column(Identity(always=True), primary_key=True)
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
    __table_args__ = (CheckConstraint("choice in ('A', 'B', 'C', 'D', 'no_difference')", "choice"),)

    poll_id: Mapped[int] = mapped_column(ForeignKey(DemoPoll.id), primary_key=True)
    listener_hash: Mapped[bytes] = mapped_column(primary_key=True)
    choice: Mapped[str]
    voted_at: Mapped[datetime] = _now()


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
