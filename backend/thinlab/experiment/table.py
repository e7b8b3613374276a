"""An experiment's tables: Markdown to read, CSV to go on with.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import io
from collections.abc import Iterable, Sequence

from thinlab.experiment import broken
from thinlab.experiment.broken import BrokenSession
from thinlab.experiment.checks import Verdict, place
from thinlab.experiment.definition import Cell, ExperimentDefinition
from thinlab.experiment.metrics import DEFAULT_COLUMNS, METRICS
from thinlab.experiment.published import Published
from thinlab.experiment.summary import CellSummary

AXES = {
    "baseline": "baseline",
    "group": "flows",
    "message_bytes": "message",
    "loss_share": "loss",
    "rtt_ms": "RTT",
    "path_label": "path",
    "iat_ms": "IAT",
    "mode_label": "mode",
}


def varying(summaries: Sequence[CellSummary]) -> list[str]:
    """The axes on which the cells differ; the mode always."""
    return [
        axis
        for axis in AXES
        if axis == "mode_label" or len({getattr(one.cell, axis) for one in summaries}) > 1
    ]


def axis_text(cell: Cell, axis: str) -> str:
    """A cell's value on an axis, with its unit."""
    value = getattr(cell, axis)
    if cell.flows and axis in {"message_bytes", "iat_ms"}:
        return ""
    match axis:
        case "loss_share":
            return f"{value * 100:g} %"
        case "path_label":
            return str(value) or "as in loss and RTT"
        case "rtt_ms" | "iat_ms":
            return f"{value:g} ms"
        case "message_bytes":
            return f"{value} B"
    return str(value)


def where(cell: Cell, axes: Iterable[str]) -> str:
    """A cell in words, by the axes on which it differs from others."""
    named = {"mode_label": "mode", "path_label": "loss_share", "group": "message_bytes"}
    return place(cell, list(dict.fromkeys(named.get(axis, axis) for axis in axes)))


def markdown(
    experiment: ExperimentDefinition,
    summaries: Sequence[CellSummary],
    published: Published | None,
) -> str:
    """One row a cell: means over the runs with their 95 % bands, the published beside them."""
    axes = varying(summaries)
    names = columns(experiment, summaries)
    head: list[str] = [AXES[axis] for axis in axes]
    for name in names:
        head.append(titled(name))
        if published is not None and published.has(name):
            head.append(f"{published.short}")
    lines = [_line(head), _line("---" for _ in head)]
    for one in summaries:
        cells = [axis_text(one.cell, axis) for axis in axes]
        for name in names:
            cells.append(estimate_text(one, name))
            if published is not None and published.has(name):
                value = published.metric(one.cell, name)
                cells.append("" if value is None else METRICS[name].text(value))
        lines.append(_line(cells))
    return "\n".join(lines) + "\n"


def columns(experiment: ExperimentDefinition, summaries: Sequence[CellSummary]) -> list[str]:
    """The metrics of the table that any cell has."""
    return [
        name
        for name in experiment.columns or DEFAULT_COLUMNS
        if any(one.estimate(name) is not None for one in summaries)
    ]


def titled(name: str) -> str:
    """A metric with its unit, as the table is headed."""
    metric = METRICS[name]
    return f"{metric.title}, {metric.unit}" if metric.unit else metric.title


def estimate_text(one: CellSummary, name: str) -> str:
    """A metric as the table shows it: the mean with its band, of a maximum the highest."""
    estimate = one.estimate(name)
    if estimate is None:
        return "−"
    metric = METRICS[name]
    text = metric.text(estimate.shown(name))
    if metric.worst or estimate.half_width is None:
        return text
    return f"{text} ± {metric.text(estimate.half_width)}"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def as_csv(summaries: Sequence[CellSummary], published: Published | None) -> str:
    """Every metric of every cell: mean, half width of the band, lowest, highest, published."""
    out = io.StringIO()
    writer = csv.writer(out)
    # A column only where there are such paths, or flows.
    rare = {"path_label", "group"} - set(varying(summaries))
    axes = [axis for axis in AXES if axis not in rare]
    writer.writerow(
        [*axes, "metric", "unit", "runs", "mean", "half_width_95", "lowest", "highest", "published"]
    )
    for one in summaries:
        place = [getattr(one.cell, axis) for axis in axes]
        for name in METRICS:
            estimate = one.estimate(name)
            if estimate is None:
                continue
            writer.writerow(
                [
                    *place,
                    name,
                    _raw_unit(name),
                    estimate.runs,
                    estimate.mean,
                    estimate.half_width,
                    estimate.lowest,
                    estimate.highest,
                    published.metric(one.cell, name) if published else None,
                ]
            )
    return out.getvalue()


def _raw_unit(name: str) -> str:
    """The unit of the column itself, not of what the table shows."""
    for ending, unit in (("_us", "µs"), ("_ms", "ms"), ("_share", "share"), ("_bytes", "bytes")):
        if name.endswith(ending):
            return unit
    return ""


def broken_markdown(sessions: Sequence[BrokenSession]) -> str:
    """How many sessions of each cell the path broke, and why."""
    lines = [_line(["where", "sessions", "why"]), _line(["---"] * 3)]
    lines += [_line([where, str(count), why]) for where, count, why in broken.counted(sessions)]
    return "\n".join(lines) + "\n"


def verdicts_markdown(verdicts: Sequence[Verdict]) -> str:
    """What must show, and whether it does."""
    lines = [_line(["requirement", "where", "measured", "verdict"]), _line(["---"] * 4)]
    lines += [
        _line(
            [one.requirement, one.where, one.measured, "holds" if one.holds else "**falls short**"]
        )
        for one in verdicts
    ]
    return "\n".join(lines) + "\n"
