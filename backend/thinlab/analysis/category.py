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

from thinlab.analysis import score
from thinlab.analysis.crossed import Coefficient
from thinlab.analysis.findings import Estimate
from thinlab.analysis.votes import AnalysedVote
from thinlab.analysis.wording import signed

FIT = "least squares with order term"


def oriented(vote: AnalysedVote) -> int:
    """The score of b compared to a."""
    return int(vote.answer) if vote.first == "a" else -int(vote.answer)


def histogram(votes: Sequence[AnalysedVote]) -> dict[int, int]:
    """How many votes for each score of b compared to a; every score of the scale is there."""
    counts = Counter(oriented(vote) for vote in votes)
    return {given: counts[given] for given in range(-3, 4)}


def cmos(votes: Sequence[AnalysedVote], confidence: float) -> tuple[Estimate, Estimate] | None:
    """CMOS of b against a and the order effect; none while only one order was presented."""
    fitted = fit(votes, confidence)
    if fitted is None:
        return None
    preference, order = fitted
    return estimate(votes, preference, confidence), _order(votes, order, confidence)


def estimate(
    votes: Sequence[AnalysedVote],
    preference: Coefficient,
    confidence: float,
    *,
    tested: bool = True,
) -> Estimate:
    """CMOS of b against a, as fitted."""
    a, b = votes[0].conditions
    return score.estimate(
        votes,
        preference,
        confidence,
        measure=f"CMOS of {b} against {a}, order effect taken out",
        opening=f"On −3…+3, {b} scored {signed(preference.value)} against {a}",
        fit=FIT,
        tested=tested,
    )


def order_of_block(votes: Sequence[AnalysedVote], confidence: float) -> Estimate | None:
    """The order effect over all pairs of a block, each with a preference of its own."""
    fitted = fit(votes, confidence)
    return _order(votes, fitted[-1], confidence) if fitted else None


def mean_score(votes: Sequence[AnalysedVote], confidence: float) -> Estimate | None:
    """The mean score as presented: of controls, where it is the order effect itself."""
    if not votes:
        return None
    mean = score.mean(votes, [float(vote.answer) for vote in votes], confidence)
    return score.estimate(
        votes,
        mean,
        confidence,
        measure="mean score of the second presented, two copies of one recording",
        opening=f"Of two copies, the second presented scored {signed(mean.value)}",
        fit=FIT,
    )


def fit(votes: Sequence[AnalysedVote], confidence: float) -> tuple[Coefficient, ...] | None:
    """A preference for each pair of conditions, then the order effect."""
    pairs = {pair: number for number, pair in enumerate(dict.fromkeys(v.conditions for v in votes))}
    x = np.zeros((len(votes), len(pairs) + 1))
    x[:, -1] = 1
    for row, vote in enumerate(votes):
        x[row, pairs[vote.conditions]] = 1 if vote.first == "a" else -1
    return score.least_squares(x, [float(vote.answer) for vote in votes], votes, confidence)


def _order(votes: Sequence[AnalysedVote], order: Coefficient, confidence: float) -> Estimate:
    return score.estimate(
        votes,
        order,
        confidence,
        measure="score that the second presented gets, both equally good",
        opening=f"Were both equally good, the second presented would score {signed(order.value)}",
        fit=FIT,
    )
