"""How much of one metric people put up with for less of another: the line of equal preference.

Of preferences, with u and v the two metrics of a and b, the log odds of b against a are

    β (u_b − u_a) + δ (v_b − v_a)

with ties and the order of presentation as in Davidson's model. Of ratings, with u and v the metrics
of what is rated, the score is β u + δ v and a level for each participant and clip, by least squares
as differences of mean opinion scores are. People are at par where that is nought, or does not
change: there the one may be more by θ = δ/β for each unit by which the other is less, and θ is what
a unit of v is worth in units of u. Its interval is Fieller's (`thinlab.analysis.delay.fieller`). It
exists where the votes tell β from nought; where they do not, no line is told.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from thinlab.analysis import linear
from thinlab.analysis.crossed import Array, Groups, numbered
from thinlab.analysis.davidson import UNBOUNDED, Likelihood
from thinlab.analysis.delay.fieller import Fitted, Ratio, ratio
from thinlab.analysis.delay.findings import RatedPoint, WeighedFindings, WeighedPoint
from thinlab.analysis.delay.observed import MeasuredVote
from thinlab.analysis.delay.written import written
from thinlab.analysis.findings import Estimate
from thinlab.analysis.preference import ANSWERS, chosen
from thinlab.analysis.votes import AnalysedVote, participants, recordings
from thinlab.analysis.wording import counted, generalises
from thinlab.contract.columns import MetricColumn
from thinlab.study.scale import RATINGS, ScaleKind

BY_BOTH = "clustered by participant and by recording; Fieller's interval of the ratio"
PREFERRED = f"Davidson model with order term over two metrics, {BY_BOTH}"
RATED = f"least squares over two metrics, a level for each participant and clip, {BY_BOTH}"


@dataclass(frozen=True)
class Weighed:
    """Votes beside two metrics."""

    scale: ScaleKind
    votes: tuple[AnalysedVote, ...]
    metrics: Array
    """A row a vote: u and v, of a pair by how much b has more than a."""


def weigh(scale: ScaleKind, votes: Sequence[MeasuredVote], names: tuple[str, str]) -> Weighed:
    """Those votes of which all that was presented, or the one that is rated, has both metrics."""
    kept: list[AnalysedVote] = []
    metrics: list[list[float]] = []
    for one in votes:
        told = _rated(one, names) if scale in RATINGS else _apart(one, names)
        if len(told) == len(names):
            kept.append(one.vote)
            metrics.append(told)
    return Weighed(scale, tuple(kept), np.array(metrics, dtype=np.float64).reshape(-1, len(names)))


def _rated(one: MeasuredVote, names: tuple[str, str]) -> list[float]:
    """Of what is rated by a reference, the metrics are those of what is rated."""
    values = [one.presented[-1].get(name) for name in names] if one.presented else []
    return [float(value) for value in values if value is not None]


def _apart(one: MeasuredVote, names: tuple[str, str]) -> list[float]:
    if one.vote.kind != "pair" or len(one.presented) != 2:  # noqa: PLR2004
        return []
    a, b = one.presented if one.vote.first == "a" else one.presented[::-1]
    pairs = [(a.get(name), b.get(name)) for name in names]
    return [of_b - of_a for of_a, of_b in pairs if of_a is not None and of_b is not None]


def line(weighed: Weighed, confidence: float) -> Ratio | None:
    """Of equal preference: units of u that a unit of v is worth. None where the votes set none."""
    units = abs(weighed.metrics).max(axis=0, initial=0.0)
    if not units.all():
        return None
    fit = _of_ratings if weighed.scale in RATINGS else _of_preferences
    fitted = fit(weighed.votes, weighed.metrics / units)
    found = ratio(fitted, confidence) if fitted else None
    return found.scaled(float(units[0] / units[1])) if found else None


def _of_preferences(votes: Sequence[AnalysedVote], apart: Array) -> Fitted | None:
    answers = np.array([ANSWERS.index(str(vote.answer)) for vote in votes], dtype=np.intp)
    first = {vote.first for vote in votes}
    if (answers == ANSWERS.index("no_difference")).all() or len(first) < 2:  # noqa: PLR2004
        return None
    if np.linalg.matrix_rank(apart) < apart.shape[1]:
        return None
    b_first = np.array([vote.first == "b" for vote in votes])
    groups = _groups(votes)
    likelihood = Likelihood.over(apart, b_first, answers, groups)
    at = likelihood.summit()
    if abs(at).max() > UNBOUNDED:
        return None
    return Fitted(at, *likelihood.derivatives(at), groups)


def _of_ratings(votes: Sequence[AnalysedVote], metrics: Array) -> Fitted | None:
    clips = numbered([vote.clip for vote in votes])
    x = np.column_stack([metrics, clips[:, None] == np.arange(clips.max(initial=-1) + 1)])
    scores = np.array([float(vote.answer) for vote in votes])
    people = [vote.participant for vote in votes]
    x, y = linear.levelled(x, people), linear.levelled(scores, people)
    if np.linalg.matrix_rank(x) < x.shape[1]:
        return None
    at = np.asarray(np.linalg.lstsq(x, y, rcond=None)[0], dtype=np.float64)
    return Fitted(
        at,
        (y - x @ at)[:, None] * x,
        x[:, :, None] * x[:, None, :],
        _groups(votes),
        linear.effects_of([vote.recording for vote in votes], x, people),
    )


def _groups(votes: Sequence[AnalysedVote]) -> Groups:
    """Each vote is a cell."""
    return Groups.of(
        [vote.participant for vote in votes],
        [vote.recording for vote in votes],
        np.arange(len(votes)),
        len(votes),
    )


def findings(
    scale: ScaleKind,
    votes: Sequence[MeasuredVote],
    metrics: tuple[MetricColumn, MetricColumn],
    confidence: float,
) -> WeighedFindings:
    """The line, or why there is none."""
    u, v = metrics
    weighed = weigh(scale, votes, (u.name, v.name))
    is_rated = scale in RATINGS
    found = line(weighed, confidence)
    worth = _worth(weighed, found, metrics, confidence) if found else None
    return WeighedFindings(
        metric=u.name,
        title=u.title,
        unit=u.unit,
        other=v.name,
        other_title=v.title,
        other_unit=v.unit,
        points=[] if is_rated else _points(weighed),
        rated=_rated_points(weighed) if is_rated else [],
        worth=worth,
        sentence=worth.sentence if worth else _why_none(u, v, is_rated=is_rated),
    )


def _worth(
    weighed: Weighed,
    found: Ratio,
    metrics: tuple[MetricColumn, MetricColumn],
    confidence: float,
) -> Estimate:
    u, v = metrics
    people = participants(weighed.votes)
    return Estimate(
        measure=f"“{u.title}” that as much of “{v.title}” is worth",
        value=found.value,
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
        method=RATED if weighed.scale in RATINGS else PREFERRED,
        sentence=(
            f"{_unit(v)} of “{v.title}” counts as much as {written(found.value, u.unit)} of "
            f"“{u.title}” ({confidence * 100:g} % CI {written(found.low, u.unit)} to "
            f"{written(found.high, u.unit)}; {counted(len(weighed.votes), 'vote')} of "
            f"{counted(people, 'participant')}; "
            f"{generalises(found.scope, weighed.votes[0].words)})."
        ),
    )


def _unit(metric: MetricColumn) -> str:
    return f"1 {metric.unit}" if metric.unit else "One"


def _why_none(u: MetricColumn, v: MetricColumn, *, is_rated: bool) -> str:
    more = (
        "recordings that have more of the one and less of the other"
        if is_rated
        else "pairs that differ more in the one and less in the other"
    )
    return (
        f"The votes do not tell what “{v.title}” counts beside “{u.title}”: add participants, "
        f"runs, or {more}."
    )


def _places(weighed: Weighed) -> list[list[int]]:
    """Of each recording, or pair of them, the numbers of its votes; in the order of the first."""
    places: dict[str, list[int]] = {}
    for number, vote in enumerate(weighed.votes):
        places.setdefault(vote.recording, []).append(number)
    return list(places.values())


def _points(weighed: Weighed) -> list[WeighedPoint]:
    return [
        WeighedPoint(
            trial_id=weighed.votes[mine[0]].trial,
            run=weighed.votes[mine[0]].run,
            apart=float(weighed.metrics[mine, 0].mean()),
            other_apart=float(weighed.metrics[mine, 1].mean()),
            votes_a=sum(chosen(weighed.votes[place]) == "a" for place in mine),
            votes_b=sum(chosen(weighed.votes[place]) == "b" for place in mine),
            votes_none=sum(chosen(weighed.votes[place]) is None for place in mine),
        )
        for mine in _places(weighed)
    ]


def _rated_points(weighed: Weighed) -> list[RatedPoint]:
    return [
        RatedPoint(
            trial_id=weighed.votes[mine[0]].trial,
            run=weighed.votes[mine[0]].run,
            value=float(weighed.metrics[mine, 0].mean()),
            other_value=float(weighed.metrics[mine, 1].mean()),
            votes=len(mine),
            score=float(np.mean([float(weighed.votes[place].answer) for place in mine])),
        )
        for mine in _places(weighed)
    ]
