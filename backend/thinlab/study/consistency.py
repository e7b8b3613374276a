"""What has to fit together in a study, beyond what each of its parts is by itself.

Pure: a definition and the clips there are go in; what does not fit comes out.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from thinlab.clips.manifest import ClipPurpose, ManifestClip
from thinlab.condition.reference import Reference
from thinlab.study import played
from thinlab.study.apart import orders_apart
from thinlab.study.blocks.registry import kind_of
from thinlab.study.debrief import undescribed
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.inconsistency import Inconsistency, unknown
from thinlab.study.kind import Kinds, kinds_of
from thinlab.study.misfit import misfit
from thinlab.study.panel_consistency import inconsistencies_of_the_panel
from thinlab.study.plan_consistency import inconsistencies_of_the_plan
from thinlab.study.scale import Scale
from thinlab.study.scales.kind import Scores
from thinlab.study.text import lacking
from thinlab.study.trial import (
    GoldTrial,
    PairTrial,
    TrappingTrial,
    Trial,
    presented,
)

Place = tuple[str | int, ...]


def inconsistencies(
    definition: StudyDefinition, clips: Mapping[str, ManifestClip], kinds: Kinds
) -> list[Inconsistency]:
    """Everything that does not fit, in the file's order of kinds."""
    return [
        *_languages(definition),
        *(one for kind in kinds.values() for one in kind.inconsistencies(definition, clips)),
        *_conditions(definition),
        *_blocks(definition),
        *_trials(definition, clips),
        *_sample(definition, clips),
        *_debrief(definition),
        *inconsistencies_of_the_panel(definition),
        *inconsistencies_of_the_plan(definition),
        *_delay_metric(definition, kinds),
    ]


def _delay_metric(definition: StudyDefinition, kinds: Kinds) -> Iterator[Inconsistency]:
    name = definition.analysis.delay_metric if definition.analysis else None
    known = {metric.name for kind in kinds_of(definition, kinds) for metric in kind.delay_metrics}
    if name is not None and name not in known:
        yield unknown(("analysis", "delay_metric"), "metric of delay", name, known)
    other = definition.analysis.weighed_against if definition.analysis else None
    place = ("analysis", "weighed_against")
    if other is not None and other not in known:
        yield unknown(place, "metric of delay", other, known)
    elif other is not None and name in {None, other}:
        message = "there is nothing to weigh it against"
        yield Inconsistency(place, message, "Name another metric as `delay_metric`")


def _languages(definition: StudyDefinition) -> Iterator[Inconsistency]:
    languages = definition.languages
    for index, language in enumerate(languages):
        if language in languages[:index]:
            yield Inconsistency(("languages", index), f"`{language}` is there twice", "Keep one")
    for where, text in definition.texts():
        missing, beyond = lacking(text, languages)
        place = _place(where)
        if isinstance(text, str) and missing:
            wanted = ", ".join(f"{language}: …" for language in languages)
            message = f"one text for {len(set(languages))} languages"
            yield Inconsistency(place, message, f"Write {{{wanted}}}")
            continue
        for language in sorted(missing):
            message = f"no text in `{language}`"
            remedy = f"Add `{language}:`, or take it out of `languages`"
            yield Inconsistency(place, message, remedy)
        for language in sorted(beyond):
            message = f"the study is not offered in `{language}`"
            remedy = "Add it to `languages`, or remove the text"
            yield Inconsistency((*place, language), message, remedy)


def _place(text: str) -> Place:
    """`blocks[0].scale.labels.-1` as a place."""
    parts = re.findall(r"[^.\[\]]+|\[\d+\]", text)
    return tuple(int(part[1:-1]) if part.startswith("[") else part for part in parts)


def _conditions(definition: StudyDefinition) -> Iterator[Inconsistency]:
    for place, trial in _placed(definition):
        for at, name in _named_conditions(trial):
            if name not in definition.conditions:
                yield unknown((*place, *at), "condition", name, definition.conditions.keys())


def _blocks(definition: StudyDefinition) -> Iterator[Inconsistency]:
    for number, block in enumerate(definition.blocks):
        yield from kind_of(block).inconsistencies(definition, number, block)


def _named_conditions(trial: Trial) -> Iterator[tuple[Place, str]]:
    if isinstance(trial, PairTrial) or (isinstance(trial, GoldTrial) and trial.conditions):
        for number, name in enumerate(trial.conditions or ()):
            yield ("conditions", number), name
    elif trial.condition is not None:
        yield ("condition",), trial.condition


