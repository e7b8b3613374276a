"""An experiment's figures: the papers' curves with confidence bands over the runs.

As SVG, as PNG, and what they show as CSV.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from thinlab.condition.transport import Bundling
from thinlab.experiment.asked_drawings import asked_for
from thinlab.experiment.definition import Axis, Cell, ExperimentDefinition
from thinlab.experiment.drawing import (
    STYLE,
    TARGET_LINE_POINTS,
    TARGET_POINTS,
    UNSEEN,
    Drawing,
    axis_of,
    groups_of,
    legend,
    style_of,
    wrapped,
)
from thinlab.experiment.links import Links
from thinlab.experiment.metrics import METRICS
from thinlab.experiment.published import Published
from thinlab.experiment.summary import CellSummary, student_t
from thinlab.experiment.table import axis_text

SITUATION = ("baseline", "group", "message_bytes", "loss_share", "rtt_ms", "path_label", "iat_ms")
NOT_FROM_ZERO = {"packet_payload_mean_bytes", "packets_against_off_share"}
AXIS_TITLES = {
    Axis.LOSS_SHARE: ("loss in each direction, %", 100.0),
    Axis.RTT_MS: ("RTT, ms", 1.0),
    Axis.IAT_MS: ("IAT, ms", 1.0),
}
US_PER_MS = 1000.0
# A rate is in kbit/s, and a file has no slash in its name.
NOT_IN_A_NAME = re.compile(r"[^\w.±-]+")
CDF_POINTS = 100
# Four of these fit above the panels.
SHORT_LABEL = 24
LINES_WITH_ROOM = 4
LINE_INCHES = 0.16
MOST_LATENCY_FIGURES = 8
"""A sweep of more situations than this is shown by its curves alone."""
CDF_FROM_MS = 1.0


def drawings(
    experiment: ExperimentDefinition,
    summaries: Sequence[CellSummary],
    published: Published | None,
    links: Links | None = None,
) -> list[Drawing]:
    """The experiment's figures: along its axis, those it asks for, latencies of each situation.

    With `links`, points and lines lead to the sessions of their cells.
    """
    drawn = []
    with mpl.rc_context(STYLE):
        if experiment.along is not None:
            drawn.append(_curves(experiment, experiment.along, summaries, published, links))
        drawn += asked_for(experiment, summaries, published, links)
        situations = list(_situations(summaries))
        if len(situations) <= MOST_LATENCY_FIGURES:
            drawn += [
                _cdf(f"{experiment.name}-latency-{name}", title, mine, links)
                for name, title, mine in situations
            ]
    return drawn


def draw(
    experiment: ExperimentDefinition,
    summaries: Sequence[CellSummary],
    published: Published | None,
    folder: Path,
) -> list[Path]:
    """Writes the experiment's figures into a folder as SVG; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for drawing in drawings(experiment, summaries, published):
        file = folder / f"{drawing.name}.svg"
        file.write_bytes(drawing.svg())
        files.append(file)
    return files


def _curves(
    experiment: ExperimentDefinition,
    along: Axis,
    summaries: Sequence[CellSummary],
    published: Published | None,
    links: Links | None,
) -> Drawing:
    """One panel a metric: the axis along the bottom, a line a mode, its band, published points."""
    figure = Figure(figsize=(7.2, 5.2), layout="constrained")
    drawing = Drawing(f"{experiment.name}-curves", f"Against {AXIS_TITLES[along][0]}", figure)
    title, scale = AXIS_TITLES[along]
    first = summaries[0].cell.surroundings_beside(along)
    for panel, name in zip(figure.subplots(2, 2).flat, experiment.panels, strict=True):
        metric = METRICS[name]
        for label, mine in groups_of(
            summaries, lambda one: _line_label(one.cell, along, summaries)
        ):
            told = [(one.cell, one.estimate(name)) for one in mine]
            points = sorted(
                (
                    (getattr(cell, along) * scale, estimate, cell)
                    for cell, estimate in told
                    if estimate is not None
                ),
                key=lambda point: point[0],
            )
            x = [at for at, _, _ in points]
            y = np.array([estimate.mean for _, estimate, _ in points]) * metric.scale
            half = np.array([estimate.half_width or 0 for _, estimate, _ in points]) * metric.scale
            style = style_of(mine[0].cell)
            # Other surroundings than the first's: thinner.
            same = mine[0].cell.surroundings_beside(along) == first
            panel.plot(
                *(x, y),
                label=label,
                marker=".",
                markersize=3 if same else 2,
                linewidth=1 if same else 0.4,
                **style,
            )
            panel.fill_between(x, y - half, y + half, color=style["color"], alpha=0.2, linewidth=0)
            if links is not None:
                ways = [links.cell(cell) for _, _, cell in points]
                panel.scatter(x, y, s=TARGET_POINTS**2, urls=ways, **UNSEEN)
            drawing.points.extend(
                _point(name, label, (title, at), mean, estimate.half_width and width)
                for (at, estimate, _), mean, width in zip(points, y, half, strict=True)
            )
        drawing.points.extend(_published_points(panel, along, summaries, published, name))
        panel.set_xlabel(title)
        panel.set_ylabel(axis_of(name))
        if name not in NOT_FROM_ZERO:
            panel.set_ylim(bottom=0)
    labels = figure.axes[1].get_legend_handles_labels()[1]
    widest = max((len(label) for label in labels), default=0)
    columns = 4 if widest <= SHORT_LABEL else 2
    # What the names take is not taken from the panels.
    lines = sum(wrapped(label).count("\n") + 1 for label in labels) / columns
    width_inches, height_inches = figure.get_size_inches()
    more_inches = max(0.0, lines - LINES_WITH_ROOM) * LINE_INCHES
    figure.set_size_inches(width_inches, height_inches + more_inches)
    legend(figure, figure.axes[1], columns=columns)
    return drawing


