"""Least squares with uncertainty by participant and recording: means, differences, order effects.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
from scipy import sparse

from thinlab.analysis.crossed import Array, Coefficient, Groups, Names, numbered, uncertainty


def levelled(values: Array, groups: Names) -> Array:
    """Each row without what its group's mean differs by: as where each group's level is fitted.

    The mean of all stays, and whoever fits that too has the degrees of freedom that are left.

    >>> levelled(np.array([1.0, 3.0, 5.0]), ["x", "x", "y"]).tolist()
    [2.0, 4.0, 3.0]
    """
    group = numbered(groups)
    sums = np.zeros((int(group.max(initial=-1)) + 1, *values.shape[1:]))
    np.add.at(sums, group, values)
    sizes = np.bincount(group).reshape(-1, *[1] * (values.ndim - 1))
    found: Array = values - (sums / sizes)[group] + values.mean(axis=0)
    return found


def effects_of(recordings: Names, x: Array, participants: Names) -> Array:
    """By how much each recording's own effect of 1 moves what is summed over each recording.

    Of recordings × recordings × columns of x, which is levelled by participant, as effects are: see
    `FewGroups.levelled`.
    """
    heard = numbered(recordings)
    total = int(heard.max(initial=-1)) + 1
    votes = np.arange(len(heard))
    on = sparse.csr_array((np.ones(len(heard)), (heard, votes)), shape=(total, len(heard)))
    apart = levelled(np.eye(total)[heard], participants)
    return np.stack([on @ (column[:, None] * apart) for column in x.T], axis=2)


def least_squares(
    x: Array,
    y: Array,
    participants: Names,
    recordings: Names,
    confidence: float,
    *,
    levels: bool = False,
) -> tuple[Coefficient, ...] | None:
    """One coefficient a column; none when the columns do not tell them apart.

    `levels`: with a level for each participant as well, of which nothing is told.
    """
    effects = None
    if levels and len(y):
        x, y = levelled(x, participants), levelled(y, participants)
        effects = effects_of(recordings, x, participants)
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
        effects,
    )
    return tuple(
        Coefficient(float(value), found.told(float(value), index, confidence))
        for index, value in enumerate(values)
    )
