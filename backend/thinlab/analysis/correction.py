"""Correction for several primary tests.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down p-values (1979): the chance of any false finding stays below the level."""
    count = len(p_values)
    adjusted = [0.0] * count
    running = 0.0
    for rank, place in enumerate(sorted(range(count), key=lambda at: p_values[at])):
        running = max(running, min(1.0, (count - rank) * p_values[place]))
        adjusted[place] = running
    return adjusted
