"""Published counts beside our own votes on the same question, and what a replication may differ.

Whoever repeats a study exactly, with as many people as they like, does not get its share again:
both counts are drawn by chance. So a published share is not a line that ours has to meet; what
it says of ours is an interval (Spence and Stanley, PLoS ONE 11, 2016, e0162874; Patil, Peng and
Leek, Perspectives on Psychological Science 11, 2016, 539-544). Theirs is for means; for counts
we take the beta-binomial predictive distribution (Aitchison and Dunsmore, Statistical Prediction
Analysis, 1975): with Jeffreys' prior, k of n votes foretell BetaBinomial(m, k + 1/2, n - k + 1/2)
of m. It holds chance alone: other clips, losses and people come on top.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scipy import stats

from thinlab.analysis.findings import Estimate
from thinlab.analysis.preference import chosen
from thinlab.analysis.proportion import EXACT
from thinlab.analysis.replication.findings import ReplicationFindings
from thinlab.analysis.votes import AnalysedVote, participants, recordings
from thinlab.analysis.wording import counted, interval, percent
from thinlab.study.published import PublishedCount

PREDICTED = "beta-binomial predictive distribution of the published counts, Jeffreys' prior"
JEFFREYS = 0.5


@dataclass(frozen=True)
class Span:
    """A first and a last count, both within."""

    low: int
    high: int


def predicted(count: int, of: int, votes: int, confidence: float) -> Span:
    """Between which counts a replication with so many votes falls, by chance alone.

    Equal tails; counts are whole, so that it holds at least `confidence`.

    >>> predicted(84, 88, 88, 0.95)
    Span(low=77, high=88)
    """
    foretold = stats.betabinom(votes, count + JEFFREYS, of - count + JEFFREYS)
    tail = (1 - confidence) / 2
    return Span(int(foretold.ppf(tail)), int(foretold.ppf(1 - tail)))


def replications(
    published: Sequence[PublishedCount], votes: Sequence[AnalysedVote], confidence: float
) -> list[ReplicationFindings]:
    """Each published count with the votes on its trial; without votes it stands alone.

    Runs whose two members came out as the same bytes are controls: nobody could prefer one.
    """
    pairs = [vote for vote in votes if vote.kind == "pair"]
    return [
        _replication(one, [vote for vote in pairs if vote.trial == one.trial], confidence)
        for one in published
    ]


def _replication(
    one: PublishedCount, votes: Sequence[AnalysedVote], confidence: float
) -> ReplicationFindings:
    picked = [_picked(vote) for vote in votes if one.among == "all" or chosen(vote)]
    hits, of = picked.count(one.preferred), len(picked)
    what = f"share for {one.preferred} among {_among(one)}"
    theirs = _counted(one.count, one.of, confidence, what)
    theirs = theirs.model_copy(
        update={"sentence": f"Published: {_for(one, one.count, one.of, theirs, confidence)}."}
    )
    found = ReplicationFindings(
        trial_id=one.trial,
        condition=one.preferred,
        among=one.among,
        source=one.source,
        differs=one.differs,
        published_count=one.count,
        published_of=one.of,
        published=theirs,
        sentence=f"{theirs.sentence} Source: {one.source}",
    )
    if not picked:
        return found
    ours = _counted(hits, of, confidence, what, votes)
    ours = ours.model_copy(update={"sentence": f"Here: {_for(one, hits, of, ours, confidence)}."})
    span = predicted(one.count, one.of, of, confidence)
    foretold = _foretold(one, span, ours, confidence)
    inside = span.low <= hits <= span.high
    where = "inside" if inside else "below" if hits < span.low else "above"
    return found.model_copy(
        update={
            "count": hits,
            "of": of,
            "ours": ours,
            "predicted": foretold,
            "predicted_low": span.low,
            "predicted_high": span.high,
            "inside": inside,
            "sentence": f"{theirs.sentence} {ours.sentence} {foretold.sentence} "
            f"Ours is {where} that. Source: {one.source}",
        }
    )


def _picked(vote: AnalysedVote) -> str | None:
    """The condition that was voted for; none for no difference."""
    member = chosen(vote)
    return None if member is None else vote.conditions["ab".index(member)]


def _among(one: PublishedCount) -> str:
    return "all votes" if one.among == "all" else "votes with a preference"


def _counted(
    count: int, of: int, confidence: float, measure: str, votes: Sequence[AnalysedVote] = ()
) -> Estimate:
    """A share of votes, one from each person, with its exact interval; others' without votes."""
    ends = stats.binomtest(count, of).proportion_ci(confidence_level=confidence, method="exact")
    return Estimate(
        measure=measure,
        value=count / of,
        low=float(ends.low),
        high=float(ends.high),
        null_value=None,
        p_value=None,
        votes=of,
        participants=participants(votes) or of,
        recordings=recordings(votes),
        scope="these_recordings",
        these=None,
        method=EXACT,
        sentence="",
    )


def _for(one: PublishedCount, count: int, of: int, share: Estimate, confidence: float) -> str:
    within = interval(share.low, share.high, confidence, share=True)
    preference = "" if one.among == "all" else " with a preference"
    return (
        f"{one.preferred} was preferred in {count} of {counted(of, 'vote')}{preference} "
        f"({percent(share.value)}, {within})"
    )


def _foretold(one: PublishedCount, span: Span, ours: Estimate, confidence: float) -> Estimate:
    """What a replication of the size of ours gets."""
    of = ours.votes
    low, high = span.low / of, span.high / of
    return Estimate(
        measure=f"share for {one.preferred} that the published counts foretell",
        # The predictive distribution's mean.
        value=(one.count + JEFFREYS) / (one.of + 2 * JEFFREYS),
        low=low,
        high=high,
        null_value=None,
        p_value=None,
        votes=of,
        participants=ours.participants,
        recordings=ours.recordings,
        scope="these_recordings",
        these=None,
        method=PREDICTED,
        sentence=(
            f"By the published counts alone, a replication with {counted(of, 'vote')} has "
            f"{span.low} to {span.high} of them ({percent(low)} to {percent(high)}, "
            f"{confidence * 100:g} % prediction interval)."
        ),
    )