def _trials(
    definition: StudyDefinition, clips: Mapping[str, ManifestClip]
) -> Iterator[Inconsistency]:
    for number, block in enumerate(definition.blocks):
        if block.order == "apart":
            yield from _apart(("blocks", number, "order"), block)
        for index, trial in enumerate(block.trials):
            place: Place = ("blocks", number, "trials", index)
            reason = misfit(trial, block.scale)
            if reason is not None:
                remedy = "Change the trial, or move it to a block with another scale"
                yield Inconsistency(place, reason, remedy)
            if isinstance(trial, TrappingTrial):
                yield from _trap(place, trial, clips)
                yield from _shown(place, trial, block.scale)
    if all(block.role == "training" for block in definition.blocks):
        message = "every block is training: nothing would be analysed"
        yield Inconsistency(("blocks",), message, "Add a block with `role: trials`")


def _apart(place: Place, block: Block) -> Iterator[Inconsistency]:
    material = [presented(trial) for trial in block.trials]
    if not orders_apart(tuple(material)):
        name, times = Counter(material).most_common(1)[0]
        message = (
            f"no order keeps trials of `{name}` apart, which {times} of {len(material)} present"
        )
        remedy = "Use more clips, each in fewer trials, or write `order: balanced`"
        yield Inconsistency(place, message, remedy)


def _sample(
    definition: StudyDefinition, clips: Mapping[str, ManifestClip]
) -> Iterator[Inconsistency]:
    sample = definition.sample
    if sample is None:
        return
    if sample.clip not in clips:
        yield unknown(("sample", "clip"), "clip", sample.clip, clips.keys())
    named = [member.condition for member in sample.members]
    for number, name in enumerate(named):
        if name not in definition.conditions:
            place = ("sample", "members", number, "condition")
            yield unknown(place, "condition", name, definition.conditions.keys())
        elif isinstance(definition.conditions[name], Reference):
            message = f"`{name}` was not sent, and the page tells what was lost of a sample"
            remedy = "Name a condition with a `mode` and a `path`"
            yield Inconsistency(("sample", "members", number, "condition"), message, remedy)
    everybody_hears = played.named(definition)
    if blind := next(
        (id_ for id_, one in played.blind(definition) if one in everybody_hears), None
    ):
        message = f"trial `{blind}` plays this recording, to listeners who must not know it"
        yield Inconsistency(("sample", "seed"), message, "Choose another seed")


def _debrief(definition: StudyDefinition) -> Iterator[Inconsistency]:
    if definition.debrief is None:
        return
    for name in definition.debrief.names:
        if name not in definition.conditions:
            yield unknown(
                ("debrief", "names", name), "condition", name, definition.conditions.keys()
            )
    for name in sorted(undescribed(definition.debrief, _analysed(definition))):
        message = f"participants are told of `{name}`, which has no name here"
        yield Inconsistency(("debrief", "names"), message, f"Add `{name}:` in plain words")


def _analysed(definition: StudyDefinition) -> Iterator[Trial]:
    for block in definition.blocks:
        if block.role == "trials":
            yield from block.trials


def _trap(
    place: Place, trial: TrappingTrial, clips: Mapping[str, ManifestClip]
) -> Iterator[Inconsistency]:
    clip = clips.get(trial.clip)
    if clip is None:
        return
    if clip.purpose is not ClipPurpose.TRAPPING:
        traps = sorted(name for name, one in clips.items() if one.purpose is ClipPurpose.TRAPPING)
        message = f"`{trial.clip}` does not say what to answer"
        yield Inconsistency((*place, "clip"), message, f"Use one of {', '.join(traps) or 'none'}")
    elif str(clip.says) != str(trial.answer):
        message = f"`{trial.clip}` asks for `{clip.says}`, not for `{trial.answer}`"
        yield Inconsistency((*place, "answer"), message, f"Write `answer: {clip.says}`")


def _shown(place: Place, trial: TrappingTrial, scale: Scale) -> Iterator[Inconsistency]:
    """A voice that says “press minus two” is of no use where no button shows a −2."""
    if not isinstance(scale, Scores) or not isinstance(trial.answer, int):
        return
    label = scale.labels.get(trial.answer, "")
    words = [label] if isinstance(label, str) else list(label.values())
    number = re.compile(rf"(?<![\d−-]){trial.answer}(?!\d)")
    if not all(number.search(text.replace("−", "-")) for text in words):
        message = (
            f"the clip asks for {trial.answer}, and the label of {trial.answer} does not show it"
        )
        remedy = f"Write the number into the labels: “… ({str(trial.answer).replace('-', '−')})”"
        yield Inconsistency((*place, "answer"), message, remedy)


def _placed(definition: StudyDefinition) -> Iterator[tuple[Place, Trial]]:
    for number, block in enumerate(definition.blocks):
        for index, trial in enumerate(block.trials):
            yield ("blocks", number, "trials", index), trial
