"""What a row of an export is made of: a vote with all that belongs to it, a session, a key, or a
participant.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from thinlab.condition.condition import Condition
from thinlab.database.schema import (
    Keystroke,
    Participant,
    PredictedQuality,
    Presentation,
    Recording,
    Study,
    TypingSession,
    Vote,
)
from thinlab.export.column import Cell
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.trial import Trial


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
    rules: tuple[str, ...]
    """Declared rules that exclude them."""
    left_out_because: str | None
    """The researcher's reason, if the researcher leaves them out."""
    answers: Mapping[str, object]
    """To the questionnaire, by question."""
    votes: int
    training_votes: int

    @property
    def excluded(self) -> bool:
        """By a rule or by the researcher."""
        return bool(self.rules) or self.left_out_because is not None


@dataclass(frozen=True)
class Heard:
    """One recording of a presentation, with what the study calls its condition."""

    row: Recording
    member: str
    condition_name: str
    condition: Condition
    """As recorded, not as a later file may say."""
    metrics: Mapping[str, int | float | None]
    """Of its session, by the columns' names."""
    predicted: PredictedQuality | None
    cells: dict[str, Cell] = field(default_factory=dict, compare=False)
    """Of its columns, once worked out: many votes are about one recording."""


@dataclass(frozen=True)
class Typed:
    """One session of a presentation, with what the study calls its condition."""

    row: TypingSession
    member: str
    condition_name: str
    condition: Condition
    """As typed, not as a later file may say."""
    task_name: str
    void_before: tuple[str, ...]
    """Why each earlier session at this place does not count."""
    cells: dict[str, Cell] = field(default_factory=dict, compare=False)
    """Of its measures and of what the terminal measured."""


Experienced = Heard | Typed


@dataclass(frozen=True)
class SessionEntry:
    """A session, whether it counts or not."""

    attendance: Attendance
    block: Block
    trial: Trial
    presentation: Presentation
    typed: Typed


@dataclass(frozen=True)
class KeyEntry:
    """A key of a session."""

    session: SessionEntry
    key: Keystroke


@dataclass(frozen=True)
class VoteEntry:
    """A vote, and exactly what was heard or typed before it."""

    attendance: Attendance
    block: Block
    trial: Trial
    presentation: Presentation
    vote: Vote
    player_events: int
    first: Experienced
    second: Experienced | None
    """None where a recording is judged alone."""

    @property
    def preferred(self) -> Experienced | None:
        """What the answer prefers; none for no difference, and where nothing is compared."""
        if self.second is None:
            return None
        if self.vote.score is not None:
            # The score tells how the second compares to the first.
            by_sign = {True: self.second, False: self.first}
            return None if self.vote.score == 0 else by_sign[self.vote.score > 0]
        return {"first": self.first, "second": self.second}.get(self.vote.choice or "")
