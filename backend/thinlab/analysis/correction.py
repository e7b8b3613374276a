"""Correction for several tests that decide.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down p-values (1979): the chance of any false finding stays below the level."""
    return step_down(p_values, range(len(p_values)))


def step_down(p_values: Sequence[float], owners: Sequence[int]) -> list[float]:
    """As Holm's, where of the null hypotheses of one owner only one can be true.

    That two conditions are equal, and that they differ by more than matters, are never both true.
    So what is left of them counts once (Shaffer: Modified sequentially rejective multiple test
    procedures. JASA 81, 1986). One-sided, both can be true where the difference is the other way
    round; but whatever then rejects either, rejects that it is so large, which is one error.

    >>> step_down([0.02, 0.9, 0.03, 0.01], [0, 0, 1, 1])
    [0.04, 0.9, 0.06, 0.02]
    """
    adjusted = [0.0] * len(p_values)
    running = 0.0
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    for rank, place in enumerate(order):
        left = len({owners[other] for other in order[rank:]})
        running = max(running, min(1.0, left * p_values[place]))
        adjusted[place] = running
    return adjusted
