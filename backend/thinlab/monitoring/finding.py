"""What each rule of exclusion finds in a participant's conduct. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from pydantic import BaseModel, Field

from thinlab.monitoring.conduct import Conduct, Failures
from thinlab.monitoring.rhythm import Sign, Verdict
from thinlab.participation.attention import Attention
from thinlab.study.hearing.fact import told
from thinlab.study.rules import (
    Answered,
    ControlDifference,
    DecisionUnder,
    ExclusionRule,
    GoldWrong,
    HeadphonesFailed,
    HeardUnder,
    HearingFailed,
    JournalRule,
    PageHidden,
    ReferenceUnder,
    ScriptedTyping,
    SeeksOver,
    StraightLining,
    TrappingWrong,
)

# Pages tell what sounded in whole milliseconds, and fades end a recording a little early: as much
# as the shortest clips make of the slack that a vote has when it is taken.
ROUNDING = 0.01

SIGNS: Mapping[Sign, str] = MappingProxyType(
    {
        Sign.EVEN: "too evenly",
        Sign.BURSTS: "in bursts that no hand manages",
        Sign.AGAIN: "at the same intervals once more",
        Sign.DWELL: "all down for the same time",
        Sign.UNIFORM: "spread uniformly",
        Sign.NORMAL: "spread normally",
        Sign.EXPONENTIAL: "spread exponentially",
    }
)


class Flag(BaseModel):
    """A rule that a participant falls under."""

    rule: str = Field(examples=["trapping_wrong"])
    finding: str = Field(
        description="What was counted; never which way somebody voted.",
        examples=["2 of 3 trapping trials answered wrongly; at most 0 are allowed."],
    )
    excludes: bool = Field(description="False: the rule only marks who falls under it.")


def flags(conduct: Conduct, rules: Iterable[ExclusionRule]) -> tuple[Flag, ...]:
    """The rules that a participant falls under. Pure."""
    found = ((rule, _finding(conduct, rule)) for rule in rules)
    return tuple(
        Flag(rule=rule.rule, finding=finding, excludes=rule.effect == "exclude")
        for rule, finding in found
        if finding
    )


def _finding(conduct: Conduct, rule: ExclusionRule) -> str | None:  # noqa: C901 (one case a rule)
    finding: str | None = None
    match rule:
        case TrappingWrong():
            finding = _too_many(conduct.trapping, rule.more_than, "trapping")
        case GoldWrong():
            finding = _too_many(conduct.gold, rule.more_than, "gold")
        case ControlDifference():
            finding = _control(conduct.control, rule.more_than_share)
        case StraightLining():
            finding = _straight(conduct, rule.of_at_least)
        case ReferenceUnder():
            finding = _reference(conduct.reference, rule)
        case HeadphonesFailed() | HearingFailed():
            finding = _unheard(conduct, rule)
        case DecisionUnder():
            finding = _quick(conduct, rule)
        case HeardUnder() | PageHidden() | SeeksOver():
            finding = _inattentive(conduct.attention, rule)
        case ScriptedTyping():
            finding = _scripted(conduct.rhythm)
        case Answered():
            finding = _answered(conduct, rule)
    return finding


def _too_many(failures: Failures, allowed: int, kind: str) -> str | None:
    if failures.failed <= allowed:
        return None
    return (
        f"{failures.failed} of {_counted(failures.votes, f'{kind} trial')} answered wrongly; "
        f"at most {allowed} {'is' if allowed == 1 else 'are'} allowed."
    )


def _control(controls: Failures, allowed_share: float) -> str | None:
    if controls.votes == 0 or controls.failed / controls.votes <= allowed_share:
        return None
    return (
        f"Heard a difference in {controls.failed} of {_counted(controls.votes, 'control')}; "
        f"at most {allowed_share * 100:g} % are allowed."
    )


def _reference(references: Failures, rule: ReferenceUnder) -> str | None:
    if references.votes == 0 or references.failed / references.votes <= rule.more_than_share:
        return None
    return (
        f"Rated {references.failed} of {_counted(references.votes, 'hidden reference')} below "
        f"{rule.score}; at most {rule.more_than_share * 100:g} % are allowed."
    )


def _straight(conduct: Conduct, least: int) -> str | None:
    for votes, different in conduct.same_throughout.values():
        if votes >= least and different == 1:
            return f"One and the same answer in all {votes} trials."
    return None


def _unheard(conduct: Conduct, rule: HeadphonesFailed | HearingFailed) -> str | None:
    if isinstance(rule, HeadphonesFailed):
        failed = conduct.sound_checked and not conduct.headphones_passed
        return "The headphone test was not passed." if failed else None
    outcome = conduct.hearing.get(rule.test)
    if outcome is None or outcome["passed"]:
        return None
    return f"The test of {rule.test} was not passed: {told(outcome)}."


def _quick(conduct: Conduct, rule: DecisionUnder) -> str | None:
    quick = conduct.votes_under_ms.get(rule.ms, 0)
    if conduct.votes == 0 or quick / conduct.votes <= rule.more_than_share:
        return None
    return (
        f"{quick} of {_counted(conduct.votes, 'answer')} given in under {rule.ms} ms; "
        f"at most {rule.more_than_share * 100:g} % are allowed."
    )


def _answered(conduct: Conduct, rule: Answered) -> str | None:
    chosen = conduct.answers.get(rule.question, set()) & set(rule.any_of)
    named = ", ".join(f"“{option}”" for option in sorted(chosen))
    return f"Answered {named} to “{rule.question}”." if chosen else None


def _inattentive(trials: Sequence[Attention], rule: JournalRule) -> str | None:
    if isinstance(rule, HeardUnder):
        # Of what a page has not told, nothing can be said.
        trials = [one for one in trials if one.heard_shares]
    found = sum(_is_inattentive(one, rule) for one in trials)
    if not trials or found / len(trials) <= rule.more_than_share:
        return None
    return (
        f"{_inattention(rule)} in {found} of {_counted(len(trials), 'trial')}; "
        f"at most {rule.more_than_share * 100:g} % are allowed."
    )


def _is_inattentive(trial: Attention, rule: JournalRule) -> bool:
    match rule:
        case HeardUnder():
            return min(trial.heard_shares) < rule.share - ROUNDING
        case PageHidden():
            return trial.hidden_times > 0 and trial.hidden_ms > rule.longer_than_ms
        case SeeksOver():
            return trial.seeks > rule.times


def _inattention(rule: JournalRule) -> str:
    match rule:
        case HeardUnder():
            return f"Heard less than {rule.share * 100:g} % of a recording"
        case PageHidden():
            return f"Had the page out of sight for more than {rule.longer_than_ms} ms"
        case SeeksOver():
            return f"Sought more than {_counted(rule.times, 'time')}"


def _scripted(rhythm: Verdict | None) -> str | None:
    if rhythm is None or not rhythm.signs:
        return None
    told = "; ".join(SIGNS[sign] for sign in rhythm.signs)
    return f"Keys came as from a script, by {_counted(rhythm.gaps, 'gap')}: {told}."


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
