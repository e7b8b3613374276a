"""Figures as `make bench` takes them.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable


def percentile(ordered: list[float], share: float) -> float:
    """By nearest rank."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def rows(figures: Iterable[tuple[str, float, str, str]]) -> list[dict[str, object]]:
    """Of each: its name, its value, the value's unit, and how it was measured."""
    return [
        {"name": name, "value": round(value, 3), "unit": unit, "how": how}
        for name, value, unit, how in figures
    ]
