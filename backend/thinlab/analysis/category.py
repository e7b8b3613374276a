"""Findings on the comparison category scale (CCR): −3 … +3, the second compared to the first.

A vote is taken as preference + order effect: with b second the score holds the preference for b,
with b first its opposite; what the second gets whatever it is, is the order effect. Both are
fitted together, so that leaning to a place is not taken for liking a condition. ITU-T P.800,
Annex E.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from thinlab.analysis import linear
from thinlab.analysis.findings import Estimate
from thinlab.analysis.linear import Coefficient
from thinlab.analysis.votes import AnalysedVote, one_vote_each, participants
from thinlab.analysis.wording import counted, interval, p_text, signed

CMOS = "least squares with order term"


def oriented(vote: AnalysedVote) -> int:
    """The score of b compared to a."""
    return int(vote.answer) if vote.first == "a" else -int(vote.answer)


def histogram(votes: Sequence[AnalysedVote]) -> dict[int, int]:
    """How many votes for each score of b compared to a; every score of the scale is there."""
    counts = Counter(oriented(vote) for vote in votes)
    return {score: counts[score] for score in range(-3, 4)}


def cmos(votes: Sequence[AnalysedVote], confidence: float) -> tuple[Estimate, Estimate] | None:
    """CMOS of b against a and the order effect; none while only one order was presented."""
    fitted = _fit(votes, confidence)
    if fitted is None:
        return None
    preference, order = fitted
    a, b = votes[0].conditions
    mean = _estimate(
        votes,
        preference,
        confidence,
        measure=f"CMOS of {b} against {a}, order effect taken out",
        opening=f"On −3…+3, {b} scored {signed(preference.value)} against {a}",
    )
    return mean, _order(votes, order, confidence)


def order_of_block(votes: Sequence[AnalysedVote], confidence: float) -> Estimate | None:
    """The order effect over all pairs of a block, each with a preference of its own."""
    fitted = _fit(votes, confidence)
    return _order(votes, fitted[-1], confidence) if fitted else None


def mean_score(votes: Sequence[AnalysedVote], confidence: float) -> Estimate | None:
    """The mean score as presented: of controls, where it is the order effect itself."""
    y = np.array([float(vote.answer) for vote in votes])
    fitted = linear.least_squares(
        np.ones((len(votes), 1)), y, [vote.participant for vote in votes], confidence
    )
    if fitted is None:
        return None
    return _estimate(
        votes,
        fitted[0],
        confidence,
        measure="mean score of the second presented, two copies of one recording",
        opening=f"Of two copies, the second presented scored {signed(fitted[0].value)}",
    )


def _fit(votes: Sequence[AnalysedVote], confidence: float) -> tuple[Coefficient, ...] | None:
    """A preference for each pair of conditions, then the order effect."""
    pairs = {pair: number for number, pair in enumerate(dict.fromkeys(v.conditions for v in votes))}
    x = np.zeros((len(votes), len(pairs) + 1))
    x[:, -1] = 1
    for row, vote in enumerate(votes):
        x[row, pairs[vote.conditions]] = 1 if vote.first == "a" else -1
    y = np.array([float(vote.answer) for vote in votes])
    return linear.least_squares(x, y, [vote.participant for vote in votes], confidence)


def _order(votes: Sequence[AnalysedVote], order: Coefficient, confidence: float) -> Estimate:
    return _estimate(
        votes,
        order,
        confidence,
        measure="score that the second presented gets, both equally good",
        opening=f"Were both equally good, the second presented would score {signed(order.value)}",
    )


def _estimate(
    votes: Sequence[AnalysedVote],
    found: Coefficient,
    confidence: float,
    *,
    measure: str,
    opening: str,
) -> Estimate:
    tested = f", {p_text(found.p_value)}" if found.p_value is not None else ""
    how = "leave-one-out (HC3), Student's t" if one_vote_each(votes) else linear.CLUSTERED
    return Estimate(
        measure=measure,
        value=found.value,
        low=found.low,
        high=found.high,
        null_value=0.0,
        p_value=found.p_value,
        votes=len(votes),
        participants=participants(votes),
        method=f"{CMOS}, {how}",
        sentence=(
            f"{opening} ({interval(found.low, found.high, confidence, share=False)}{tested}; "
            f"{counted(len(votes), 'vote')} of "
            f"{counted(participants(votes), 'participant')})."
        ),
    )
