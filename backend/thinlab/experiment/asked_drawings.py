"""The figures that an experiment's file asks for, drawn.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from thinlab.experiment import all_runs, spread
from thinlab.experiment.asked_figures import AskedFigure, Boxes, Distribution, Kinds, Latencies
from thinlab.experiment.definition import ExperimentDefinition
from thinlab.experiment.drawing import Drawing
from thinlab.experiment.links import Links
from thinlab.experiment.published import Published
from thinlab.experiment.summary import CellSummary


def asked_for(
    experiment: ExperimentDefinition,
    summaries: Sequence[CellSummary],
    published: Published | None,
    links: Links | None,
) -> list[Drawing]:
    """What the experiment asks for, of what was run; a figure of nothing is left out."""
    drawn = []
    for asked in experiment.figures:
        mine = [one for one in summaries if asked.where.holds(one.cell)]
        mine = [one for one in mine if not asked.group or one.cell.group in asked.group]
        mine = [one for one in mine if _has(one, asked)]
        if not mine:
            continue
        name = f"{experiment.name}-{asked.name}"
        match asked:
            case Boxes():
                cells = [cell for cell in experiment.cells() if asked.where.holds(cell)]
                places = asked.places(cells)
                drawn.append(spread.boxes(name, asked, places, mine, published, links))
            case Latencies():
                drawn.append(all_runs.latencies(name, asked, mine, links))
            case Kinds():
                drawn.append(all_runs.kinds(name, asked, mine))
            case Distribution():
                drawn.append(all_runs.distribution(name, asked, mine, links))
            case _:
                drawn.append(spread.scatter(name, asked, mine, links))
    return drawn


def _has(one: CellSummary, asked: AskedFigure) -> bool:
    """Whether a cell's runs have what the figure shows."""
    match asked:
        case Latencies():
            return any(all_runs.has(one, curve) for curve in asked.curves.values())
        case Distribution():
            return all_runs.has(one, asked.curve)
        case Kinds():
            kinds = {metric for total in asked.totals.values() for metric in total.values()}
            return all(spread.values_of(one, metric) for metric in kinds)
        case _:
            return all(spread.values_of(one, metric) for metric in asked.metrics.values())
