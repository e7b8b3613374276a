"""Published figures beside ours: the difference, and whether it is one.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thinlab.condition.transport import Bundling
from thinlab.experiment.definition import AsPublished, Check
from thinlab.experiment.metrics import METRICS, Metric
from thinlab.experiment.published import Cause, Published
from thinlab.experiment.summary import CellSummary, Estimate
from thinlab.experiment.table import varying, where

ROUNDING_ERROR = 1e-9


@dataclass(frozen=True)
class Comparison:
    """One published figure, and what we measured."""

    metric: str
    where: str
    ours: str
    theirs: str
    difference: str
    agrees: bool
    why: str
    """By which measure they agree; or the cause of the difference, empty where none is known."""
    trace: str = ""
    """What shows the cause."""


def compare(
    checks: Sequence[Check], summaries: Sequence[CellSummary], published: Published
) -> list[Comparison]:
    """Every published figure of a cell that was run, bundling with its default settings."""
    axes = varying(summaries)
    return [
        _compared(
            (METRICS[name], where(one.cell, axes)),
            (estimate, wanted),
            list(_measures(checks, one, name, published)),
            _cause(published, one, name),
        )
        for name in METRICS
        if published.has(name)
        for one in summaries
        for wanted, estimate in [(published.metric(one.cell, name), one.estimate(name))]
        if wanted is not None and estimate is not None and one.cell.transport.bundling == Bundling()
    ]


def _measures(
    checks: Sequence[Check], one: CellSummary, name: str, published: Published
) -> Iterator[tuple[float, str]]:
    """How far apart two figures may be and still agree, and why so far."""
    estimate = one.estimate(name)
    if estimate is not None and estimate.half_width is not None:
        yield estimate.half_width, "within our 95 % interval"
    step = published.rounded_to.get(name)
    if step is not None:
        half = estimate.half_width or 0.0 if estimate is not None else 0.0
        yield half + step / 2, "within our interval and their rounding"
    for check in checks:
        if isinstance(check, AsPublished) and check.metric == name and check.looks_at(one.cell):
            metric = METRICS[name]
            told = f"{metric.text(check.within)} {metric.unit}".rstrip()
            yield check.within, f"within the {told} that the experiment asks for"


def _compared(
    named: tuple[Metric, str],
    figures: tuple[Estimate, float],
    measures: Sequence[tuple[float, str]],
    cause: Cause | None,
) -> Comparison:
    metric, at = named
    estimate, wanted = figures
    difference = estimate.mean - wanted
    held = [why for limit, why in measures if abs(difference) <= limit + ROUNDING_ERROR]
    band = "" if estimate.half_width is None else f" ± {metric.text(estimate.half_width)}"
    # Of a figure that is a share, the difference is in points; a part of it would be another share.
    part = f" ({difference / wanted:+.1%})" if wanted and metric.unit != "%" else ""
    why = held[0] if held else (cause.cause if cause is not None else "")
    return Comparison(
        metric=f"{metric.title}, {metric.unit}" if metric.unit else metric.title,
        where=at,
        ours=metric.text(estimate.mean) + band,
        theirs=metric.text(wanted),
        difference=f"{difference * metric.scale:+.{metric.decimals}f}{part}",
        agrees=bool(held),
        why=why,
        trace="" if held or cause is None else cause.trace,
    )


def _cause(published: Published, one: CellSummary, name: str) -> Cause | None:
    return next((each for each in published.causes if each.explains(one.cell, name)), None)
