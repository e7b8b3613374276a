"""What the votes say of a declared hypothesis, before it is judged.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from thinlab.analysis import absolute, category, preference, score, told_apart
from thinlab.analysis.crossed import Coefficient
from thinlab.analysis.findings import Estimate
from thinlab.analysis.proportion import proportion
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, turned
from thinlab.analysis.wording import percent, signed
from thinlab.study.hypothesis import (
    ControlHypothesis,
    Hypothesis,
    OpinionHypothesis,
    TrialHypothesis,
)
from thinlab.study.scale import ScaleKind

Unit = Literal["share", "share_right", "cmos", "mos", "difference_of_shares"]
SHARES: frozenset[Unit] = frozenset({"share", "share_right"})
"""Those that are one half without any effect."""


@dataclass(frozen=True)
class Confidence:
    """Of the two intervals of an estimate."""

    interval: float
    inner: float
    """That has to lie within the smallest effect: what two one-sided tests rest on."""


class Tails(Protocol):
    """One-sided tests of any bound."""

    def p_above(self, bound: float) -> float:
        """Of "not above the bound"."""

    def p_below(self, bound: float) -> float:
        """Of "not below the bound"."""


@dataclass(frozen=True)
class Compared:
    """What the votes say of a hypothesis, before it is judged."""

    estimate: Estimate
    p_value: float | None = None
    """Two-sided, of no difference."""
    tails: Tails | None = None
    """None where no interval can be given."""
    ends: tuple[float, float] | None = None
    """Of the inner interval."""
    conditions: tuple[str, ...] = ()
    """a and b; of controls none."""


def unit(one: Hypothesis, scales: dict[str, AnalysedBlock]) -> Unit:
    """In what its estimate is."""
    if isinstance(one, ControlHypothesis):
        return "difference_of_shares"
    block = scales.get(trials_of(one)[0])
    if isinstance(one, OpinionHypothesis):
        return "mos"
    by_scale: dict[ScaleKind, Unit] = {"ccr": "cmos", "abx": "share_right"}
    return "share" if block is None else by_scale.get(block.scale, "share")


def trials_of(one: Hypothesis) -> tuple[str, ...]:
    """Ids of the trials that it is about."""
    return (one.trial,) if isinstance(one, TrialHypothesis) else one.trials


def compare(
    one: Hypothesis,
    scales: dict[str, AnalysedBlock],
    votes: Sequence[AnalysedVote],
    confidence: Confidence,
) -> Compared | None:
    """None where there are no votes that tell."""
    mine = [vote for vote in votes if vote.trial in trials_of(one) and vote.kind != "control"]
    if not mine:
        return None
    if isinstance(one, ControlHypothesis):
        alike = [vote for vote in votes if vote.trial in one.controls]
        return _with_controls(mine, alike, confidence)
    a, b = mine[0].conditions if isinstance(one, TrialHypothesis) else one.conditions
    if isinstance(one, OpinionHypothesis):
        found = _by_opinion(a, b, mine, confidence, scales[mine[0].trial].scale)
    else:
        mine = [vote if vote.conditions == (a, b) else turned(vote) for vote in mine]
        by_unit = {"share": _by_share, "share_right": _by_share_right, "cmos": _by_category}
        found = by_unit[unit(one, scales)](mine, confidence)
    return replace(found, conditions=(a, b)) if found else None


def _by_opinion(
    a: str, b: str, votes: Sequence[AnalysedVote], confidence: Confidence, scale: ScaleKind
) -> Compared | None:
    fitted = absolute.fit(a, b, votes, confidence.interval)
    if fitted is None:
        return None
    estimate = absolute.estimate(a, b, *fitted, confidence.interval, scale=scale, tested=False)
    return _by_student(estimate, fitted[1], confidence)


def _by_category(votes: Sequence[AnalysedVote], confidence: Confidence) -> Compared | None:
    fitted = category.fit(votes, confidence.interval)
    if fitted is None:
        return None
    estimate = category.estimate(votes, fitted[0], confidence.interval, tested=False)
    return _by_student(estimate, fitted[0], confidence)


def _by_share(votes: Sequence[AnalysedVote], confidence: Confidence) -> Compared | None:
    estimate = preference.share_for_b(votes, confidence.interval, tested=False)
    if estimate is not None and not preference.in_both_orders(votes):
        return Compared(estimate)
    return _by_hits(estimate, *preference.decided_for_b(votes), confidence)


def _by_share_right(votes: Sequence[AnalysedVote], confidence: Confidence) -> Compared | None:
    estimate = told_apart.share_right(votes, confidence.interval, tested=False)
    return _by_hits(estimate, votes, [vote.right is True for vote in votes], confidence)


def _by_hits(
    estimate: Estimate | None,
    decided: Sequence[AnalysedVote],
    hits: Sequence[bool],
    confidence: Confidence,
) -> Compared | None:
    if estimate is None:
        return None
    estimate = estimate.model_copy(update={"null_value": 0.5})
    if estimate.too_few:
        return Compared(estimate)
    # How many votes count as independent depends on the confidence, of those of few people.
    wide, narrow = (
        proportion(
            hits,
            [vote.participant for vote in decided],
            level,
            recordings=[vote.recording for vote in decided],
        )
        for level in (confidence.interval, confidence.inner)
    )
    assert wide is not None, "there are votes, or there were no estimate"  # noqa: S101
    assert narrow is not None, "of the same votes"  # noqa: S101
    return Compared(estimate, wide.p_half, narrow, (narrow.low, narrow.high))


def _by_student(estimate: Estimate, found: Coefficient, confidence: Confidence) -> Compared:
    estimate = estimate.model_copy(update={"null_value": 0.0})
    student = found.told.student
    if student is None:
        return Compared(estimate)
    return Compared(estimate, found.p_value, student, student.ends(confidence.inner))


def _with_controls(
    pairs: Sequence[AnalysedVote], controls: Sequence[AnalysedVote], confidence: Confidence
) -> Compared | None:
    """By how much more often a difference was told of in pairs: least squares on 0 and 1."""
    votes = [*pairs, *controls]
    x = np.ones((len(votes), 2))
    x[len(pairs) :, 0] = 0
    told = [float(vote.answer not in {"no_difference", 0}) for vote in votes]
    fitted = score.least_squares(x, told, votes, confidence.interval)
    if fitted is None:
        return None
    shares = [percent(float(np.mean(of))) for of in (told[: len(pairs)], told[len(pairs) :])]
    estimate = score.estimate(
        votes,
        fitted[0],
        confidence.interval,
        measure="share of pairs with a difference, minus the share of controls with one",
        opening=f"A difference was {pairs[0].words.sensed} in {shares[0]} of pairs and in "
        f"{shares[1]} of controls, which is {signed(fitted[0].value)}",
        fit="least squares",
        tested=False,
    )
    return _by_student(estimate, fitted[0], confidence)
