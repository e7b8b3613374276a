"""From a drawn session to its votes.

Votes and presentations never change once written: the server's role may only
add them (`roles`), and triggers (see the migrations) refuse UPDATE and DELETE
even to their owner. One way leads past them: a participant's own withdrawal,
by the owner's function `delete_answers`.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from thinlab.database.schema.base import Base, now_by_database, numbered_by_database, one_of
from thinlab.database.schema.participant import Participant
from thinlab.database.schema.recording import Recording


class Allocation(Base):
    """Which row of a block a participant has, drawn under the study's lock."""

    __tablename__ = "allocation"

    participant_id: Mapped[int] = mapped_column(ForeignKey(Participant.id), primary_key=True)
    block_id: Mapped[str] = mapped_column(primary_key=True)
    row: Mapped[int]
    round: Mapped[int]


class Presentation(Base):
    """A trial as drawn for one participant: position, run, and which member is first.

    A trial to be heard names its recordings, by two tokens; one to be typed has
    none yet, and its tokens open the two sessions. `x_place` says which of the two is
    presented once more, by `x_token`: where that is what is asked, and where it is the open
    reference of a page.
    """

    __tablename__ = "presentation"
    __table_args__ = (
        # No two at one position: nobody's trials that are chosen by answers ever fork.
        UniqueConstraint("participant_id", "position", name="uq_presentation_position"),
        one_of("first_member", "a", "b"),
        CheckConstraint(
            "medium <> 'heard' or (second_recording_id is null) = (second_token is null)",
            "second_has_a_token",
        ),
        one_of("x_place", "first", "second"),
        CheckConstraint("(x_place is null) = (x_token is null)", "x_has_a_token"),
        CheckConstraint(
            "case medium when 'heard' then first_recording_id is not null "
            "else first_recording_id is null and second_recording_id is null "
            "and second_token is not null end",
            "heard_has_recordings",
        ),
    )

    id: Mapped[int] = numbered_by_database()
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
    x_place: Mapped[str | None]
    x_token: Mapped[str | None] = mapped_column(unique=True)
    drawn_at: Mapped[datetime] = now_by_database()


class RecordingFetch(Base):
    """When a participant's page first fetched a recording of a presentation."""

    __tablename__ = "recording_fetch"
    __table_args__ = (one_of("place", "first", "second", "x"),)

    presentation_id: Mapped[int] = mapped_column(ForeignKey(Presentation.id), primary_key=True)
    place: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[datetime] = now_by_database()


class Vote(Base):
    """An answer, as given: a choice, or a score on the block's scale. Written once.

    `account`: how it was reached, as the kind of trial tells it (`participation/messages.py`).
    `events`: what happened on the page.
    """

    __tablename__ = "vote"
    __table_args__ = (
        one_of("choice", "first", "second", "no_difference"),
        CheckConstraint("score between -3 and 100", "score"),
        CheckConstraint("(choice is null) <> (score is null)", "choice_or_score"),
        CheckConstraint("noticeable between 1 and 4", "noticeable"),
    )

    id: Mapped[int] = numbered_by_database()
    presentation_id: Mapped[int] = mapped_column(ForeignKey(Presentation.id), unique=True)
    vote_key: Mapped[UUID] = mapped_column(unique=True)
    choice: Mapped[str | None]
    score: Mapped[int | None]
    noticeable: Mapped[int | None]
    decision_ms: Mapped[int]
    account: Mapped[dict[str, Any]]
    events: Mapped[list[dict[str, Any]]]
    build: Mapped[str]
    received_at: Mapped[datetime] = now_by_database()
