"""The pages that a block's trials are met on: one each, or all of a clip on one.

A participant counts pages, and everybody else counts trials: each has an answer of its own. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.condition.reference import Reference, ReferenceKind
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


def is_open_reference(definition: StudyDefinition, block: Block, trial: Trial) -> bool:
    """Whether a trial presents the clip itself, which the others of its page are rated beside."""
    if not block.scale.one_page_a_clip:
        return False
    condition = definition.conditions[member_conditions(trial)[-1]]
    return isinstance(condition, Reference) and condition.reference is ReferenceKind.UNPROCESSED
