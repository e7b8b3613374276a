"""The pages of a whole session, as its participant counts them. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.study.blocks.registry import length_of
from thinlab.study.definition import StudyDefinition
from thinlab.study.page import page_size


def pages_in(definition: StudyDefinition) -> int:
    """How many pages a participant meets."""
    return sum(length_of(block) // page_size(block) for block in definition.blocks)


def page_at(definition: StudyDefinition, position: int) -> int:
    """The page of the trial at a position of the session; 1 is the first of either.

    Blocks come in the file's order, and a page's trials follow each other.
    """
    before, pages = 0, 0
    for block in definition.blocks:
        length, size = length_of(block), page_size(block)
        if position <= before + length:
            return pages + (position - before - 1) // size + 1
        before += length
        pages += length // size
    return pages + position - before


def pages_done(definition: StudyDefinition, votes: int) -> int:
    """How many pages these votes are of, as far as they are whole."""
    done = page_at(definition, votes + 1) - 1 if votes else 0
    return min(done, pages_in(definition))
