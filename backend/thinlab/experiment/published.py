"""Figures that others have published, for comparison beside our own; never an input.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, Field

from thinlab.condition.transport import Baseline, Mode, mechanisms_of, mode_of
from thinlab.experiment.definition import Cell
from thinlab.experiment.metrics import METRICS
from thinlab.experiment.where import OneOrMore, Where
from thinlab.part import Part, Text

# Who has published of `all` knew the papers' mechanisms.
PublishedMode = Annotated[Mode, AfterValidator(lambda mode: mode_of(mechanisms_of(mode)))]


def _known(name: str) -> str:
    if name not in METRICS:
        raise ValueError(f"no metric is called `{name}`")
    return name


PublishedMetric = Annotated[str, AfterValidator(_known)]


class PublishedRow(Part):
    """What was published about one cell; an axis that is not named is the study's own."""

    mode: PublishedMode
    baseline: Baseline | None = None
    loss_share: float | None = None
    rtt_ms: float | None = None
    iat_ms: float | None = None
    message_bytes: int | None = None
    group: str | None = Field(default=None, description="Of flows: whose results.")
    metrics: dict[PublishedMetric, float] = Field(min_length=1)

    def about(self, cell: Cell) -> bool:
        """Whether it speaks of the cell."""
        axes = ("baseline", "loss_share", "rtt_ms", "iat_ms", "message_bytes", "group")
        return self.mode == cell.mode and all(
            named is None or named == getattr(cell, axis)
            for axis in axes
            for named in [getattr(self, axis)]
        )


class Cause(Part):
    """Why our figures differ from the published ones somewhere, and where that can be seen."""

    metric: PublishedMetric
    mode: OneOrMore[PublishedMode] | None = None
    where: Where = Where()
    cause: Text
    trace: Text = Field(description="The session, capture or experiment that shows it.")

    def explains(self, cell: Cell, metric: str) -> bool:
        """Whether it speaks of a metric of the cell."""
        about = metric == self.metric and self.where.holds(cell)
        return about and (self.mode is None or cell.mode in self.mode)


class Published(Part):
    """A table of somebody's paper."""

    source: Text
    short: Text = Field(description="How a column's head calls it.")
    rounded_to: dict[PublishedMetric, Annotated[float, Field(gt=0)]] = Field(
        default={}, description="The step of the last digit that is printed, by metric."
    )
    rows: tuple[PublishedRow, ...] = Field(min_length=1)
    causes: tuple[Cause, ...] = ()

    def metric(self, cell: Cell, name: str) -> float | None:
        """The published figure of a metric for a cell, if there is one."""
        return _first(
            row.metrics[name] for row in self.rows if name in row.metrics and row.about(cell)
        )

    def has(self, name: str) -> bool:
        """Whether the metric was published for any cell."""
        return any(name in row.metrics for row in self.rows)


def _first(values: Iterable[float]) -> float | None:
    return next(iter(values), None)
