"""What a figure is drawn with, and as which files it is kept.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import io
import re
import textwrap
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from thinlab.condition.transport import Baseline, Bundling
from thinlab.experiment.definition import Cell
from thinlab.experiment.metrics import METRICS
from thinlab.experiment.summary import CellSummary

# Okabe and Ito's colours, which the colour-blind tell apart too; one each mode.
COLOURS = {
    "off": "#000000",
    "linear_timeouts": "#E69F00",
    "early_fast_retransmit": "#56B4E9",
    "bundling": "#009E73",
    "window_floor": "#0072B2",
    "bundling_depth": "#999999",
    "early_probe": "#F0E442",
    "tail_copy": "#7F7F7F",
    "write_recovery": "#B79F00",
    "short_min_rto": "#8A3FFC",
    "rto_restart": "#6E8B3D",
    "bundled_retransmit": "#A0522D",
    "immediate_sack": "#4682B4",
    "tcp_lite": "#C0005A",
    "header_checksum": "#5A5A00",
    "all": "#CC79A7",
}
OTHER_COLOUR = "#D55E00"
# Of a mode of several mechanisms, by its name: the same in every figure.
SEVERAL = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#56B4E9", "#8A3FFC", "#A0522D", "#6E8B3D")
DASHES = {
    "off": "-",
    "linear_timeouts": "--",
    "early_fast_retransmit": "-.",
    "bundling": "-",
    "window_floor": "--",
    "bundling_depth": "-.",
    "early_probe": "-.",
    "tail_copy": ":",
    "write_recovery": "--",
    "short_min_rto": "-",
    "rto_restart": "--",
    "bundled_retransmit": "-.",
    "immediate_sack": ":",
    "tcp_lite": "--",
    "header_checksum": "-.",
    "all": ":",
}
# Baselines that are shown beside the same mode on another one.
OTHER_BASELINES = {Baseline.BBR, Baseline.USRSCTP}
OTHER_OFF, OTHER_DASH = "#6F6F6F", (0, (1, 1))
# What can be hit with a finger, in points: of a point across, of a line.
TARGET_POINTS = 12
TARGET_LINE_POINTS = 7
UNSEEN: dict[str, Any] = {"color": "#808080", "alpha": 0, "zorder": 5}
LONG_DECIMAL = re.compile(rb"(\d\.\d)\d+")
TAG = re.compile(rb"<[^>]*>")
PNG_DPI = 160
# That two fit beside each other, or one along a panel.
LEGEND_CHARACTERS = 48
AXIS_CHARACTERS = 34
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    # Same results, same file.
    "svg.hashsalt": "thinlab",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.linewidth": 0.3,
    "legend.frameon": False,
    "path.simplify_threshold": 0.5,
}


@dataclass(frozen=True)
class Drawing:
    """A figure, and the numbers that it shows."""

    name: str
    """What its files are called, without ending."""
    title: str
    figure: Figure
    points: list[dict[str, Any]] = field(default_factory=list)
    """One a point of a line: the columns of the CSV."""

    def svg(self) -> bytes:
        """The figure, on no background."""
        out = io.BytesIO()
        with mpl.rc_context(STYLE):
            self.figure.savefig(out, format="svg", metadata={"Date": None}, bbox_inches="tight")
        # A tenth of a point is finer than any screen, and a third of the file. What the figure says
        # stands between tags.
        return TAG.sub(lambda tag: LONG_DECIMAL.sub(rb"\1", tag[0]), out.getvalue())

    def png(self) -> bytes:
        """The figure, for what takes no SVG."""
        out = io.BytesIO()
        with mpl.rc_context(STYLE):
            self.figure.savefig(out, format="png", dpi=PNG_DPI, bbox_inches="tight")
        return out.getvalue()

    def csv(self) -> str:
        """What the figure shows, one row a point."""
        out = io.StringIO()
        names = list(dict.fromkeys(name for one in self.points for name in one))
        writer = csv.DictWriter(out, names)
        writer.writeheader()
        writer.writerows(self.points)
        return out.getvalue()


def style_of(cell: Cell) -> dict[str, Any]:
    """Colour and dash of a cell's sender."""
    if cell.transport.bundling != Bundling():
        return {"color": OTHER_COLOUR, "linestyle": "--"}
    several = zlib.crc32(cell.mode.encode())
    colour = COLOURS.get(cell.mode, SEVERAL[several % len(SEVERAL)])
    if cell.transport.baseline in OTHER_BASELINES:
        return {"color": OTHER_OFF if cell.mode == "off" else colour, "linestyle": OTHER_DASH}
    return {"color": colour, "linestyle": DASHES.get(cell.mode, "-.")}


def axis_of(metric: str) -> str:
    """What an axis of a metric is called."""
    named = METRICS[metric]
    return wrapped(f"{named.title}, {named.unit}" if named.unit else named.title, AXIS_CHARACTERS)


def wrapped(label: str, characters: int = LEGEND_CHARACTERS) -> str:
    """In lines: the name of a mode of many mechanisms is wider than a figure."""
    return textwrap.fill(label.replace("+", "+ "), characters).replace("+ ", "+")


def legend(figure: Figure, panel: Axes, *, columns: int) -> None:
    """Each line once, above the panels."""
    handles = dict(zip(*reversed(panel.get_legend_handles_labels()), strict=True))
    called = [wrapped(label) for label in handles]
    figure.legend(handles.values(), called, loc="outside upper center", ncols=columns)


def groups_of(
    summaries: Iterable[CellSummary], key: Callable[[CellSummary], Any]
) -> list[tuple[Any, list[CellSummary]]]:
    """Groups in the order in which they first appear."""
    groups: dict[Any, list[CellSummary]] = {}
    for one in summaries:
        groups.setdefault(key(one), []).append(one)
    return list(groups.items())
