"""What is said of a share of votes, or of people: its figures, or that there are too few votes.

A share of two votes is a number with an interval, and reads like a finding. It is told as none
where the interval leaves nearly nothing out, or where chance alone makes that many people agree.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

from thinlab.analysis.findings import Estimate, Interval
from thinlab.analysis.proportion import Proportion, proportion
from thinlab.analysis.votes import AnalysedVote, participants, recordings
from thinlab.analysis.wording import exploratory, generalises, interval, percent, too_few

# An interval of shares that is wider than this leaves out nearly nothing.
WIDEST = 0.9


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
    found = proportion(
        hits,
        [vote.participant for vote in votes],
        confidence,
        recordings=[vote.recording for vote in votes],
    )
    if found is None:
        return None
    return estimate(found, claim, confidence, votes=votes, people=participants(votes))


def estimate(
    found: Proportion,
    claim: Claim,
    confidence: float,
    *,
    votes: Sequence[AnalysedVote],
    people: int,
) -> Estimate:
    """The claim with its figures, or that there are too few votes for it."""
    test = f", {exploratory(found.p_half)}" if claim.tested else ""
    within = interval(found.low, found.high, confidence, share=True)
    about = generalises(found.scope, votes[0].words)
    share = Estimate(
        measure=claim.measure,
        value=found.share,
        low=found.low,
        high=found.high,
        null_value=0.5 if claim.tested else None,
        p_value=found.p_half if claim.tested else None,
        votes=len(votes),
        participants=people,
        recordings=recordings(votes),
        scope=found.scope,
        these=Interval(
            low=found.these.low,
            high=found.these.high,
            p_value=found.these.p_value if claim.tested else None,
        )
        if found.these
        else None,
        method=found.method,
        sentence=f"{claim.opening} ({percent(found.share)}, {within}{test}; {about}){claim.rest}.",
    )
    return told(share, confidence, claim.what)


def is_too_few(participants: int, low: float | None, high: float | None, confidence: float) -> bool:
    """For a share with this interval. An end that the votes do not set is at 0 or 1.

    >>> is_too_few(5, 0.48, 1.0, 0.95), is_too_few(6, 0.54, 1.0, 0.95)
    (True, False)
    >>> is_too_few(40, 0.02, 0.99, 0.95)
    True
    """
    # Coins that all fall alike, on whichever side.
    all_alike = 2 * 0.5**participants
    width = (1.0 if high is None else high) - (0.0 if low is None else low)
    return all_alike > 1 - confidence or width > WIDEST


def told(share: Estimate, confidence: float, what: str) -> Estimate:
    """The finding, or that there are too few votes to say `what`."""
    if not is_too_few(share.participants, share.low, share.high, confidence):
        return share
    sentence = too_few(share.votes, share.participants, what)
    return share.model_copy(update={"too_few": True, "sentence": sentence})
