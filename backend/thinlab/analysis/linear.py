"""Least squares with uncertainty by participant and recording: means, differences, order effects.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from thinlab.analysis.crossed import Array, Coefficient, Groups, Names, uncertainty


def least_squares(
    x: Array, y: Array, participants: Names, recordings: Names, confidence: float
) -> tuple[Coefficient, ...] | None:
    """One coefficient a column; none when the columns do not tell them apart."""
    if not len(y) or np.linalg.matrix_rank(x) < x.shape[1]:
        return None
    values = np.linalg.lstsq(x, y, rcond=None)[0]
    cells, cell = np.unique(np.column_stack([x, y]), axis=0, return_inverse=True)
    x_of, y_of = cells[:, :-1], cells[:, -1]
    residuals = y_of - x_of @ values
    found = uncertainty(
        residuals[:, None] * x_of,
        x_of[:, :, None] * x_of[:, None, :],
        Groups.of(participants, recordings, cell, len(cells)),
    )
    return tuple(
        Coefficient(float(value), found.told(float(value), index, confidence))
        for index, value in enumerate(values)
    )
