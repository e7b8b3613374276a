"""Findings on the preference scale: first, second, and perhaps no difference.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from thinlab.analysis import davidson, share
from thinlab.analysis.crossed import Coefficient
from thinlab.analysis.findings import Estimate, Interval, Parameter
from thinlab.analysis.proportion import proportion
from thinlab.analysis.share import Claim, told
from thinlab.analysis.votes import AnalysedVote, participants, recordings
from thinlab.analysis.wording import counted, exploratory, generalises, interval, percent

PROFILE = "Davidson model with order term, profile likelihood"
SANDWICH = "Davidson model with order term, clustered by participant (leave-one-out, Student's t)"
CROSSED = (
    "Davidson model with order term, clustered by participant and by recording (leave-one-out, "
    "Wilson's interval, Student's t)"
)
SIGN_TEST = "sign test on participants, exact binomial (Clopper-Pearson)"
ANSWERS = ("first", "second", "no_difference")


@dataclass(frozen=True)
class Modelled:
    """What Davidson's model says about one pair."""

    preference: Estimate
    order: Estimate
    ties: Estimate | None


def chosen(vote: AnalysedVote) -> str | None:
    """The member that was voted for; none for no difference."""
    if vote.answer == "no_difference":
        return None
    other = "b" if vote.first == "a" else "a"
    return vote.first if vote.answer == "first" else other


def decided_for_b(votes: Sequence[AnalysedVote]) -> tuple[list[AnalysedVote], list[bool]]:
    """The votes with a preference, and which of them are for b."""
    decided = [vote for vote in votes if vote.answer != "no_difference"]
    return decided, [chosen(vote) == "b" for vote in decided]


def in_both_orders(votes: Sequence[AnalysedVote]) -> bool:
    """Whether either came first. Else whoever leans to a place seems to prefer what was there."""
    return len({vote.first for vote in votes}) > 1


def share_for_b(
    votes: Sequence[AnalysedVote], confidence: float, *, tested: bool = True
) -> Estimate | None:
    """Share for b of the votes with a preference; none when there is no such vote.

    It is not tested where all were presented in one order.
    """
    decided, for_b = decided_for_b(votes)
    a, b = votes[0].conditions
    of = counted(len(decided), "vote")
    undecided = len(votes) - len(decided)
    rest = f"; {undecided} of {len(votes)} {votes[0].words.sensed} no difference"
    first = a if votes[0].first == "a" else b
    lean = f"; {first} always came first, which no test can tell from being liked or disliked"
    claim = Claim(
        measure=f"share for {b} among votes with a preference",
        opening=f"{b} was preferred to {a} in {sum(for_b)} of {of} with a preference",
        what=f"how often {b} is preferred to {a}",
        rest=(rest if undecided else "") + ("" if in_both_orders(votes) else lean),
        tested=tested and in_both_orders(votes),
    )
    return share.of_votes(decided, for_b, claim, confidence)


def majority(votes: Sequence[AnalysedVote], confidence: float) -> Estimate | None:
    """Participants as the unit: who voted more often for b than for a; those at par left out.

    What one participant heard of each recording is in their sum, so this is about these
    recordings alone.
    """
    lean: dict[str, int] = {}
    for vote in votes:
        side = {"a": -1, "b": 1, None: 0}[chosen(vote)]
        lean[vote.participant] = lean.get(vote.participant, 0) + side
    for_b = {name: side > 0 for name, side in lean.items() if side != 0}
    found = proportion(list(for_b.values()), list(for_b), confidence)
    if found is None:
        return None
    a, b = votes[0].conditions
    of = counted(len(for_b), "participant")
    claim = Claim(
        measure=f"share of participants who voted more often for {b}",
        opening=f"{sum(for_b.values())} of the {of} who leaned to either voted more often for {b} "
        f"than for {a}",
        what=f"how many participants lean to {b} rather than {a}",
        tested=in_both_orders(votes),
    )
    found = replace(found, method=SIGN_TEST)
    return share.estimate(found, claim, confidence, votes=votes, people=len(for_b))


def modelled(votes: Sequence[AnalysedVote], confidence: float) -> Modelled | None:
    """Preference, order effect and ties of one pair; none when all are ties."""
    fit = davidson.fit([_comparison(vote, 0) for vote in votes], 1, confidence)
    if fit is None:
        return None
    a, b = votes[0].conditions
    reading = _Reading(votes, confidence, clustered=fit.clustered)
    return Modelled(
        preference=reading.share(
            fit.preferences[0],
            f"share for {b} among votes with a preference, order effect taken out",
            f"log odds of {b} against {a}",
            f"With the order effect taken out, {b} is preferred to {a} in",
            f"how often {b} is preferred to {a} with the order effect taken out",
        ),
        order=reading.order(fit.order),
        ties=reading.ties(fit.tie) if fit.tie else None,
    )