def _point(
    name: str, line: str, at: tuple[str, float], mean: float, half_width: float | None
) -> dict[str, Any]:
    metric = METRICS[name]
    named = {"metric": name, "unit": metric.unit, "line": line, at[0]: f"{at[1]:g}"}
    return named | {"mean": float(mean), "half_width_95": half_width and float(half_width)}


def _published_points(
    panel: Axes,
    along: Axis,
    summaries: Sequence[CellSummary],
    published: Published | None,
    name: str,
) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = []
    if published is None:
        return shown
    for label, mine in groups_of(summaries, lambda one: one.cell.mode_label):
        points = [
            (getattr(one.cell, along) * AXIS_TITLES[along][1], value * METRICS[name].scale)
            for one in mine
            for value in [published.metric(one.cell, name)]
            if value is not None and one.cell.transport.bundling == Bundling()
        ]
        if points:
            panel.plot(
                *zip(*points, strict=True),
                linestyle="none",
                marker="x",
                markersize=4,
                color=style_of(mine[0].cell)["color"],
                # No formula begins in somebody's name.
                label=f"{label}, {published.short}".replace("$", r"\$"),
            )
            said = f"{label}, {published.short}"
            shown += [_point(name, said, (AXIS_TITLES[along][0], x), y, None) for x, y in points]
    return shown


def _situations(
    summaries: Sequence[CellSummary],
) -> Iterable[tuple[str, str, list[CellSummary]]]:
    """Baseline, path and stream of which all modes are drawn together."""
    axes = [axis for axis in SITUATION if len({getattr(one.cell, axis) for one in summaries}) > 1]
    for _, mine in groups_of(summaries, lambda one: one.cell.situation):
        words = [axis_text(mine[0].cell, axis) for axis in axes]
        yield name_of(words), ", ".join(words), mine


def name_of(words: Sequence[str]) -> str:
    """What a figure's file is called by the words that tell its cells from others'."""
    return "-".join(NOT_IN_A_NAME.sub("", word.replace("%", "pct")) for word in words) or "all"


def _cdf(name: str, title: str, summaries: Sequence[CellSummary], links: Links | None) -> Drawing:
    """Message latency above the lowest: the share that is later, of every mode, with bands.

    The rare late messages are what people notice: the share is logarithmic.
    """
    figure = Figure(figsize=(4.6, 3.2), layout="constrained")
    drawing = Drawing(name, f"Message latency{title and ': '}{title}", figure)
    panel = figure.subplots()
    highest = max(one.estimate("above_lowest_max_us").highest for one in summaries)  # type: ignore[union-attr]
    grid_ms = np.geomspace(CDF_FROM_MS, max(highest / US_PER_MS, 10 * CDF_FROM_MS), CDF_POINTS)
    # Of a transfer there is one message: the axis needs some room all the same.
    fewest = min(0.1, *(1 / row["felt_messages"] for one in summaries for row in one.rows))
    for one in summaries:
        runs = np.array([_later(row, grid_ms) for row in one.rows])
        mean = runs.mean(axis=0)
        half = _half_width(runs)
        style = style_of(one.cell)
        panel.plot(
            grid_ms, mean, label=one.cell.mode_label, linewidth=1, drawstyle="steps-post", **style
        )
        panel.fill_between(
            grid_ms,
            np.maximum(mean - half, fewest / 10),
            mean + half,
            step="post",
            color=style["color"],
            alpha=0.15,
            linewidth=0,
        )
        if links is not None:
            way = links.cell(one.cell)
            shape: dict[str, Any] = {"linewidth": TARGET_LINE_POINTS, "drawstyle": "steps-post"}
            panel.plot(grid_ms, mean, url=way, **shape, **UNSEEN)
        drawing.points.extend(
            {
                "line": one.cell.mode_label,
                "above_lowest_ms": f"{at:.3f}",
                "later_share": float(share),
                "half_width_95": float(width) if len(one.rows) > 1 else None,
            }
            for at, share, width in zip(grid_ms, mean, half, strict=True)
        )
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_ylim(fewest, 1)
    panel.set_xlabel("ms above the lowest, socket write to in-order availability")
    panel.set_ylabel("share of messages later than that")
    panel.set_title(title, fontsize=8)
    panel.legend(*_wrapped_legend(panel), fontsize=7)
    return drawing


def _wrapped_legend(panel: Axes) -> tuple[list[Any], list[str]]:
    handles, labels = panel.get_legend_handles_labels()
    return handles, [wrapped(label) for label in labels]


def _later(row: dict[str, Any], grid_ms: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of a run's messages later than each point of the grid."""
    above = np.array(row["felt_sojourn_cdf_us"]) - row["felt_sojourn_min_us"]
    shares = np.concatenate(([0.0], row["felt_sojourn_cdf_share"]))
    later: NDArray[np.float64] = (
        1 - shares[np.searchsorted(above, grid_ms * US_PER_MS, side="right")]
    )
    return later


def _half_width(runs: NDArray[np.float64]) -> NDArray[np.float64]:
    count = len(runs)
    if count == 1:
        return np.zeros(runs.shape[1])
    half: NDArray[np.float64] = student_t(count) * runs.std(axis=0, ddof=1) / np.sqrt(count)
    return half


def _line_label(cell: Cell, along: Axis, summaries: Sequence[CellSummary]) -> str:
    """The mode, and what else there is several of."""
    axes = [
        axis
        for axis in ("baseline", "group", "loss_share", "rtt_ms", "path_label", "iat_ms")
        if axis != along and len({getattr(one.cell, axis) for one in summaries}) > 1
    ]
    return ", ".join([cell.mode_label, *(axis_text(cell, axis) for axis in axes)])
