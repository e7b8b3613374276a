"""How much of one metric people put up with for less of another: the line of equal preference.

With u and v the two metrics of a and b, the log odds of b against a are

    β (u_b − u_a) + δ (v_b − v_a)

with ties and the order of presentation as in Davidson's model. People are at par where that is
nought: there the one may be more by θ = δ/β for each unit by which the other is less, and θ is what
a unit of v is worth in units of u. Its interval is Fieller's (Some problems in interval estimation.
J Royal Statistical Society B 16, 1954): every θ of which δ − θβ is not told from nought, with
participants and recordings both as samples (`thinlab.analysis.crossed`). It exists where the votes
tell β from nought; where they do not, no line is told.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from thinlab.analysis.crossed import Array, Coefficient, Groups, uncertainty
from thinlab.analysis.davidson import UNBOUNDED, Likelihood
from thinlab.analysis.delay.findings import WeighedFindings, WeighedPoint
from thinlab.analysis.delay.observed import MeasuredVote
from thinlab.analysis.delay.written import written
from thinlab.analysis.findings import Estimate
from thinlab.analysis.preference import ANSWERS, chosen
from thinlab.analysis.votes import AnalysedVote, Scope, participants, recordings
from thinlab.analysis.wording import counted, generalises
from thinlab.contract.columns import MetricColumn

METHOD = (
    "Davidson model with order term over two metrics, clustered by participant and by recording; "
    "Fieller's interval of the ratio"
)
# An end of the interval is looked for so far away, in units of what the metrics differ by.
FARTHEST = 1e4


@dataclass(frozen=True)
class Weighed:
    """Votes on pairs, by how much b differs from a in either metric."""

    votes: tuple[AnalysedVote, ...]
    apart: Array
    """A row a vote: u_b − u_a and v_b − v_a."""


@dataclass(frozen=True)
class Line:
    """Of equal preference."""

    worth: float
    """Units of u that a unit of v is worth."""
    low: float
    high: float
    u: Coefficient
    """Log odds of b per unit that it has more."""
    scope: Scope


def weigh(votes: Sequence[MeasuredVote], names: tuple[str, str]) -> Weighed:
    """Those votes of which both places have both metrics."""
    kept: list[AnalysedVote] = []
    apart: list[list[float]] = []
    for one in votes:
        if one.vote.kind != "pair" or len(one.presented) != 2:  # noqa: PLR2004
            continue
        a, b = one.presented if one.vote.first == "a" else one.presented[::-1]
        pairs = [(a.get(name), b.get(name)) for name in names]
        told = [of_b - of_a for of_a, of_b in pairs if of_a is not None and of_b is not None]
        if len(told) == len(names):
            kept.append(one.vote)
            apart.append(told)
    return Weighed(tuple(kept), np.array(apart, dtype=np.float64).reshape(-1, 2))


def line(weighed: Weighed, confidence: float) -> Line | None:
    """None where the votes set no line."""
    units = abs(weighed.apart).max(axis=0, initial=0.0)
    if not units.all() or np.linalg.matrix_rank(weighed.apart / units) < len(units):
        return None
    answers = np.array([ANSWERS.index(str(vote.answer)) for vote in weighed.votes], dtype=np.intp)
    first = {vote.first for vote in weighed.votes}
    if (answers == ANSWERS.index("no_difference")).all() or len(first) < 2:  # noqa: PLR2004
        return None
    b_first = np.array([vote.first == "b" for vote in weighed.votes])
    groups = Groups.of(
        [vote.participant for vote in weighed.votes],
        [vote.recording for vote in weighed.votes],
        np.arange(len(answers)),
        len(answers),
    )
    likelihood = Likelihood.over(weighed.apart / units, b_first, answers, groups)
    at = likelihood.summit()
    if abs(at).max() > UNBOUNDED:
        return None
    test = _tests(likelihood.derivatives(at), at, groups, confidence)
    u, scope = test(0.0)[1]
    if u.low is None or u.high is None or u.low <= 0 <= u.high:
        return None
    worth = at[1] / at[0]
    ends = [_end(test, worth, side, 1 - confidence) for side in (-1, 1)]
    if None in ends:
        return None
    low, high = (float(end or 0.0) * units[0] / units[1] for end in ends)
    return Line(float(worth * units[0] / units[1]), low, high, u, scope)


Test = Callable[[float], tuple[float | None, tuple[Coefficient, Scope]]]


def _tests(derivatives: tuple[Array, Array], at: Array, groups: Groups, confidence: float) -> Test:
    """Of a θ: the p-value of δ − θβ = 0; and β itself, with what it generalises to."""
    scores, information = derivatives

    def test(worth: float) -> tuple[float | None, tuple[Coefficient, Scope]]:
        # In the metrics u + θ v and v, the second's coefficient is δ − θβ.
        turn = np.eye(len(at))
        turn[1, 0] = worth
        found = uncertainty(
            scores @ turn, np.einsum("pi,cpq,qj->cij", turn, information, turn), groups
        )
        rest = found.told(float(at[1] - worth * at[0]), 1, confidence)
        u = found.told(float(at[0]), 0, confidence)
        p_value = rest.bounds.p_value if rest.bounds else None
        return p_value, (Coefficient(float(at[0]), u), u.scope)

    return test


def _end(test: Test, worth: float, side: int, alpha: float) -> float | None:
    """Of Fieller's interval; none where it has no end on this side."""

    def above(distance: float) -> float:
        p_value = test(worth + side * distance)[0]
        return (0.0 if p_value is None else p_value) - alpha

    distance = 0.01 * max(1.0, abs(worth))
    while above(distance) > 0:
        distance *= 2
        if distance > FARTHEST * max(1.0, abs(worth)):
            return None
    inside = distance / 2 if above(distance / 2) > 0 else 0.0
    found = distance if inside == distance else optimize.brentq(above, inside, distance, xtol=1e-9)
    return worth + side * float(found)


