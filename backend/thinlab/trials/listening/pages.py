"""Whether a page with several sounds is one that ITU-R BS.1534-3 would have.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Iterator

from thinlab.condition.reference import Reference, ReferenceKind
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.inconsistency import Inconsistency
from thinlab.study.page import pages_of
from thinlab.study.trial import member_conditions, presented

MOST_SOUNDS = 12
"""BS.1534-3, section 5.2: more cannot be compared on one page; the hidden reference and the anchors
are among them."""

Place = tuple[str | int, ...]


def inconsistencies_of_pages(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """Of each block whose scale has all sounds of a clip on one page."""
    for number, block in enumerate(definition.blocks):
        if block.scale.one_page_a_clip and all(one.kind == "single" for one in block.trials):
            yield from _of_block(definition, ("blocks", number), block)


def _of_block(definition: StudyDefinition, place: Place, block: Block) -> Iterator[Inconsistency]:
    kind = block.scale.kind
    if block.playback != "free":
        message = f"with `kind: {kind}` listeners switch between all sounds of a page"
        yield Inconsistency((*place, "playback"), message, "Write `playback: free`")
    if block.order == "apart":
        message = f"with `kind: {kind}` a clip has one page, which is never beside itself"
        yield Inconsistency((*place, "order"), message, "Write `order: balanced`")
    pages = [[block.trials[index] for index in page] for page in pages_of(block)]
    heard = [Counter(member_conditions(trial)[0] for trial in page) for page in pages]
    for page, conditions in zip(pages, heard, strict=True):
        clip = presented(page[0])
        if len(page) > MOST_SOUNDS:
            message = f"the page of `{clip}` has {len(page)} sounds, and at most {MOST_SOUNDS} fit"
            remedy = "Take conditions out, the hidden reference and an anchor aside"
            yield Inconsistency((*place, "trials"), message, remedy)
        for name, times in conditions.items():
            if times > 1:
                message = f"the page of `{clip}` has `{name}` {times} times"
                yield Inconsistency((*place, "trials"), message, "Keep one, with more `runs`")
        yield from _references(definition, (*place, "trials"), clip, conditions)
        if set(conditions) != set(heard[0]):
            first = presented(pages[0][0])
            message = f"`{clip}` is heard under other conditions than `{first}`"
            remedy = "Give every clip of the block a trial under each condition"
            yield Inconsistency((*place, "trials"), message, remedy)


def _references(
    definition: StudyDefinition, place: Place, clip: str, conditions: Counter[str]
) -> Iterator[Inconsistency]:
    made = [
        condition.reference
        for name in conditions
        if isinstance(condition := definition.conditions.get(name), Reference)
    ]
    hidden = made.count(ReferenceKind.UNPROCESSED)
    if hidden != 1:
        message = f"the page of `{clip}` has {hidden or 'no'} hidden reference{'s'[: hidden > 1]}"
        remedy = (
            "Add a trial of this clip under a condition with `reference: unprocessed`"
            if not hidden
            else "Keep one condition with `reference: unprocessed`"
        )
        yield Inconsistency(place, message, remedy)
    if ReferenceKind.LOW_ANCHOR not in made:
        message = f"the page of `{clip}` has no low anchor"
        remedy = (
            "Add a trial of this clip under a condition with `reference: low_pass_3500`; one with "
            "`reference: low_pass_7000` as well is recommended"
        )
        yield Inconsistency(place, message, remedy)
