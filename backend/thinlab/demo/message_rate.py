"""How many messages a page may send: more than hands and pings make, fewer than a flood.

SPDX-License-Identifier: Apache-2.0
"""


class MessageRate:
    """A bucket that fills at the rate."""

    def __init__(self, a_second: float, at_once: float) -> None:
        self._a_second = a_second
        self._at_once = at_once
        self._left = at_once
        self._at_s: float | None = None

    def allows(self, now_s: float) -> bool:
        """Whether one more may come now."""
        if self._at_s is not None:
            self._left = min(self._left + (now_s - self._at_s) * self._a_second, self._at_once)
        self._at_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True