def order_of_block(votes: Sequence[AnalysedVote], confidence: float) -> Estimate | None:
    """The order effect over all pairs of a block, each with a preference of its own."""
    pairs = {pair: number for number, pair in enumerate(dict.fromkeys(v.conditions for v in votes))}
    comparisons = [_comparison(vote, pairs[vote.conditions]) for vote in votes]
    fit = davidson.fit(comparisons, len(pairs), confidence)
    if fit is None:
        return None
    return _Reading(votes, confidence, clustered=fit.clustered).order(fit.order)


def _comparison(vote: AnalysedVote, pair: int) -> davidson.Comparison:
    answer = ANSWERS.index(str(vote.answer))
    return davidson.Comparison(vote.participant, pair, vote.first == "b", answer, vote.recording)


@dataclass(frozen=True)
class _Reading:
    """Turns log odds into shares, which people can read."""

    votes: Sequence[AnalysedVote]
    confidence: float
    clustered: bool

    def order(self, found: Coefficient) -> Estimate:
        return self.share(
            found,
            "share for the first presented among votes with a preference, both equally good",
            "log odds of the first presented against the second",
            "Were both equally good, the first presented would be preferred in",
            "whether people lean to the first presented or to the second",
        )

    def share(
        self, found: Coefficient, measure: str, name: str, opening: str, what: str
    ) -> Estimate:
        low, high = _optional(_logistic, found.low), _optional(_logistic, found.high)
        tested = f", {exploratory(found.p_value)}" if found.p_value is not None else ""
        return self._estimate(
            found,
            measure=measure,
            name=name,
            what=what,
            transform=_logistic,
            null=(0.5, found.p_value),
            sentence=(
                f"{opening} {percent(_logistic(found.value))} of votes with a preference "
                f"({interval(low, high, self.confidence, share=True)}{tested}"
                f"{self._about(found)})."
            ),
        )

    def ties(self, found: Coefficient) -> Estimate:
        low, high = _optional(_tie_share, found.low), _optional(_tie_share, found.high)
        return self._estimate(
            found,
            measure="share for no difference if both are equally good, order effect taken out",
            name="log weight of no difference",
            what="how often no difference would be found between two that are equally good",
            transform=_tie_share,
            null=(None, None),
            sentence=(
                f"Were both equally good, {percent(_tie_share(found.value))} of votes would be "
                f"for no difference ({interval(low, high, self.confidence, share=True)}"
                f"{self._about(found)})."
            ),
        )

    def _estimate(
        self,
        found: Coefficient,
        *,
        transform: Callable[[float], float],
        measure: str,
        name: str,
        what: str,
        null: tuple[float | None, float | None],
        sentence: str,
    ) -> Estimate:
        these, scope = found.told.these, found.told.scope
        estimate = Estimate(
            measure=measure,
            value=transform(found.value),
            low=_optional(transform, found.low),
            high=_optional(transform, found.high),
            null_value=null[0],
            p_value=null[1],
            votes=len(self.votes),
            participants=participants(self.votes),
            recordings=recordings(self.votes),
            scope=scope,
            these=Interval(
                low=transform(these.low),
                high=transform(these.high),
                p_value=None if null[0] is None else these.p_value,
            )
            if these
            else None,
            method=CROSSED
            if scope == "other_losses"
            else (SANDWICH if self.clustered else PROFILE),
            sentence=sentence,
            parameter=Parameter(
                name=name,
                value=_finite(found.value),
                low=_finite(found.low),
                high=_finite(found.high),
            ),
        )
        return told(estimate, self.confidence, what)

    def _about(self, found: Coefficient) -> str:
        if found.told.bounds is None:
            return ""
        return f"; {generalises(found.told.scope, self.votes[0].words)}"


def _optional(transform: Callable[[float], float], x: float | None) -> float | None:
    return None if x is None else transform(x)


def _finite(x: float | None) -> float | None:
    return None if x is None or math.isinf(x) else x


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -math.inf else 0.0


def _tie_share(x: float) -> float:
    return 1 / (1 + 2 * math.exp(-x)) if x > -math.inf else 0.0
