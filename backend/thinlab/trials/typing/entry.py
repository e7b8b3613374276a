"""What a row of the exports of sessions and of keys is made of.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass, field

from thinlab.database.schema import Keystroke, Presentation, TypingSession
from thinlab.export.column import Cell
from thinlab.export.entry import Attendance, Experienced
from thinlab.study.definition import Block
from thinlab.study.trial import Trial


@dataclass(frozen=True)
class Typed(Experienced):
    """One session of a presentation."""

    row: TypingSession
    task_name: str
    void_before: tuple[str, ...]
    """Why each earlier session at this place does not count."""
    cells: dict[str, Cell] = field(default_factory=dict, compare=False)
    """Of its measures and of what the terminal measured."""

    @property
    def content(self) -> None:
        """It was live."""

    def is_one_with(self, other: Experienced) -> bool:
        """Nobody types twice alike: under one condition is as near as sessions come."""
        return self.condition_name == other.condition_name


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
