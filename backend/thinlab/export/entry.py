"""What a row of an export is made of: a participant, or a vote with all that belongs to it.

SPDX-License-Identifier: Apache-2.0
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from thinlab.condition.condition import Condition
from thinlab.condition.reference import RecordedCondition, Reference
from thinlab.database.schema import (
    Participant,
    Presentation,
    Recording,
    Study,
    TypingSession,
    Vote,
)
from thinlab.monitoring.finding import Flag
from thinlab.monitoring.rhythm import Verdict
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.trial import PlaceName, Trial

Place = PlaceName
LeftOutBecause = Literal[
    "preview", "bot", "excluded", "unfinished", "other_version", "training", "known_answer"
]


@dataclass(frozen=True)
class Frozen:
    """The study as it was frozen last."""

    hash: str
    at: datetime


@dataclass(frozen=True)
class Attendance:
    """A participant, and whether the analysis counts them."""

    study: Study
    definition: StudyDefinition
    frozen: Frozen | None
    """Before the participant joined."""
    deviations: int
    participant: Participant
    invited: bool
    flags: tuple[Flag, ...]
    """Declared rules that they fall under."""
    rhythm: Verdict | None
    """Of what they typed; none where nothing is."""
    left_out_because: str | None
    """The researcher's reason, if the researcher leaves them out."""
    answers: Mapping[str, object]
    """To the questionnaire, by question."""
    votes: int
    training_votes: int

    @property
    def excluded(self) -> bool:
        """By a rule or by the researcher."""
        by_rule = any(flag.excludes for flag in self.flags)
        return by_rule or self.left_out_because is not None


@dataclass(frozen=True)
class Experienced(ABC):
    """What was presented at one place, with what the study calls its condition."""

    member: str
    condition_name: str
    condition: RecordedCondition
    """As it was then, not as a later file may say."""
    row: Recording | TypingSession

    @property
    def run(self) -> "Run":
        """That carried it."""
        row = self.row
        if isinstance(self.condition, Reference):
            return Run(row.seed, None, None, None)
        return Run(row.seed, row.host_build, row.kernel_release, row.agent_version)

    @property
    def sent(self) -> Condition | None:
        """How it was sent; none of a reference, which was not."""
        return None if isinstance(self.condition, Reference) else self.condition

    @property
    @abstractmethod
    def content(self) -> str | None:
        """SHA-256 of the bytes that were presented; none where it was live."""

    @abstractmethod
    def is_one_with(self, other: "Experienced") -> bool:
        """Whether the two cannot be told apart, as those of a control."""


@dataclass(frozen=True)
class Run:
    """Where and with what randomness something was sent."""

    seed: int
    host_build: str | None
    kernel_release: str | None
    agent_version: str | None


@dataclass(frozen=True)
class VoteEntry:
    """A vote, and exactly what was presented before it."""

    attendance: Attendance
    block: Block
    trial: Trial
    presentation: Presentation
    vote: Vote
    player_events: int
    attention_events: Sequence[Mapping[str, Any]]
    """Of these, what `attention_of` looks at."""
    first: Experienced
    second: Experienced | None
    """None where a recording is judged alone."""
    of_other_version: bool
    """Whether the study's file has since changed what the answer is about."""

    @property
    def left_out(self) -> LeftOutBecause | None:
        """Why the results leave this vote out; none where they count it."""
        person = self.attendance.participant
        if person.kind != "person":
            return "bot" if person.kind == "bot" else "preview"
        if self.attendance.excluded:
            return "excluded"
        if person.completed_at is None:
            return "unfinished"
        if self.of_other_version:
            return "other_version"
        if self.presentation.training:
            return "training"
        return "known_answer" if self.trial.kind in {"gold", "trapping"} else None

    @property
    def is_same_bytes(self) -> bool | None:
        """Whether both places had the same bytes; none where that is no question."""
        if self.second is None or self.first.content is None:
            return None
        return self.first.content == self.second.content

    @property
    def preferred_place(self) -> Place | None:
        """Which place the answer prefers; none for no difference, and where nothing is compared."""
        if not self.compares:
            return None
        if self.vote.score is not None:
            # The score tells how the second compares to the first.
            return None if self.vote.score == 0 else "second" if self.vote.score > 0 else "first"
        chosen: dict[str | None, Place] = {"first": "first", "second": "second"}
        return chosen.get(self.vote.choice)

    @property
    def compares(self) -> bool:
        """Whether the answer prefers one of two, or neither: not on scales that ask otherwise."""
        scale = self.block.scale
        return self.second is not None and scale.rated is None and not scale.has_x

    def at(self, place: Place) -> Experienced | None:
        """What was presented there."""
        return self.first if place == "first" else self.second

    @property
    def is_one_twice(self) -> bool:
        """Whether both places had the same."""
        return self.second is not None and self.first.is_one_with(self.second)

    @property
    def preferred(self) -> Experienced | None:
        """What the answer prefers; none for no difference, and where nothing is compared."""
        place = self.preferred_place
        return None if place is None else self.at(place)
