"""Uncertainty of estimates from votes that repeat by participant.

Leave one participant out, in one step from the full estimate: the CR3 (jackknife) form of the
sandwich, with Student's t at participants − 1 degrees of freedom. It asks only that participants
are independent of each other; how one participant's votes hang together does not matter. For a
linear model the one step is exact. With few participants it errs towards wide intervals, where
the plain sandwich (CR0) is too narrow.

MacKinnon, Nielsen, Webb: Cluster-robust inference: a guide to empirical practice. J Econometrics
232 (2023). Cameron, Miller: A practitioner's guide to cluster-robust inference. J Human Resources
50 (2015).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Array = NDArray[np.float64]

FEWEST_PARTICIPANTS = 3
# Below this share of a direction's information left, the participant left out was all of it.
LEAST_INFORMATION_LEFT = 1e-8
# What rounding leaves of a variance of nought, for estimates of about 1.
LEAST_VARIANCE = 1e-18


@dataclass(frozen=True)
class Spread:
    """Covariance of estimates, and the degrees of freedom of their intervals."""

    covariance: Array
    freedom: int

    def bounds(self, value: float, index: int, confidence: float) -> "Bounds | None":
        """Student's interval, and the two-sided p-value of 0.

        None where nobody differs from anybody: that is no proof that nobody ever would.
        """
        if self.covariance[index, index] < LEAST_VARIANCE:
            return None
        error = float(np.sqrt(self.covariance[index, index]))
        reach = float(stats.t.ppf(0.5 + confidence / 2, self.freedom)) * error
        p_value = 2 * float(stats.t.sf(abs(value) / error, self.freedom))
        return Bounds(value - reach, value + reach, p_value)


@dataclass(frozen=True)
class Bounds:
    """An interval and the test of one value, both on the same scale."""

    low: float
    high: float
    p_value: float


def cells_of(participants: Sequence[str], cells: NDArray[np.intp], cells_total: int) -> Array:
    """How many votes each participant has in each cell: a row a participant.

    A cell is what votes have in common that a model cannot tell apart. There are few of them
    however many votes there are, and so all else is worked out for cells, not for votes.

    >>> cells_of(["x", "y", "x"], np.array([0, 1, 0]), 2).tolist()
    [[2.0, 0.0], [0.0, 1.0]]
    """
    names, clusters = np.unique(np.asarray(participants), return_inverse=True)
    counts = np.zeros((len(names), cells_total))
    np.add.at(counts, (clusters, cells), 1)
    return counts


def spread(scores: Array, information: Array, counts: Array) -> Spread | None:
    """Covariance of an M-estimate; none when it hangs on too few participants.

    `scores`: of one vote of each cell, the derivative of its log-likelihood (least squares:
    residual × x). `information`: minus the second derivative (least squares: x xᵀ). `counts`: as
    of `cells_of`.
    """
    count = len(counts)
    if count < FEWEST_PARTICIPANTS:
        return None
    own_scores = counts @ scores
    own_information = np.einsum("gc,cpq->gpq", counts, information)
    total = own_information.sum(axis=0)
    left = total - own_information
    if not _still_determined(total, left):
        return None
    changes = np.linalg.solve(left, own_scores[:, :, None])[:, :, 0]
    return Spread((count - 1) / count * changes.T @ changes, count - 1)


def _still_determined(total: Array, left: Array) -> bool:
    """Whether every direction keeps some information whoever is left out."""
    values, vectors = np.linalg.eigh(total)
    if values[0] <= 0:
        return False
    whiten = vectors / np.sqrt(values)
    kept = np.linalg.eigvalsh(whiten.T @ left @ whiten)
    return bool(kept.min() > LEAST_INFORMATION_LEFT)
