"""Whether what a study declares in advance can be done with the trials it has.

A rule that can never apply is worse than none: it would be reported as kept.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.hypothesis_consistency import inconsistencies_of_hypotheses
from thinlab.study.inconsistency import Inconsistency, unknown
from thinlab.study.interim_consistency import inconsistencies_of_interim
from thinlab.study.published_consistency import inconsistencies_of_published
from thinlab.study.rules import (
    Answered,
    ControlDifference,
    ExclusionRule,
    GoldWrong,
    HeadphonesFailed,
    HeardUnder,
    HearingFailed,
    PageHidden,
    ReferenceUnder,
    ScriptedTyping,
    SeeksOver,
    StraightLining,
    TrappingWrong,
)
from thinlab.study.scale import RATINGS
from thinlab.study.scales.preference import PreferenceScale
from thinlab.study.trial import Trial, rated_condition

Place = tuple[str | int, ...]


def inconsistencies_of_the_plan(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """What does not fit in `exclusion`, `quotas`, `analysis` and `published`."""
    yield from _exclusion(definition)
    yield from _quotas(definition)
    yield from _analysis(definition)
    yield from inconsistencies_of_hypotheses(definition)
    yield from inconsistencies_of_interim(definition)
    yield from inconsistencies_of_published(definition)


def _exclusion(definition: StudyDefinition) -> Iterator[Inconsistency]:
    seen: list[ExclusionRule] = []
    for index, rule in enumerate(definition.exclusion):
        place: Place = ("exclusion", index)
        if any(_is_the_same(rule, other) for other in seen):
            yield Inconsistency(place, f"`{rule.rule}` is there twice", "Keep one")
        seen.append(rule)
        if isinstance(rule, Answered):
            yield from _answered(definition, place, rule)
            continue
        if isinstance(rule, HearingFailed):
            reason = _lets_nobody_fail(definition, rule.test)
        else:
            reason = _never_applies(definition, rule)
        if reason is not None:
            message = f"`{rule.rule}` can never apply: {reason}"
            yield Inconsistency(place, message, "Remove the rule, or add what it needs")


def _is_the_same(rule: ExclusionRule, other: ExclusionRule) -> bool:
    """Whether two rules look at the same; questions and tests are told apart by their names."""
    if isinstance(rule, HearingFailed) and isinstance(other, HearingFailed):
        return rule.test == other.test
    return rule.rule == other.rule and rule.rule != "answered"


def _never_applies(  # noqa: C901 (one case a rule)
    definition: StudyDefinition, rule: ExclusionRule
) -> str | None:
    tested = [block for block in definition.blocks if block.role == "trials"]
    count = {
        kind: sum(trial.kind == kind for block in tested for trial in block.trials)
        for kind in ("trapping", "gold")
    }
    reason = None
    match rule:
        case TrappingWrong(more_than=most) if count["trapping"] <= most:
            reason = f"there are {count['trapping']} trapping trials outside of training"
        case GoldWrong(more_than=most) if count["gold"] <= most:
            reason = f"there are {count['gold']} gold trials outside of training"
        case ControlDifference() if not any(
            trial.kind == "control"
            for block in tested
            for trial in block.trials
            if not (
                isinstance(block.scale, PreferenceScale)
                and block.scale.answers.no_difference is None
            )
        ):
            reason = "there is no control where a listener may say that there is no difference"
        case HeadphonesFailed() if definition.headphones == "any":
            reason = "with `headphones: any` there is no headphone test"
        case HeardUnder(share=share) if not any(_may_hear_less(block, share) for block in tested):
            reason = (
                f"every block asks for {share * 100:g} % of each recording, or more, before an "
                "answer"
            )
        case PageHidden() if not any(block.medium == "heard" for block in tested):
            reason = "nothing is heard"
        case SeeksOver() if not any(_is_free(block) for block in tested):
            reason = "nobody can seek where recordings are not played freely"
        case ReferenceUnder() if not any(block.scale.one_page_a_clip for block in tested):
            reason = "nothing is rated beside its reference"
        case ScriptedTyping() if not any(block.medium == "typed" for block in tested):
            reason = "nothing is typed"
        case StraightLining(of_at_least=least) if least > (most := _most_own_answers(tested)):
            reason = f"nobody gives more than {most} answers of their own on one scale"
    return reason


def _lets_nobody_fail(definition: StudyDefinition, test: str) -> str | None:
    found = next((one for one in definition.hearing if one.test == test), None)
    if found is None:
        return f"there is no test of {test} in `hearing`"
    if found.needed:
        return f"whoever fails the test of {test} is not let in, unless it has `needed: false`"
    return None


def _is_free(block: Block) -> bool:
    return block.medium == "heard" and block.playback == "free"


def _may_hear_less(block: Block, share: float) -> bool:
    """Whether an answer can be given before that share of each recording was heard."""
    # Blocks from before there was the key ask for five seconds.
    return _is_free(block) and (block.heard_share_at_least or 0) < share


def _most_own_answers(tested: Sequence[Block]) -> int:
    """On the scale with the most; counted as `thinlab.monitoring.conduct` counts them.

    What a trapping trial's clip asks for is nobody's own answer, and blocks on one scale are one
    sequence of answers.
    """
    found: Counter[str] = Counter()
    for block in tested:
        found[block.scale.kind] += sum(trial.kind != "trapping" for trial in block.trials)
    return max(found.values(), default=0)


def _answered(definition: StudyDefinition, place: Place, rule: Answered) -> Iterator[Inconsistency]:
    questions = {question.id: question for question in definition.questionnaire}
    question = questions.get(rule.question)
    if question is None:
        yield unknown((*place, "question"), "question", rule.question, questions.keys())
        return
    if question.kind != "choice":
        message = f"`{rule.question}` is not of `kind: choice`"
        yield Inconsistency((*place, "question"), message, "Name a question with options")
        return
    options = {option.id for option in question.options}
    for number, name in enumerate(rule.any_of):
        if name not in options:
            yield unknown((*place, "any_of", number), "option", name, options)


def _quotas(definition: StudyDefinition) -> Iterator[Inconsistency]:
    taken: set[str] = set()
    for index, quota in enumerate(definition.quotas):
        place: Place = ("quotas", index, "language")
        if quota.language not in definition.languages:
            yield unknown(place, "language", quota.language, definition.languages)
        if quota.language in taken:
            message = f"`{quota.language}` has a quota already"
            yield Inconsistency(place, message, "Keep one")
        taken.add(quota.language)


def _analysis(definition: StudyDefinition) -> Iterator[Inconsistency]:
    if definition.analysis is None:
        return
    trials = {trial.id: (block, trial) for block in definition.blocks for trial in block.trials}
    for index, name in enumerate(definition.analysis.primary):
        place: Place = ("analysis", "primary", index)
        if name not in trials:
            yield unknown(place, "trial", name, trials.keys())
            continue
        block, trial = trials[name]
        if name in definition.analysis.primary[:index]:
            yield Inconsistency(place, f"`{name}` is there twice", "Keep one")
        if block.role == "training":
            message = f"`{name}` is training, which is never analysed"
            yield Inconsistency(place, message, "Name a trial of another block")
        elif trial.kind in {"gold", "trapping"}:
            message = f"`{name}` is a {trial.kind} trial: its answer is known"
            yield Inconsistency(place, message, "Name a trial that is an open question")
        elif trial.kind == "control":
            message = f"`{name}` is a control: it compares nothing"
            yield Inconsistency(place, message, "Name a trial of two conditions")
        elif block.scale.kind in RATINGS and not _compared(
            trial, block, definition.analysis.primary
        ):
            message = (
                f"`{name}` rates one condition, and no primary trial of its block is its other"
            )
            remedy = "Name the same clip's trial under the other condition as well"
            yield Inconsistency(place, message, remedy)


def _compared(trial: Trial, block: Block, primary: Sequence[str]) -> bool:
    """Whether a primary trial rates the same clip under another condition."""
    return any(
        other.kind == trial.kind
        and other.id in primary
        and other.clip == trial.clip
        and rated_condition(other) != rated_condition(trial)
        for other in block.trials
    )
