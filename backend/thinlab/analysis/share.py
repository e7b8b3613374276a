"""What is said of a share of votes, or of people: its figures behind the words of a claim.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

from thinlab.analysis.enough import told
from thinlab.analysis.findings import Estimate
from thinlab.analysis.proportion import Proportion, proportion
from thinlab.analysis.votes import AnalysedVote, participants
from thinlab.analysis.wording import interval, p_text, percent


@dataclass(frozen=True)
class Claim:
    """What a share is a share of, and its sentence around the figures."""

    measure: str
    """What the number is."""
    opening: str
    """Before the figures."""
    what: str
    """That nothing can be said of where there are too few votes."""
    rest: str = ""
    """After the figures."""
    tested: bool = True
    """Whether no effect would be one half."""


def of_votes(
    votes: Sequence[AnalysedVote], hits: Sequence[bool], claim: Claim, confidence: float
) -> Estimate | None:
    """A claim on which each vote is a hit or none; none without votes."""
    found = proportion(hits, [vote.participant for vote in votes], confidence)
    if found is None:
        return None
    return estimate(found, claim, confidence, votes=len(votes), people=participants(votes))


def estimate(
    found: Proportion, claim: Claim, confidence: float, *, votes: int, people: int
) -> Estimate:
    """The claim with its figures, or that there are too few votes for it."""
    test = f", {p_text(found.p_half)}" if claim.tested else ""
    within = interval(found.low, found.high, confidence, share=True)
    share = Estimate(
        measure=claim.measure,
        value=found.share,
        low=found.low,
        high=found.high,
        null_value=0.5 if claim.tested else None,
        p_value=found.p_half if claim.tested else None,
        votes=votes,
        participants=people,
        method=found.method,
        sentence=f"{claim.opening} ({percent(found.share)}, {within}{test}){claim.rest}.",
    )
    return told(share, confidence, claim.what)
