"""Every trial once, in the row that the participant has drawn.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence

from thinlab.study.blocks.kind import Taken, Turn
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.inconsistency import Inconsistency
from thinlab.study.schedule import Drawn, covers_of, rows_of, run_of
from thinlab.study.trial import runs_of


class RowsKind:
    """As `BlockKind`."""

    chosen_by_answers = False

    def length(self, block: Block) -> int:
        """All of them."""
        return len(block.trials)

    def at_start(
        self,
        definition: StudyDefinition,  # noqa: ARG002
        block: Block,
        drawn: Drawn,
        seed: str,  # noqa: ARG002
    ) -> Sequence[Turn]:
        """The row, whole."""
        rows = rows_of(block)
        return [
            Turn(
                place.trial,
                run_of(place.trial, drawn, runs_of(block.trials[place.trial]), len(rows)),
                place.first_member,
            )
            for place in rows[drawn.row]
        ]

    def after(
        self,
        definition: StudyDefinition,  # noqa: ARG002
        block: Block,  # noqa: ARG002
        seed: str,  # noqa: ARG002
        taken: Sequence[Taken],  # noqa: ARG002
    ) -> Turn | None:
        """Nothing: all is drawn."""
        return None

    def inconsistencies(
        self,
        definition: StudyDefinition,  # noqa: ARG002
        number: int,  # noqa: ARG002
        block: Block,  # noqa: ARG002
    ) -> Iterator[Inconsistency]:
        """None beyond those of its trials."""
        yield from ()

    def order(self, block: Block) -> str:
        """As the file has it."""
        return f"order {block.order}, sides {block.sides}"

    def allocation(self, definition: StudyDefinition, block: Block) -> str:  # noqa: ARG002
        """Its rows."""
        covers = covers_of(block)
        rows = sum(len(cover) for cover in covers)
        return (
            f"{rows} rows; each trial comes at each position on each side once in {len(covers[0])}"
        )

    def left_over(self, block: Block, completed: int) -> int:
        """Each cover is in balance."""
        return completed % len(covers_of(block)[0])
