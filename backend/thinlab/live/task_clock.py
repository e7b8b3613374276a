"""What is left of a task's time, of which a machine that is behind takes nothing. Pure.

SPDX-License-Identifier: Apache-2.0
"""


class TaskClock:
    """Stands still until it is let go. Whoever asks says what time it is."""

    def __init__(self, limit_s: float) -> None:
        self._left_s = limit_s
        self._since_s: float | None = None

    def go(self, now_s: float) -> None:
        """The time passes from now on."""
        if self._since_s is None:
            self._since_s = now_s

    def stand(self, now_s: float) -> None:
        """No time passes from now on."""
        self._left_s, self._since_s = self.left_s(now_s), None

    def left_s(self, now_s: float) -> float:
        """Until the time is over."""
        gone_s = 0.0 if self._since_s is None else now_s - self._since_s
        return max(self._left_s - gone_s, 0.0)
