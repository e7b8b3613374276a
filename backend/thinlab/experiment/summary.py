"""Runs of a cell together: means with confidence bands.

SPDX-License-Identifier: Apache-2.0
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from scipy import special

from thinlab.experiment.definition import Cell, ExperimentDefinition
from thinlab.experiment.metrics import METRICS
from thinlab.experiment.request import requests
from thinlab.experiment.rows import Row


def student_t(runs: int) -> float:
    """How many standard errors the mean's 95 % confidence interval reaches to either side."""
    return float(special.stdtrit(runs - 1, 0.975))


@dataclass(frozen=True)
class Estimate:
    """A metric over the runs of a cell."""

    runs: int
    mean: float
    half_width: float | None
    """Of the 95 % confidence interval of the mean; none of a single run."""
    lowest: float
    highest: float

    def shown(self, name: str) -> float:
        """What a table shows first: the mean, or the worst run's."""
        return self.highest if METRICS[name].worst else self.mean


@dataclass(frozen=True)
class CellSummary:
    """A cell and the rows of its runs."""

    cell: Cell
    rows: tuple[Row, ...]

    def estimate(self, name: str) -> Estimate | None:
        """A metric over the runs that have it; none if no run does."""
        return estimate([row[name] for row in self.rows if row.get(name) is not None])


def estimate(values: Sequence[float]) -> Estimate | None:
    """Mean and confidence interval of independent runs."""
    if not values:
        return None
    count = len(values)
    half = None
    if count > 1:
        half = student_t(count) * statistics.stdev(values) / count**0.5
    return Estimate(count, statistics.fmean(values), half, min(values), max(values))


def summarize(
    experiment: ExperimentDefinition, rows: Sequence[Row], host_build: str
) -> list[CellSummary]:
    """The experiment's cells in order, each with its rows; cells without rows are left out."""
    by_key: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_key.setdefault(row["key"], {})[row.get("group") or ""] = row
    parts = {cell: cell.parts() for cell in experiment.cells()}
    found: dict[Cell, list[Row]] = {part: [] for cell in parts for part in parts[cell]}
    for request in requests(experiment):
        of_session = by_key.get(request.key(host_build))
        if of_session is None:
            continue
        for part in parts[request.cell]:
            found[part].append(of_session[part.group])
    summaries = [CellSummary(cell, tuple(mine)) for cell, mine in found.items() if mine]
    # Modes below each other, in surroundings as they first come.
    order = {cell.situation: None for cell in found}
    place = {situation: number for number, situation in enumerate(order)}
    return sorted(summaries, key=lambda one: place[one.cell.situation])
