"""Staircases, as `thinlab.study.blocks.registry` knows them.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from thinlab.study.blocks.adaptive.choice import clips, length, next_turn
from thinlab.study.blocks.adaptive.consistency import inconsistencies_of_staircases
from thinlab.study.blocks.adaptive.levels import QUANTITIES, staircase_of, staircases, written
from thinlab.study.blocks.kind import Turn
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.schedule import Drawn
from thinlab.study.trial import member_conditions, presented, runs_of, seeds_of


class AdaptiveKind:
    """As `BlockKind`."""

    chosen_by_answers = True
    length = staticmethod(length)
    after = staticmethod(next_turn)
    inconsistencies = staticmethod(inconsistencies_of_staircases)

    def at_start(
        self,
        definition: StudyDefinition,
        block: Block,
        drawn: Drawn,  # noqa: ARG002
        seed: str,
    ) -> Sequence[Turn]:
        """The first one: it hangs on the prior alone."""
        first = next_turn(definition, block, seed, [])
        return [] if first is None else [first]

    def order(self, block: Block) -> str:
        """By what is answered."""
        return f"each next level by QUEST+ over {staircase_of(block).quantity}, sides balanced"

    def allocation(self, definition: StudyDefinition, block: Block) -> str:
        """The staircases, their levels, and what has to be recorded for them."""
        staircase = staircase_of(block)
        quantity = staircase.quantity
        values = sorted(
            {one.value for mine in staircases(definition, block).values() for one in mine}
        )
        each = len(clips(block))
        needed = {
            (presented(trial), condition, seed)
            for trial in block.trials
            for run in range(runs_of(trial))
            for condition, seed in zip(member_conditions(trial), seeds_of(trial, run), strict=True)
        }
        return (
            f"{each} staircase{'s' if each > 1 else ''}, one for each clip, {staircase.trials} "
            f"trials each; {QUANTITIES[quantity].words} "
            f"{', '.join(written(value, quantity) for value in values)}; "
            f"needs {len(needed)} recordings, all made beforehand"
        )

    def left_over(self, block: Block, completed: int) -> int:  # noqa: ARG002
        """None: there are no rows to use up."""
        return 0
