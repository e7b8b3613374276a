"""A block's votes against every metric of its kind: how well each predicts, and one curve.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

from thinlab.analysis.delay import curve, weighed
from thinlab.analysis.delay.accuracy import Accuracy, Figure, accuracy, is_no_worse
from thinlab.analysis.delay.findings import (
    AccuracyFindings,
    DelayBlock,
    DelayCurve,
    DelayFigure,
    MetricFindings,
    WeighedFindings,
)
from thinlab.analysis.delay.observed import MeasuredVote, Observed, observe
from thinlab.analysis.delay.refusal import why_no_curve
from thinlab.analysis.delay.written import written
from thinlab.analysis.votes import AnalysedBlock
from thinlab.analysis.wording import counted, plain
from thinlab.contract.columns import MetricColumn

NOT_FITTED = "The model found no fit: add participants or runs."


@dataclass(frozen=True)
class _Candidate:
    """A metric with what the votes say of it."""

    metric: MetricColumn
    observed: Observed
    refused: str | None
    accuracy: Accuracy | None

    @property
    def rank(self) -> tuple[bool, float]:
        """Best predicting first; without a curve last."""
        error = self.accuracy.rmse.value if self.accuracy else float("inf")
        return self.refused is not None, error


def of_block(
    block: AnalysedBlock,
    votes: Sequence[MeasuredVote],
    metrics: Sequence[MetricColumn],
    *,
    asked: str | None,
    planned: str | None,
    weighed_against: str | None = None,
    confidence: float,
) -> DelayBlock | None:
    """None without votes on pairs or single recordings, and of what is told right from wrong.

    `asked`: the metric of the curve. `weighed_against`: another, beside the one that is planned.
    """
    if block.scale in {"abx", "mushra"}:
        return None
    kinds = {"pair", "single"}
    mine = [one for one in votes if one.vote.block == block.id and one.vote.kind in kinds]
    if not mine or not metrics:
        return None
    candidates = sorted(
        (
            _candidate(block, mine, metric, confidence)
            for metric in _worth_showing(mine, metrics, {asked, planned})
        ),
        key=lambda one: one.rank,
    )
    by_name = {one.metric.name: one for one in candidates}
    chosen = by_name.get(asked or "") or by_name.get(planned or "") or candidates[0]
    is_planned = chosen.metric.name == planned
    found = (
        None
        if chosen.refused
        else curve.over(chosen.observed, chosen.metric, confidence, planned=is_planned)
    )
    return DelayBlock(
        block=block.id,
        scale=block.scale,
        metrics=_metrics(candidates, planned, confidence),
        metric=chosen.metric.name,
        planned=is_planned,
        curve=found,
        why_none=_why_none(chosen, found),
        best=_best(block, candidates, confidence),
        weighed=_weighed(block, mine, metrics, (planned, weighed_against), confidence),
    )


def _worth_showing(
    votes: Sequence[MeasuredVote], metrics: Sequence[MetricColumn], wanted: set[str | None]
) -> Sequence[MetricColumn]:
    """Without those that nothing presented has any of, as most sound has no damage."""

    def is_nought(metric: MetricColumn) -> bool:
        return {part.get(metric.name) for one in votes for part in one.presented} == {0}

    return [one for one in metrics if one.name in wanted or not is_nought(one)] or metrics


def _weighed(
    block: AnalysedBlock,
    votes: Sequence[MeasuredVote],
    metrics: Sequence[MetricColumn],
    names: tuple[str | None, str | None],
    confidence: float,
) -> WeighedFindings | None:
    by_name = {metric.name: metric for metric in metrics}
    u, v = (by_name.get(name or "") for name in names)
    if block.scale == "ccr" or u is None or v is None:
        return None
    return weighed.findings(block.scale, votes, (u, v), confidence)


def _why_none(chosen: _Candidate, found: DelayCurve | None) -> str | None:
    return chosen.refused or (NOT_FITTED if found is None else None)


def _candidate(
    block: AnalysedBlock, votes: Sequence[MeasuredVote], metric: MetricColumn, confidence: float
) -> _Candidate:
    observed = observe(block.scale, votes, metric.name)
    refused = why_no_curve(observed, metric.title)
    found = None if refused else accuracy(observed, confidence)
    return _Candidate(metric, observed, refused, found)


def _metrics(
    candidates: Sequence[_Candidate], planned: str | None, confidence: float
) -> list[MetricFindings]:
    best = _least_error(candidates)
    return [
        MetricFindings(
            name=one.metric.name,
            title=one.metric.title,
            unit=one.metric.unit,
            meaning=one.metric.meaning,
            planned=one.metric.name == planned,
            accuracy=_told(one.accuracy, best, confidence) if one.accuracy else None,
            refused=one.refused,
        )
        for one in candidates
    ]


def _least_error(candidates: Sequence[_Candidate]) -> float:
    return min((one.accuracy.rmse.value for one in candidates if one.accuracy), default=0.0)


def _told(found: Accuracy, best: float, confidence: float) -> AccuracyFindings:
    return AccuracyFindings(
        recordings=found.recordings,
        rmse=_figure(found.rmse),
        rmse_star=_figure(found.rmse_star),
        correlation=_figure(found.correlation) if found.correlation else None,
        outliers=_figure(found.outliers),
        no_worse=is_no_worse(found.rmse.value, best, found.recordings, confidence),
    )


def _figure(found: Figure) -> DelayFigure:
    return DelayFigure(value=found.value, low=found.low, high=found.high)


def _best(block: AnalysedBlock, candidates: Sequence[_Candidate], confidence: float) -> str | None:
    """None where nothing is to be compared."""
    told = [(one.metric, one.accuracy) for one in candidates if one.accuracy]
    if len(told) < 2:  # noqa: PLR2004
        return None
    metric, found = told[0]
    unit = "share" if block.scale == "preference" else ""
    alike = [
        f"“{other.title}”"
        for other, its in told[1:]
        if is_no_worse(its.rmse.value, found.rmse.value, its.recordings, confidence)
    ]
    correlation = (
        f", correlation {plain(found.correlation.value)}" if found.correlation is not None else ""
    )
    rest = (
        f" Not significantly worse: {', '.join(alike)}."
        if alike
        else " All others are significantly worse."
    )
    return (
        f"Exploratory: of {counted(len(told), 'metric')}, “{metric.title}” predicts recordings "
        f"that it was not fitted to best (RMSE {written(found.rmse.value, unit)}{correlation}; "
        f"{counted(found.recordings, 'recording')}).{rest}"
    )
