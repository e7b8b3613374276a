"""Least squares with uncertainty clustered by participant: means, differences, order effects.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from thinlab.analysis.clustered import Array, cells_of, spread

CLUSTERED = "clustered by participant (leave-one-out, Student's t)"


@dataclass(frozen=True)
class Coefficient:
    """An estimate; interval and p-value are none when too few participants carry it."""

    value: float
    low: float | None
    high: float | None
    p_value: float | None


def least_squares(
    x: Array, y: Array, participants: Sequence[str], confidence: float
) -> tuple[Coefficient, ...] | None:
    """One coefficient a column; none when the columns do not tell them apart."""
    if not len(y) or np.linalg.matrix_rank(x) < x.shape[1]:
        return None
    values = np.linalg.lstsq(x, y, rcond=None)[0]
    cells, cell = np.unique(np.column_stack([x, y]), axis=0, return_inverse=True)
    x_of, y_of = cells[:, :-1], cells[:, -1]
    residuals = y_of - x_of @ values
    found = spread(
        residuals[:, None] * x_of,
        x_of[:, :, None] * x_of[:, None, :],
        cells_of(participants, cell, len(cells)),
    )
    coefficients = []
    for index, value in enumerate(values):
        ends = found.bounds(float(value), index, confidence) if found else None
        coefficients.append(
            Coefficient(float(value), ends.low, ends.high, ends.p_value)
            if ends
            else Coefficient(float(value), None, None, None)
        )
    return tuple(coefficients)
