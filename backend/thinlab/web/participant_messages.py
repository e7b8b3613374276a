"""Everything a participant's browser is ever sent or may send, in one place.

Whoever checks the blinding reads this file: no field may tell a trial's
condition, clip or kind, and both members of a pair are described by the same
numbers.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

Token = Annotated[str, Field(min_length=20, max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
# Half a day: more than any trial lasts, less than what would overflow a column.
Duration = Annotated[int, Field(ge=0, le=43_200_000)]


class Message(BaseModel):
    """A body of a request or of a response: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")


class StudyState(StrEnum):
    """Whether a participant may join."""

    PREPARING = "preparing"
    OPEN = "open"
    CLOSED = "closed"


class ConsentText(Message):
    """What a participant agrees to."""

    version: str
    paragraphs: list[str]


class AnswerWording(Message):
    """The words on the three answer buttons."""

    first: str
    second: str
    no_difference: str


class StudyPage(Message):
    """What the landing page of a study shows."""

    slug: str
    title: str
    description: str
    state: StudyState
    consent: ConsentText
    question: str
    answers: AnswerWording
    trials_total: int
    credits: list[str] = Field(
        description="Whose voices and music the study uses, as their licences ask; in no order."
    )


class Joining(Message):
    """A browser joins; the same `join_key` again gives the same participant."""

    consent_version: Annotated[str, Field(min_length=1, max_length=64)]
    join_key: UUID
    preview: bool = Field(
        default=False,
        description="A researcher looks: needs their session; never counted, marked in the export.",
    )


class ParticipationState(StrEnum):
    """Whether trials remain."""

    OPEN = "open"
    COMPLETE = "complete"


class Participation(Message):
    """How far a participant is. The code exists once the server holds every vote."""

    study: str
    state: ParticipationState
    trials_total: int
    trials_done: int
    completion_code: str | None
    preview: bool


class Joined(Message):
    """The participant's credential, for `Authorization: Bearer …`."""

    participant_token: str
    participation: Participation


class RecordingHandle(Message):
    """An opaque name for one recording in one trial, dead after the vote."""

    recording_token: str


class OpenTrial(Message):
    """The trial to hear now. Asking again before the vote gives the same one."""

    trial_token: str
    position: int = Field(description="1 for the first trial.")
    trials_total: int
    duration_ms: int = Field(description="Of either recording.")
    sample_rate_hz: int
    first: RecordingHandle
    second: RecordingHandle
    question: str
    answers: AnswerWording


class Choice(StrEnum):
    """An answer, in the words of the presentation."""

    FIRST = "first"
    SECOND = "second"
    NO_DIFFERENCE = "no_difference"


class Member(StrEnum):
    """A recording's place in the presentation."""

    FIRST = "first"
    SECOND = "second"


class PlayerAction(StrEnum):
    """What happened in the player."""

    PLAY = "play"
    PAUSE = "pause"
    SWITCH = "switch"
    SEEK = "seek"
    LOOP = "loop"
    ENDED = "ended"
    HIDDEN = "hidden"
    VISIBLE = "visible"


class PlayerEvent(Message):
    """One action, for the record."""

    at_ms: Duration = Field(description="Since the trial was shown.")
    action: PlayerAction
    member: Member | None = Field(default=None, description="Which one is heard from now on.")
    position_ms: Duration | None = Field(default=None, description="In the recording.")


class VoteCast(Message):
    """An answer to the open trial, with how it was reached."""

    trial_token: Token
    vote_key: UUID = Field(description="The browser's key: sending it again is harmless.")
    choice: Choice
    plays_first: Count
    plays_second: Count
    switches: Count
    decision_ms: Duration = Field(description="From the trial shown to the vote.")
    played_first: Member | None = Field(default=None, description="Which one was heard first.")
    output_latency_ms: float | None = Field(default=None, ge=0, le=10_000, allow_inf_nan=False)
    events: Annotated[list[PlayerEvent], Field(max_length=2000)] = []


class VoteReceipt(Message):
    """The vote is on disk. The same key again gives the same receipt."""

    vote_key: UUID
    position: int
    received_at: datetime


class Health(Message):
    """Whether the server can take votes."""

    status: str
