"""Curvatures of two crossed groups of random effects, without a matrix of all of them.

Nobody's effect meets anybody else's, nor a recording's another recording's: with A and D diagonal,

    C = [A  B ]        S = D − Bᵀ A⁻¹ B,
        [Bᵀ D ]

and all that is asked of C follows from S (the Schur complement of the larger group), which is as
large as the smaller group: of P people and R < P recordings it takes some P R² steps, not (P + R)³.

SPDX-License-Identifier: Apache-2.0
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from thinlab.analysis.crossed import Array

# Sums by np.bincount are typed as of any precision.
Floats = NDArray[np.floating]


class CrossedCurvature:
    """A positive definite matrix: two diagonals, and what the two groups have in common."""

    def __init__(self, own: Floats, heard: Floats, met: Floats) -> None:
        """`met` has a row for each of `own`, a column for each of `heard`."""
        self._people = len(own)
        self._swapped = len(own) < len(heard)
        if self._swapped:
            own, heard, met = heard, own, met.T
        self._own = own.astype(float)
        self._shared: Array = met / self._own[:, None]
        self._lower: Array = linalg.cholesky(
            np.diag(heard) - met.T @ self._shared, lower=True, check_finite=False
        )

    @property
    def half_log_determinant(self) -> float:
        """Half the logarithm of the determinant."""
        return float(np.log(self._own).sum() / 2 + np.log(np.diag(self._lower)).sum())

    def solved(self, right: Array) -> Array:
        """C⁻¹ times a vector, people first."""
        larger, smaller = self._parts(right)
        heard = self._by_smaller(smaller - self._shared.T @ larger)
        return self._joined(larger / self._own - self._shared @ heard, heard)

    @property
    def inverse_diagonal(self) -> Array:
        """The diagonal of C⁻¹, people first."""
        larger = 1 / self._own - (self._across * self._shared).sum(axis=1)
        return self._joined(larger, np.diag(self._smaller_inverse))

    @property
    def inverse_met(self) -> Array:
        """The block of C⁻¹ of people and recordings: a row a person."""
        return self._across.T if self._swapped else self._across

    @cached_property
    def _smaller_inverse(self) -> Array:
        return self._by_smaller(np.eye(len(self._lower)))

    @cached_property
    def _across(self) -> Array:
        across: Array = -self._shared @ self._smaller_inverse
        return across

    def _by_smaller(self, right: Array) -> Array:
        solved: Array = linalg.cho_solve((self._lower, True), right, check_finite=False)
        return solved

    def _parts(self, whole: Array) -> tuple[Array, Array]:
        people, recordings = whole[: self._people], whole[self._people :]
        return (recordings, people) if self._swapped else (people, recordings)

    def _joined(self, larger: Array, smaller: Array) -> Array:
        return np.concatenate([smaller, larger] if self._swapped else [larger, smaller])
