"""Whether what a study says about listening can be done.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.condition.reference import Reference, ReferenceKind
from thinlab.condition.written import WrittenCondition
from thinlab.study.definition import StudyDefinition
from thinlab.study.inconsistency import Inconsistency, unknown
from thinlab.study.kind import Clips
from thinlab.study.trial import member_conditions
from thinlab.trials.listening.pages import inconsistencies_of_pages

Place = tuple[str | int, ...]
UNPROCESSED = Reference(reference=ReferenceKind.UNPROCESSED)


def inconsistencies_of_listening(
    definition: StudyDefinition, clips: Clips
) -> Iterator[Inconsistency]:
    """What does not fit in the clips that are played, and in the check of the sound."""
    used: list[tuple[Place, str | None]] = [(("sound_check",), definition.sound_check)]
    used += [
        (("blocks", number, "trials", index, "clip"), trial.clip)
        for number, block in enumerate(definition.blocks)
        for index, trial in enumerate(block.trials)
    ]
    for place, name in used:
        if name is not None and name not in clips:
            yield unknown(place, "clip", name, clips.keys())
    yield from _sound(definition)
    yield from _headphone_test(definition)
    yield from _hearing(definition)
    yield from _shares(definition)
    yield from _references(definition)
    yield from _codecs(definition)
    yield from inconsistencies_of_pages(definition)


def _shares(definition: StudyDefinition) -> Iterator[Inconsistency]:
    for number, block in enumerate(definition.blocks):
        if block.heard_share_at_least is None or block.medium != "heard":
            continue
        if block.playback != "free":
            place: Place = ("blocks", number, "heard_share_at_least")
            message = f"with `playback: {block.playback}` each recording is heard to its end"
            yield Inconsistency(place, message, "Remove it, or write `playback: free`")


def _references(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """A degradation is judged right after its reference (ITU-T P.800, Annex D)."""
    for number, block in enumerate(definition.blocks):
        if not block.scale.reference_first:
            continue
        place: Place = ("blocks", number)
        kind = block.scale.kind
        if block.playback != "in_turn":
            message = f"with `kind: {kind}` the reference is heard first, and whole"
            yield Inconsistency((*place, "playback"), message, "Write `playback: in_turn`")
        if block.sides == "balanced" and "sides" in block.model_fields_set:
            message = f"with `kind: {kind}` the condition named first is the reference"
            remedy = "Remove it: the reference is always first"
            yield Inconsistency((*place, "sides"), message, remedy)


def _codecs(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """What is compared has one codec: two would tell what is which before anything was late."""
    for number, block in enumerate(definition.blocks):
        # On one page, all conditions of a clip.
        seen: dict[str, str] = {}
        for index, trial in enumerate(block.trials):
            if trial.clip is None:
                continue
            if not block.scale.one_page_a_clip:
                seen = {}
            for name in member_conditions(trial):
                condition = definition.conditions.get(name)
                if not isinstance(condition, WrittenCondition):
                    continue
                seen.setdefault(condition.codec, name)
                if len(seen) > 1:
                    other = next(one for codec, one in seen.items() if codec != condition.codec)
                    yield Inconsistency(
                        ("blocks", number, "trials", index),
                        f"`{other}` and `{name}` have different codecs, which alone would tell "
                        "them apart",
                        "Give both the same `codec`",
                    )
                    break


def _sound(definition: StudyDefinition) -> Iterator[Inconsistency]:
    if "heard" in definition.media:
        if definition.sound_check is None:
            remedy = "Add `sound_check:`, a clip to set the volume by"
            yield Inconsistency(("sound_check",), "missing", remedy)
        elif trial := _played_as_it_is(definition):
            message = (
                f"trial `{trial}` plays this clip as it is, so that its file would be known from "
                "the check"
            )
            yield Inconsistency(("sound_check",), message, "Choose another clip")
        return
    if definition.sound_check is not None:
        message = "there is nothing to be heard"
        yield Inconsistency(("sound_check",), message, "Remove it")
    if definition.headphones != "any":
        message = "there is nothing to be heard"
        yield Inconsistency(("headphones",), message, "Remove it")


def _played_as_it_is(definition: StudyDefinition) -> str | None:
    """A trial that plays the clip of the sound check unprocessed, and does not say so."""
    for block in definition.blocks:
        # Whose reference is open, or always the first.
        if block.scale.one_page_a_clip or block.scale.reference_first:
            continue
        for trial in block.trials:
            conditions = (definition.conditions.get(name) for name in member_conditions(trial))
            if trial.clip == definition.sound_check and UNPROCESSED in conditions:
                return trial.id
    return None


def _hearing(definition: StudyDefinition) -> Iterator[Inconsistency]:
    seen: set[str] = set()
    for number, one in enumerate(definition.hearing):
        if "heard" not in definition.media:
            yield Inconsistency(("hearing", number), "there is nothing to be heard", "Remove it")
        if one.test in seen:
            yield Inconsistency(("hearing", number), f"`{one.test}` is there twice", "Keep one")
        seen.add(one.test)


def _headphone_test(definition: StudyDefinition) -> Iterator[Inconsistency]:
    if definition.headphone_test is not None and definition.headphones == "any":
        message = "with `headphones: any` there is no headphone test"
        remedy = "Remove it, or write `headphones: required` or `asked`"
        yield Inconsistency(("headphone_test",), message, remedy)
