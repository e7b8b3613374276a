"""Whether a study asks what its published counts are an answer to.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.study.definition import StudyDefinition
from thinlab.study.inconsistency import Inconsistency, unknown
from thinlab.study.published import PublishedCount
from thinlab.study.scales.preference import PreferenceScale

Place = tuple[str | int, ...]


def inconsistencies_of_published(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """What does not fit in `published`."""
    seen: list[PublishedCount] = []
    for index, one in enumerate(definition.published or ()):
        place: Place = ("published", index)
        if one in seen:
            yield Inconsistency(place, "the same count is there twice", "Keep one")
        seen.append(one)
        yield from _of_one(definition, place, one)


def _of_one(
    definition: StudyDefinition, place: Place, one: PublishedCount
) -> Iterator[Inconsistency]:
    at = (*place, "trial")
    try:
        block, trial = definition.trial(one.trial)
    except KeyError:
        yield unknown(at, "trial", one.trial, [trial.id for trial in definition.trials])
        return
    if trial.kind != "pair" or not isinstance(block.scale, PreferenceScale):
        message = f"`{one.trial}` does not ask which of two is preferred"
        yield Inconsistency(at, message, "Name a `kind: pair` in a block with `kind: preference`")
        return
    if block.role == "training":
        message = f"`{one.trial}` is training, which is never analysed"
        yield Inconsistency(at, message, "Name a trial of another block")
    if one.preferred not in trial.conditions:
        at = (*place, "preferred")
        yield unknown(at, f"condition of trial `{one.trial}`", one.preferred, trial.conditions)
