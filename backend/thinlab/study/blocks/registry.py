"""Every kind of block, and what a study is by their lengths.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.study.blocks.kind import BlockKind
from thinlab.study.blocks.rows.kind import RowsKind
from thinlab.study.definition import Block, StudyDefinition

_ROWS = RowsKind()


def kind_of(block: Block) -> BlockKind:  # noqa: ARG001 (there is one kind)
    """By what the study's file says of the block."""
    return _ROWS


def length_of(block: Block) -> int:
    """How many trials of a block each participant does."""
    return kind_of(block).length(block)


def trials_total(definition: StudyDefinition) -> int:
    """And of the whole study."""
    return sum(length_of(block) for block in definition.blocks)
