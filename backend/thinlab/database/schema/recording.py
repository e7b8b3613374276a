"""Recordings, what was measured of them, who asked for them, and where they are used.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from thinlab.database.schema.base import Base, now_by_database, numbered_by_database, one_of
from thinlab.database.schema.study import Study


class Specified:
    """What a recording is made of; its key, or that of what is asked for, follows from this."""

    clip: Mapped[str]
    clip_sha256: Mapped[str]
    condition: Mapped[dict[str, Any]]
    seed: Mapped[int]


class Recording(Specified, Base):
    """A finished recording; its files lie in the cache under its key.

    What was measured is kept as the agent told it, in two columns: `result` without
    its lists, which are long, and `series` with these by their paths. Both are empty of a
    reference, which nothing was sent for; its host is the one that recordings were made on then,
    so that the members of a run are of one host.
    """

    __tablename__ = "recording"

    id: Mapped[int] = numbered_by_database()
    key: Mapped[str] = mapped_column(unique=True)
    host_build: Mapped[str]
    agent_version: Mapped[str]
    kernel_release: Mapped[str]
    duration_ms: Mapped[int]
    audio_sha256: Mapped[str]
    result: Mapped[dict[str, Any]]
    series: Mapped[dict[str, Any]] = mapped_column(deferred=True)
    made_at: Mapped[datetime] = now_by_database()


class TrialRecording(Base):
    """Which recording a study's trial uses in a run from now on, for member `a` or `b`."""

    __tablename__ = "trial_recording"
    __table_args__ = (one_of("member", "a", "b"),)

    study_id: Mapped[int] = mapped_column(ForeignKey(Study.id), primary_key=True)
    trial_id: Mapped[str] = mapped_column(primary_key=True)
    run: Mapped[int] = mapped_column(primary_key=True)
    member: Mapped[str] = mapped_column(primary_key=True)
    recording_id: Mapped[int] = mapped_column(ForeignKey(Recording.id))


class RecordingJob(Specified, Base):
    """A recording that some study asked for: queued, being made, done or failed.

    The maker is another process, so this table is where it and the
    researcher's page meet, and what a restart goes on from.
    """

    __tablename__ = "recording_job"
    __table_args__ = (one_of("state", "queued", "making", "done", "failed"),)

    id: Mapped[int] = numbered_by_database()
    spec_key: Mapped[str] = mapped_column(unique=True)
    state: Mapped[str] = mapped_column(server_default="queued")
    share: Mapped[float] = mapped_column(server_default="0")
    problem: Mapped[str | None]
    remedy: Mapped[str | None]
    recording_id: Mapped[int | None] = mapped_column(ForeignKey(Recording.id))
    asked_at: Mapped[datetime] = now_by_database()
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
    made_at: Mapped[datetime] = now_by_database()
