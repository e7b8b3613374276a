"""Where a model fits the votes best: the least of its misfit, within bounds.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy import optimize

from thinlab.analysis.crossed import Array


def least(
    misfit: Callable[[Array], tuple[float, Array]],
    start: Array,
    bounds: Sequence[tuple[float, float]],
    *,
    gradient_below: float,
) -> tuple[Array, float]:
    """The parameters with the least misfit, and how much it is; not finite where there is none.

    `misfit` gives its gradient as well. Ends where no part of that is steeper than
    `gradient_below`, or where a step gains next to nothing (L-BFGS-B).
    """
    found = optimize.minimize(
        misfit,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"ftol": 1e-13, "gtol": gradient_below, "maxiter": 500},
    )
    return np.asarray(found.x, dtype=np.float64), float(found.fun)
