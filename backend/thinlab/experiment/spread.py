"""How single runs are spread: boxes of their quartiles, and one metric of them against another.

As figures 6.2 to 6.11 of the TCP Lite thesis have it: the box is the middle half of the runs, with
the median as its line and the mean as its point, and the lines reach to the lowest and the highest.

SPDX-License-Identifier: Apache-2.0
"""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from thinlab.experiment.asked_figures import Boxes, Scatter
from thinlab.experiment.drawing import (
    TARGET_POINTS,
    UNSEEN,
    Drawing,
    axis_of,
    groups_of,
    legend,
    style_of,
)
from thinlab.experiment.links import Links
from thinlab.experiment.metrics import METRICS
from thinlab.experiment.published import Published
from thinlab.experiment.summary import CellSummary

# Of the room that a path has along the bottom.
BOXES_SHARE = 0.7
QUARTILES = (0, 25, 50, 75, 100)


def values_of(one: CellSummary, metric: str) -> list[float]:
    """Of the runs that have it, as they are shown."""
    found = [row[metric] for row in one.rows if row.get(metric) is not None]
    return [value * METRICS[metric].scale for value in found]


def boxes(
    name: str,
    asked: Boxes,
    places: Mapping[tuple[object, ...], str],
    summaries: Sequence[CellSummary],
    published: Published | None,
    links: Links | None,
) -> Drawing:
    """A box for each mode on each of the paths."""
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    drawing = Drawing(name, asked.title, figure)
    panel = figure.subplots()
    labels = list(dict.fromkeys(one.cell.mode_label for one in summaries))
    width = BOXES_SHARE / len(labels)
    for at, (place, called) in enumerate(places.items()):
        for one in summaries:
            if asked.place(one.cell) != place:
                continue
            x = at + (labels.index(one.cell.mode_label) - (len(labels) - 1) / 2) * width
            point = _box(panel, x, width, called, one, asked.metric)
            if links is not None:
                at_box = ([x], [point["median"]])
                panel.scatter(*at_box, s=TARGET_POINTS**2, urls=[links.cell(one.cell)], **UNSEEN)
            drawing.points.append(point)
            drawing.points.extend(_as_published(panel, x, called, one, published, asked.metric))
    panel.set_xticks(range(len(places)), list(places.values()))
    panel.set_xlabel("path")
    panel.set_ylabel(axis_of(asked.metric))
    panel.set_ylim(bottom=0)
    panel.set_title(asked.title, fontsize=8)
    legend(figure, panel, columns=2)
    return drawing


def _box(
    panel: Axes, x: float, width: float, place: str, one: CellSummary, metric: str
) -> dict[str, Any]:
    values = values_of(one, metric)
    lowest, first, median, third, highest = (
        float(value) for value in np.percentile(values, QUARTILES)
    )
    mean = statistics.fmean(values)
    style = style_of(one.cell)
    colour = style["color"]
    panel.bxp(
        [
            {
                "med": median,
                "q1": first,
                "q3": third,
                "mean": mean,
                "whislo": lowest,
                "whishi": highest,
                "fliers": [],
            }
        ],
        positions=[x],
        widths=[width * 0.8],
        showmeans=True,
        showfliers=False,
        boxprops={"color": colour},
        whiskerprops={"color": colour},
        capprops={"color": colour},
        medianprops={"color": colour, "linewidth": 1.5},
        meanprops={"marker": ".", "markerfacecolor": colour, "markeredgecolor": colour},
        manage_ticks=False,
    )
    # A box has no entry of its own in a legend.
    panel.plot([], [], color=colour, label=one.cell.mode_label)
    return {
        "line": one.cell.mode_label,
        "group": one.cell.group,
        "path": place,
        "metric": metric,
        "runs": len(values),
        "lowest": lowest,
        "quartile_1": first,
        "median": median,
        "quartile_3": third,
        "highest": highest,
        "mean": mean,
    }


def _as_published(
    panel: Axes,
    x: float,
    place: str,
    one: CellSummary,
    published: Published | None,
    metric: str,
) -> list[dict[str, Any]]:
    value = published.metric(one.cell, metric) if published is not None else None
    if published is None or value is None:
        return []
    shown = value * METRICS[metric].scale
    said = f"{one.cell.mode_label}, {published.short}"
    panel.plot(
        [x],
        [shown],
        linestyle="none",
        marker="x",
        color=style_of(one.cell)["color"],
        # No formula begins in somebody's name.
        label=said.replace("$", r"\$"),
    )
    named = {"line": said, "group": one.cell.group, "path": place, "metric": metric}
    return [named | {"mean": shown}]


def scatter(
    name: str, asked: Scatter, summaries: Sequence[CellSummary], links: Links | None
) -> Drawing:
    """A point for each run."""
    figure = Figure(figsize=(4.6, 3.6), layout="constrained")
    drawing = Drawing(name, asked.title, figure)
    panel = figure.subplots()
    for label, mine in groups_of(summaries, lambda one: one.cell.mode_label):
        of_runs = [
            (one, row[asked.against], row[asked.metric])
            for one in mine
            for row in one.rows
            if row.get(asked.against) is not None and row.get(asked.metric) is not None
        ]
        x = [value * METRICS[asked.against].scale for _, value, _ in of_runs]
        y = [value * METRICS[asked.metric].scale for _, _, value in of_runs]
        panel.plot(
            x,
            y,
            linestyle="none",
            marker=".",
            markersize=4,
            color=style_of(mine[0].cell)["color"],
            label=label,
        )
        if links is not None:
            ways = [links.cell(one.cell) for one, _, _ in of_runs]
            panel.scatter(x, y, s=TARGET_POINTS**2, urls=ways, **UNSEEN)
        drawing.points.extend(
            {"line": label, "group": one.cell.group, asked.against: across, asked.metric: up}
            for (one, _, _), across, up in zip(of_runs, x, y, strict=True)
        )
    panel.set_xlabel(axis_of(asked.against))
    panel.set_ylabel(axis_of(asked.metric))
    panel.set_xlim(left=0)
    panel.set_ylim(bottom=0)
    panel.set_title(asked.title, fontsize=8)
    legend(figure, panel, columns=1)
    return drawing
