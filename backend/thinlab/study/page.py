"""The pages that trials are met on: one each, or all of a clip on one where the scale asks for it.

A participant counts pages, and everybody else counts trials: each has an answer of its own. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.condition.reference import Reference, ReferenceKind
from thinlab.study.blocks.registry import length_of
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.trial import Trial, member_conditions, presented


def pages_of(block: Block) -> tuple[tuple[int, ...], ...]:
    """Places in the block of the trials on each page, in the file's order."""
    if not block.scale.one_page_a_clip:
        return tuple((index,) for index in range(len(block.trials)))
    found: dict[str, list[int]] = {}
    for index, trial in enumerate(block.trials):
        found.setdefault(presented(trial), []).append(index)
    return tuple(tuple(page) for page in found.values())


def page_size(block: Block) -> int:
    """How many trials are on each of its pages, which are alike in this."""
    return len(pages_of(block)[0])


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


def is_open_reference(definition: StudyDefinition, block: Block, trial: Trial) -> bool:
    """Whether a trial presents the clip itself, which the others of its page are rated beside."""
    if not block.scale.one_page_a_clip:
        return False
    condition = definition.conditions[member_conditions(trial)[-1]]
    return isinstance(condition, Reference) and condition.reference is ReferenceKind.UNPROCESSED
