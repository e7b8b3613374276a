"""What a participant of a study will meet, in order, and what it takes to offer it.

Pure: a definition and the clips go in, lines of text come out.

SPDX-License-Identifier: Apache-2.0
"""

import textwrap
from collections.abc import Iterator, Mapping

from thinlab.clips.manifest import ManifestClip
from thinlab.study.blocks.registry import kind_of, length_of, trials_total
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.duration import minutes
from thinlab.study.kind import DefinedKind, Kinds, kinds_of
from thinlab.study.question import ChoiceQuestion, NumberQuestion, Question, Stage, TextQuestion
from thinlab.study.scale import Scale
from thinlab.study.scales.kind import Scores
from thinlab.study.scales.preference import PreferenceScale
from thinlab.study.text import LocalText, said
from thinlab.study.trial import (
    GoldTrial,
    TrappingTrial,
    Trial,
    member_conditions,
    presented,
    runs_of,
    seeds_of,
)

WIDTH = 88
INDENT = "   "


def outline(
    definition: StudyDefinition, clips: Mapping[str, ManifestClip], language: str, kinds: Kinds
) -> Iterator[str]:
    """The walk through a study in one language, then allocation and recordings."""
    durations_ms = {
        trial.id: clips[presented(trial)].length_ms for trial in definition.recorded_trials
    }
    yield f"{definition.slug}, in {language} (of {', '.join(definition.languages)})"
    about = minutes(definition, durations_ms, kinds)
    yield f"about {about} minutes, {trials_total(definition)} trials"
    yield ""
    yield from _beginning(definition, language)
    checks = [
        check for kind in kinds_of(definition, kinds) for check in kind.checks(definition, clips)
    ]
    first = list(_questions(definition, "before", language))
    # As participants meet them: an answer that keeps people out comes before any check.
    yield from [*first, *checks, ""] if definition.screens else [*checks, "", *first]
    for kind in kinds_of(definition, kinds):
        yield from kind.tasks(definition, language)
    for block in definition.blocks:
        yield from _block(definition, block, clips, language, kinds[block.medium])
    yield from _questions(definition, "after", language)
    yield "THANKS: a completion code, and the link that withdraws"
    yield ""
    yield from _allocation(definition)
    yield from _published(definition)
    yield from _recordings(definition, clips)


def _beginning(definition: StudyDefinition, language: str) -> Iterator[str]:
    yield f"WELCOME: {said(definition.title, language)}"
    yield from _said(definition.description, language)
    yield f"CONSENT, version {definition.consent.version}"
    for paragraph in definition.consent.paragraphs:
        yield from _said(paragraph, language)
    if definition.contact is not None:
        yield from _said(definition.contact, language)
    if definition.retention_days is None:
        yield f"{INDENT}(answers stay linked to the participant's withdraw link)"
    else:
        yield f"{INDENT}(that link is erased after {definition.retention_days} days)"


def _questions(definition: StudyDefinition, stage: Stage, language: str) -> Iterator[str]:
    questions = [one for one in definition.questionnaire if one.when == stage]
    if not questions:
        return
    yield f"QUESTIONS {stage} the trials"
    for question in questions:
        needed = " (required)" if question.required else ""
        yield f"{INDENT}{said(question.text, language)}{needed}"
        yield f"{INDENT * 2}{_answers(question, language)}"
    yield ""


def _answers(question: Question, language: str) -> str:
    match question:
        case ChoiceQuestion():
            labels = " | ".join(
                f"{said(option.label, language)}{' (screens out)' if option.screens_out else ''}"
                for option in question.options
            )
            return f"[{labels}]{' several' if question.several else ''}"
        case NumberQuestion():
            return f"a number, {question.minimum} to {question.maximum}"
        case TextQuestion():
            return f"free words, at most {question.max_length} characters"


