"""What is asked of a kind of block; `registry` has the kinds. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.inconsistency import Inconsistency
from thinlab.study.schedule import Drawn, MemberName


@dataclass(frozen=True)
class Turn:
    """One trial as a participant meets it."""

    trial: int
    """Index in the block."""
    run: int
    """Counted from 0."""
    first_member: MemberName


@dataclass(frozen=True)
class Taken:
    """A turn with its vote, as presented."""

    turn: Turn
    choice: str | None
    score: int | None


class BlockKind(Protocol):
    """A kind of block, from a study's file to its last trial."""

    chosen_by_answers: bool
    """Whether what comes next depends on what was answered; else all is drawn at the start."""

    def length(self, block: Block) -> int:
        """How many trials of it each participant does."""

    def at_start(
        self, definition: StudyDefinition, block: Block, drawn: Drawn, seed: str
    ) -> Sequence[Turn]:
        """What is drawn with the session. `seed`: of the participant, the same ever after."""

    def after(
        self, definition: StudyDefinition, block: Block, seed: str, taken: Sequence[Taken]
    ) -> Turn | None:
        """What follows these, in order; none where nothing does, or all was drawn at the start.

        The same for the same votes, whoever asks, and when.
        """

    def inconsistencies(
        self, definition: StudyDefinition, number: int, block: Block
    ) -> Iterator[Inconsistency]:
        """What does not fit in what a study says of a block of this kind, its `number`th from 0."""

    def order(self, block: Block) -> str:
        """In the outline: how its trials follow each other."""

    def allocation(self, definition: StudyDefinition, block: Block) -> str:
        """In the outline: what participants are handed out."""

    def left_over(self, block: Block, completed: int) -> int:
        """By how many of so many participants the block is out of balance; 0: it is balanced."""