def findings(
    votes: Sequence[MeasuredVote], metrics: tuple[MetricColumn, MetricColumn], confidence: float
) -> WeighedFindings:
    """The line, or why there is none."""
    u, v = metrics
    weighed = weigh(votes, (u.name, v.name))
    found = line(weighed, confidence)
    worth = _worth(weighed, found, metrics, confidence) if found else None
    return WeighedFindings(
        metric=u.name,
        title=u.title,
        unit=u.unit,
        other=v.name,
        other_title=v.title,
        other_unit=v.unit,
        points=_points(weighed),
        worth=worth,
        sentence=worth.sentence if worth else _why_none(u, v),
    )


def _worth(
    weighed: Weighed,
    found: Line,
    metrics: tuple[MetricColumn, MetricColumn],
    confidence: float,
) -> Estimate:
    u, v = metrics
    people = participants(weighed.votes)
    return Estimate(
        measure=f"“{u.title}” that as much of “{v.title}” is worth",
        value=found.worth,
        low=found.low,
        high=found.high,
        null_value=None,
        p_value=None,
        exploratory=False,
        votes=len(weighed.votes),
        participants=people,
        recordings=recordings(weighed.votes),
        scope=found.scope,
        these=None,
        method=METHOD,
        sentence=(
            f"{_unit(v)} of “{v.title}” counts as much as {written(found.worth, u.unit)} of "
            f"“{u.title}” ({confidence * 100:g} % CI {written(found.low, u.unit)} to "
            f"{written(found.high, u.unit)}; {counted(len(weighed.votes), 'vote')} of "
            f"{counted(people, 'participant')}; "
            f"{generalises(found.scope, weighed.votes[0].words)})."
        ),
    )


def _unit(metric: MetricColumn) -> str:
    return f"1 {metric.unit}" if metric.unit else "One"


def _why_none(u: MetricColumn, v: MetricColumn) -> str:
    return (
        f"The votes do not tell what “{v.title}” counts beside “{u.title}”: add participants, "
        "runs, or pairs that differ more in the one and less in the other."
    )


def _points(weighed: Weighed) -> list[WeighedPoint]:
    """Of each pair of recordings, in the order of its first vote."""
    places: dict[str, list[int]] = {}
    for number, vote in enumerate(weighed.votes):
        places.setdefault(vote.recording, []).append(number)
    return [
        WeighedPoint(
            trial_id=weighed.votes[mine[0]].trial,
            run=weighed.votes[mine[0]].run,
            apart=float(weighed.apart[mine[0], 0]),
            other_apart=float(weighed.apart[mine[0], 1]),
            votes_a=sum(chosen(weighed.votes[place]) == "a" for place in mine),
            votes_b=sum(chosen(weighed.votes[place]) == "b" for place in mine),
            votes_none=sum(chosen(weighed.votes[place]) is None for place in mine),
        )
        for mine in places.values()
    ]
