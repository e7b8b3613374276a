"""What the browser of a participant who listens is sent and may send: nothing tells the condition.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from thinlab.participation.messages import (
    Account,
    Count,
    Duration,
    Member,
    Message,
    PresentedTrial,
)
from thinlab.study.hearing.registry import HearingTestName


class HeadphoneTry(Message):
    """A try of the headphone test, drawn for this participant."""

    number: int = Field(description="1 for the first; a try counts once it is answered.")
    rounds: int


class HeadphoneAnswers(Message):
    """Which of the three sounds it was, round by round."""

    number: Annotated[int, Field(ge=1, le=100)] = Field(description="Of the try.")
    answers: Annotated[list[Annotated[int, Field(ge=0, le=2)]], Field(min_length=6, max_length=6)]


class HearingTry(Message):
    """A try of a test of hearing or equipment, drawn for this participant."""

    test: HearingTestName
    number: int = Field(description="1 for the first; a try counts once it is answered.")
    rounds: int
    sounds: int = Field(description="In each round; one of them is the right one.")
    needed: bool = Field(description="Whether who does not pass cannot take part.")
    answered: int = Field(
        description="Rounds that the server has the answers of, where each is sent by itself."
    )


class HearingAnswers(Message):
    """Which sound it was, round by round; 0 is the first."""

    test: HearingTestName
    number: Annotated[int, Field(ge=1, le=100)] = Field(description="Of the try.")
    answers: Annotated[list[Annotated[int, Field(ge=0, le=2)]], Field(min_length=3, max_length=30)]


class HearingRoundAnswer(Message):
    """What was heard in the round that is due, of a test whose answers are sent one by one."""

    test: HearingTestName
    number: Annotated[int, Field(ge=1, le=100)] = Field(description="Of the try.")
    round: Annotated[int, Field(ge=1, le=100)]
    answer: Annotated[str, Field(min_length=1, max_length=20)] = Field(
        description="Of digits in noise: the three digits."
    )


class HearingRounds(Message):
    """How far a try is; never how well."""

    answered: int = Field(description="Rounds that the server has the answers of.")
    over: bool = Field(description="Whether it is judged: ask what comes next.")


class SoundCheck(Message):
    """How the sound was set on this device."""

    level_percent: Annotated[int, Field(ge=0, le=100)]
    headphones: HeadphoneAnswers | None = Field(
        default=None, description="Null where the study does no test, or none was done."
    )


class RecordingHandle(Message):
    """An opaque name for one recording in one trial, dead after the vote."""

    recording_token: str


Playback = TypeAliasType(
    "Playback",
    Annotated[
        Literal["free", "in_turn"], Field(title="Playback", description="How a pair is played.")
    ],
)


class HeardTrial(PresentedTrial):
    """A trial to hear."""

    medium: Literal["heard"]
    playback: Playback
    must_hear_share: float | None = Field(
        description="Played freely: of either recording, in different parts, before an answer; the "
        "same in the whole block. Null: five seconds of each, or each to its end in turn."
    )
    duration_ms: int = Field(description="Of either recording.")
    sample_rate_hz: int
    first: RecordingHandle
    second: RecordingHandle | None = Field(description="Null where one recording is judged alone.")
    x: RecordingHandle | None = Field(
        description="One of the two once more, where which one it is, is asked; the open reference "
        "where several are rated beside it; else null."
    )
    others: list[RecordingHandle] = Field(
        default=[], description="To be rated beside the first, in this order; else empty."
    )


class Passage(Message):
    """A part of a recording that sounded."""

    from_ms: Duration
    to_ms: Duration


Passages = Annotated[list[Passage], Field(max_length=1000)]


class HeardAccount(Account):
    """How a listener came to an answer."""

    medium: Literal["heard"]
    plays_first: Count
    plays_second: Count
    plays_x: Count | None = Field(default=None, description="Null where there is no X.")
    switches: Count
    played_first: Member | None = Field(default=None, description="Which one was heard first.")
    covered_first: Passages | None = Field(
        default=None, description="Which parts of the first sounded; null: not told."
    )
    covered_second: Passages | None = Field(default=None, description="And of the second.")
    covered_x: Passages | None = Field(default=None, description="And of X.")
    output_latency_ms: float | None = Field(default=None, ge=0, le=10_000, allow_inf_nan=False)
