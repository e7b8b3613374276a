"""How often something may happen: more than people make, less than a flood. A bucket that fills.

SPDX-License-Identifier: Apache-2.0
"""


class Rate:
    """A bucket that fills at the rate; what happens takes from it."""

    __slots__ = ("_a_second", "_at_once", "_at_s", "_left")

    def __init__(self, a_second: float, at_once: float) -> None:
        self._a_second = a_second
        self._at_once = at_once
        self._left = at_once
        self._at_s: float | None = None

    def allows(self, now_s: float, cost: float = 1) -> bool:
        """Whether so much more may happen now; if it may, it has."""
        self._fill(now_s)
        if self._left < cost:
            return False
        self._left -= cost
        return True

    def wait_s(self, now_s: float, cost: float = 1) -> float:
        """How long until so much may happen."""
        self._fill(now_s)
        return max(cost - self._left, 0) / self._a_second

    def give_back(self, cost: float = 1) -> None:
        """It did not happen, or does not count."""
        self._left = min(self._left + cost, self._at_once)

    def _fill(self, now_s: float) -> None:
        if self._at_s is not None:
            self._left = min(self._left + (now_s - self._at_s) * self._a_second, self._at_once)
        self._at_s = now_s