def _block(
    definition: StudyDefinition,
    block: Block,
    clips: Mapping[str, ManifestClip],
    language: str,
    kind: DefinedKind,
) -> Iterator[str]:
    seconds = sum(
        kind.seconds(definition, block, trial, clips[trial.clip].length_ms if trial.clip else None)
        for trial in block.trials
    )
    role = ", training" if block.role == "training" else ""
    pause = f", a pause after each {block.break_every}" if block.break_every else ""
    count = length_of(block)
    seconds *= count / len(block.trials)
    yield (
        f"BLOCK {block.id}{role}: {count} trial{'s' if count > 1 else ''}, "
        f"about {seconds / 60:.1f} minutes; "
        f"{kind.manner(block)}, "
        f"{kind_of(block).order(block)}{pause}"
    )
    if block.introduction is not None:
        yield from _said(block.introduction, language)
    yield f"{INDENT}{said(block.scale.question, language)}"
    yield f"{INDENT * 2}{_labels(block.scale, language)}"
    if isinstance(block.scale, PreferenceScale) and block.scale.noticeable is not None:
        noticeable = block.scale.noticeable
        steps = (said(text, language) for _, text in sorted(noticeable.labels.items()))
        yield f"{INDENT}{said(noticeable.question, language)} (who preferred one)"
        yield f"{INDENT * 2}{' | '.join(steps)}"
    for trial in block.trials:
        yield f"{INDENT}{_trial(trial, kind.subject(definition, trial, clips))}"
    yield ""


def _labels(scale: Scale, language: str) -> str:
    named = isinstance(scale, Scores)
    return " | ".join(
        f"{name} {said(text, language)}" if named else said(text, language)
        for name, text in scale.offered()
    )


def _trial(trial: Trial, what: str) -> str:
    known = ""
    match trial:
        case TrappingTrial():
            known = f", answer {trial.answer}"
        case GoldTrial(better=str() as better):
            known = f", better {better}"
        case GoldTrial(at_least=int() as least):
            known = f", at least {least}"
        case GoldTrial(at_most=int() as most):
            known = f", at most {most}"
        case _:
            pass
    played = " ~ ".join(member_conditions(trial))
    runs = runs_of(trial)
    return (
        f"{trial.kind:8}  {trial.id:24}  {what}: {played}{known}"
        f" ({runs} run{'s' if runs > 1 else ''})"
    )


def _allocation(definition: StudyDefinition) -> Iterator[str]:
    yield "ALLOCATION: each participant gets one row of each block, the least used"
    for block in definition.blocks:
        yield f"{INDENT}{block.id}: {kind_of(block).allocation(definition, block)}"
    if definition.stop is not None and definition.stop.completed is not None:
        yield f"{INDENT}no more participants after {definition.stop.completed} completed sessions"
        for block in definition.blocks:
            over = kind_of(block).left_over(block, definition.stop.completed)
            if over:
                yield f"{INDENT}block {block.id} is not in balance then: {over} rows over"
    yield ""


def _published(definition: StudyDefinition) -> Iterator[str]:
    if definition.published is None:
        return
    yield "PUBLISHED, to be shown beside the votes"
    for one in definition.published:
        votes = "votes" if one.among == "all" else "votes with a preference"
        yield f"{INDENT}{one.trial}: {one.count} of {one.of} {votes} for {one.preferred}"
        yield from _said(one.source, definition.languages[0], INDENT * 2)
    yield ""


def _recordings(definition: StudyDefinition, clips: Mapping[str, ManifestClip]) -> Iterator[str]:
    needed = [
        (presented(trial), definition.conditions[condition].resolved.model_dump_json(), seed)
        for trial in definition.recorded_trials
        for run in range(runs_of(trial))
        for condition, seed in zip(member_conditions(trial), seeds_of(trial, run), strict=True)
    ]
    if not needed:
        yield "RECORDINGS: none"
        return
    different = set(needed)
    seconds = sum(clips[clip].length_ms for clip, _, _ in different) / 1000
    shared = (
        f", {len(needed) - len(different)} of them used twice"
        if len(needed) > len(different)
        else ""
    )
    yield f"RECORDINGS: {len(needed)}{shared}; {seconds / 60:.1f} minutes of sound to make"


def _said(text: LocalText, language: str, indent: str = INDENT) -> Iterator[str]:
    yield from textwrap.wrap(
        said(text, language), WIDTH, initial_indent=indent, subsequent_indent=indent
    )
