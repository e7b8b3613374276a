"""Figures of all runs of a cell together, where single ones have too few events to tell.

As figures 8, 9 and 11 of the SCTP paper have it: what the first, second and third retransmission
took and why they left, and how evenly a stream got its share.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure

from thinlab.experiment.asked_figures import Distribution, Kinds, Latencies
from thinlab.experiment.curves import CURVES, of_all
from thinlab.experiment.drawing import (
    TARGET_LINE_POINTS,
    TARGET_POINTS,
    UNSEEN,
    Drawing,
    legend,
    style_of,
)
from thinlab.experiment.links import Links
from thinlab.experiment.metrics import METRICS, PERCENT, US_TO_MS
from thinlab.experiment.summary import CellSummary

# Of a curve's unit: the unit shown, and by how much to multiply.
SHOWN = {"us": ("ms", US_TO_MS), "bit_per_s": ("kbit/s", 1e-3), "units": ("units", 1.0)}
# Of the room that a place has along the bottom.
BARS_SHARE = 0.8
HATCHES = ("", "////", "xxxx")
# What a kind is told by beside its place in the bar.
KIND_COLOURS = ("#D55E00", "#F0C5A3", "#0072B2", "#A9CCE3", "#009E73", "#A6DCCB", "#999999")


def has(one: CellSummary, curve: str) -> bool:
    """Whether any run has the curve."""
    values, _ = CURVES[curve].columns(curve)
    return any(row.get(values) for row in one.rows)


def latencies(
    name: str, asked: Latencies, summaries: Sequence[CellSummary], links: Links | None
) -> Drawing:
    """The bar is the mean, its line goes to 99 %, and the triangle is the highest of all runs."""
    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    drawing = Drawing(name, asked.title, figure)
    panel = figure.subplots()
    baselines = list(dict.fromkeys(one.cell.baseline for one in summaries))
    for label, at, width, one in _bars(asked.curves, summaries):
        curve = asked.curves[label]
        columns = of_all(curve, one.rows)
        if not columns:
            continue
        mean, p99, highest = (
            columns[f"{curve}_{ending}_us"] * US_TO_MS for ending in ("mean", "p99", "max")
        )
        style = style_of(one.cell)
        panel.bar(
            *(at, mean, width * 0.9),
            color=style["color"],
            # Modes of other baselines have the same colours.
            hatch=HATCHES[baselines.index(one.cell.baseline) % len(HATCHES)],
            edgecolor="white",
            linewidth=0,
            label=_line(one, summaries),
        )
        panel.vlines(at, mean, p99, color=style["color"], linewidth=1)
        panel.plot(at, p99, marker="_", color=style["color"], markersize=5)
        panel.plot(at, highest, marker="^", color=style["color"], markersize=3, linestyle="none")
        if links is not None:
            panel.scatter([at], [p99], s=TARGET_POINTS**2, urls=[links.cell(one.cell)], **UNSEEN)
        drawing.points.append(
            {
                "line": _line(one, summaries),
                "group": one.cell.group,
                "of": label,
                "samples": columns[CURVES[curve].samples],
                "mean_ms": mean,
                "p99_ms": p99,
                "max_ms": highest,
            }
        )
    panel.set_xticks(range(len(asked.curves)), list(asked.curves))
    panel.set_ylabel("ms: mean, 99 %, highest")
    panel.set_ylim(bottom=0)
    panel.set_title(asked.title, fontsize=8)
    legend(figure, panel, columns=2)
    return drawing


def kinds(name: str, asked: Kinds, summaries: Sequence[CellSummary]) -> Drawing:
    """Shares of a total over all runs, one on top of the other; modes side by side."""
    figure = Figure(figsize=(7.2, 3.8), layout="constrained")
    drawing = Drawing(name, asked.title, figure)
    panel = figure.subplots()
    called = list(dict.fromkeys(kind for total in asked.totals.values() for kind in total))
    for label, at, width, one in _bars(asked.totals, summaries):
        counts = {kind: _sum(one, metric) for kind, metric in asked.totals[label].items()}
        whole = sum(counts.values())
        below = 0.0
        for kind, count in counts.items():
            share = count / whole * PERCENT if whole else 0.0
            colour = KIND_COLOURS[called.index(kind) % len(KIND_COLOURS)]
            panel.bar(at, share, width * 0.9, bottom=below, color=colour, label=kind)
            below += share
            drawing.points.append(
                {
                    "line": _line(one, summaries),
                    "group": one.cell.group,
                    "of": label,
                    "kind": kind,
                    "count": count,
                    "share": count / whole if whole else None,
                }
            )
        number = summaries.index(one) + 1
        panel.annotate(f"{number}", (at, below), ha="center", va="bottom", fontsize=6)
    panel.set_xticks(range(len(asked.totals)), list(asked.totals))
    panel.set_ylabel("share, %")
    panel.set_ylim(0, PERCENT * 1.06)
    numbered = [f"{at + 1}: {_line(one, summaries)}" for at, one in enumerate(summaries)]
    panel.set_xlabel("\n".join(numbered), fontsize=6)
    panel.set_title(asked.title, fontsize=8)
    legend(figure, panel, columns=3)
    return drawing


def distribution(
    name: str, asked: Distribution, summaries: Sequence[CellSummary], links: Links | None
) -> Drawing:
    """The share of samples at or below each value; a line for each mode and group."""
    curve = CURVES[asked.curve]
    values_of, shares_of = curve.columns(asked.curve)
    unit, scale = SHOWN[curve.unit]
    figure = Figure(figsize=(4.6, 3.6), layout="constrained")
    drawing = Drawing(name, asked.title, figure)
    panel = figure.subplots()
    for one in summaries:
        columns = of_all(asked.curve, one.rows)
        shown = [value * scale for value in columns[values_of]]
        style = style_of(one.cell)
        line = _line(one, summaries)
        panel.step(shown, columns[shares_of], where="post", linewidth=1, label=line, **style)
        if links is not None:
            shape: dict[str, Any] = {"linewidth": TARGET_LINE_POINTS, "where": "post"}
            way = links.cell(one.cell)
            panel.step(shown, columns[shares_of], url=way, **shape, **UNSEEN)
        drawing.points.extend(
            {"line": line, "group": one.cell.group, unit: value, "share": share}
            for value, share in zip(shown, columns[shares_of], strict=True)
        )
    panel.set_xlabel(f"{curve.title}, {unit}")
    panel.set_ylabel("share at or below that")
    panel.set_ylim(asked.from_share, 1)
    if asked.to is not None:
        panel.set_xlim(0, asked.to)
    panel.set_title(asked.title, fontsize=8)
    legend(figure, panel, columns=1)
    return drawing


def _bars(
    places: Mapping[str, object], summaries: Sequence[CellSummary]
) -> list[tuple[str, float, float, CellSummary]]:
    """Each bar: its place, where it stands, how wide it is, and whose it is."""
    width = BARS_SHARE / len(summaries)
    return [
        (label, at + (number - (len(summaries) - 1) / 2) * width, width, one)
        for at, label in enumerate(places)
        for number, one in enumerate(summaries)
    ]


def _line(one: CellSummary, summaries: Sequence[CellSummary]) -> str:
    """The mode, and the baseline and the group where there are several."""
    words = [
        getattr(one.cell, axis)
        for axis in ("baseline", "group")
        if len({getattr(other.cell, axis) for other in summaries}) > 1
    ]
    return ", ".join([*filter(None, words), one.cell.mode_label])


def _sum(one: CellSummary, metric: str) -> float:
    values = [row[metric] for row in one.rows if row.get(metric) is not None]
    return math.fsum(values) * METRICS[metric].scale
