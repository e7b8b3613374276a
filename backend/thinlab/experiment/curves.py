"""Curves of a result, and of several results together.

A curve is the share of samples at or below each value. The contract has at most 512 points of one,
and so have several together.

SPDX-License-Identifier: Apache-2.0
"""

import re
import statistics
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinlab.contract.columns import SESSION_COLUMNS

Row = dict[str, Any]

CURVE_POINTS = 512
PERCENTILE = re.compile(r"p(\d\d)(\d?)")
COLUMNS = frozenset(column.name for column in SESSION_COLUMNS)


@dataclass(frozen=True)
class Curve:
    """One that results have."""

    title: str
    path: tuple[str, ...]
    """Field names from the result down; none of what no result of the agent's has."""
    unit: str = "us"
    """Behind the names of its columns."""
    value: str = "latency_us"
    """A point's field."""
    samples: str = ""
    """The column that says how many it is of, where several weigh by that; else alike."""

    def columns(self, name: str) -> tuple[str, str]:
        """Of its values and of its shares."""
        return f"{name}_cdf_{self.unit}", f"{name}_cdf_share"


def _of_retransmissions(ordinal: str) -> Curve:
    return Curve(
        f"latency of {ordinal} retransmissions",
        ("retransmission_latency", ordinal),
        samples=f"retransmission_latency_{ordinal}_samples",
    )


def _of_intervals(length: str, called: str) -> Curve:
    return Curve(
        f"throughput each {called}",
        ("throughput", f"per_{length}"),
        "bit_per_s",
        "throughput_bit_per_s",
        f"throughput_per_{length}_intervals",
    )


CURVES: dict[str, Curve] = {
    "felt_sojourn": Curve("message latency", ("felt", "sojourn")),
    "application_per_byte": Curve(
        "application latency by byte", ("metrics", "application", "per_byte")
    ),
    "application_per_message": Curve(
        "application latency by message", ("metrics", "application", "per_message")
    ),
    **{
        f"retransmission_latency_{ordinal}": _of_retransmissions(ordinal)
        for ordinal in ("first", "second", "third")
    },
    "throughput_per_100_ms": _of_intervals("100_ms", "100 ms"),
    "throughput_per_2_s": _of_intervals("2_s", "2 s"),
    # `tanks/columns.py` has them.
    **{
        name: Curve(title, (), "units", samples="position_tank_s")
        for name, title in (
            ("position_error", "position error"),
            ("position_error_beyond_path", "position error beyond the path"),
        )
    },
}


def of_result(result: Mapping[str, Any]) -> Row:
    """The curves that a result has."""
    columns: Row = {}
    for name, curve in CURVES.items():
        part: Any = result if curve.path else None
        for step in curve.path:
            part = (part or {}).get(step)
        if not part:
            continue
        values, shares = curve.columns(name)
        columns[values] = [point[curve.value] for point in part["cdf"]]
        columns[shares] = [point["share"] for point in part["cdf"]]
    return columns


def together(rows: Sequence[Row]) -> Row:
    """The curves of several rows together, and what follows from those that weigh by samples."""
    columns: Row = {}
    for name in CURVES:
        columns |= of_all(name, rows)
    return columns


def of_all(name: str, rows: Iterable[Row]) -> Row:
    """One curve of several rows together; nothing where none has it."""
    curve = CURVES[name]
    values_of, shares_of = curve.columns(name)
    mine = [row for row in rows if row.get(values_of)]
    if not mine:
        return {}
    weights = [row[curve.samples] if curve.samples else 1 for row in mine]
    values = sorted({value for row in mine for value in row[values_of]})
    summed = np.zeros(len(values))
    for weight, row in zip(weights, mine, strict=True):
        summed += weight * _shares_at(values, row[values_of], row[shares_of])
    shares: list[float] = (summed / sum(weights)).tolist()
    columns: Row = {values_of: _thinned(values), shares_of: _thinned(shares)}
    if curve.samples:
        columns[curve.samples] = sum(weights)
        # Of all values: of what is kept of a curve, the last but one is no percentile of the tail.
        columns |= _numbers(name, curve, values, shares)
        mean = f"{name}_mean_{curve.unit}"
        if mean in COLUMNS:
            columns[mean] = statistics.fmean([row[mean] for row in mine], weights)
    return columns


def _numbers(name: str, curve: Curve, values: Sequence[float], shares: Sequence[float]) -> Row:
    """The numbers that the contract has of a curve, but its mean."""
    told: Row = {}
    for ending in ("min", "p05", "p25", "p50", "p75", "p90", "p95", "p98", "p99", "p999", "max"):
        column = f"{name}_{ending}_{curve.unit}"
        if column not in COLUMNS:
            continue
        percentile = PERCENTILE.fullmatch(ending)
        if percentile is None:
            told[column] = values[0] if ending == "min" else values[-1]
            continue
        share = int(percentile[1]) / 100 + int(percentile[2] or 0) / 1000
        told[column] = values[min(bisect_left(shares, share), len(values) - 1)]
    return told


def _thinned(values: list[float]) -> list[float]:
    if len(values) <= CURVE_POINTS:
        return values
    last = len(values) - 1
    kept = {round(at * last / (CURVE_POINTS - 1)) for at in range(CURVE_POINTS)}
    return [values[at] for at in sorted(kept)]


def _shares_at(
    at: Sequence[float], values: Sequence[float], shares: Sequence[float]
) -> NDArray[np.float64]:
    return np.concatenate(([0.0], shares))[np.searchsorted(values, at, side="right")]
