"""Every kind of block, and what a study is by their lengths.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.study.blocks.adaptive.kind import AdaptiveKind
from thinlab.study.blocks.kind import BlockKind
from thinlab.study.blocks.rows.kind import RowsKind
from thinlab.study.definition import Block, StudyDefinition

_ROWS = RowsKind()
_ADAPTIVE = AdaptiveKind()


def kind_of(block: Block) -> BlockKind:
    """By what the study's file says of the block."""
    return _ROWS if block.adaptive is None else _ADAPTIVE


def length_of(block: Block) -> int:
    """How many trials of a block each participant does."""
    return kind_of(block).length(block)


def trials_total(definition: StudyDefinition) -> int:
    """And of the whole study."""
    return sum(length_of(block) for block in definition.blocks)
