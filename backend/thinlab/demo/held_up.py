"""How far the machine was held up lately; the agent counts since its take began.

SPDX-License-Identifier: Apache-2.0
"""

from collections import deque
from dataclasses import dataclass

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.state import HeldUpLately

LATELY_MS = 60_000.0
# As often as it is told at most: all of the state goes with it.
TOLD_EVERY_MS = 5_000.0
NOTED_EVERY_MS = 1_000.0


@dataclass(frozen=True)
class _Count:
    at_ms: float
    standstills: int = 0
    stood_still_ms: float = 0.0
    sound_left_out: int = 0


class HeldUp:
    """Of the take that runs."""

    def __init__(self) -> None:
        self.lately: HeldUpLately | None = None
        """As it was told last."""
        self._told_at_ms = float("-inf")
        self._counts = deque([_Count(float("-inf"))])

    def take_began(self) -> None:
        """It counts anew."""
        self.lately = None
        self._counts = deque([_Count(float("-inf"))])

    def note(self, at_ms: float, counted: pb.DemoHeldUp) -> None:
        """What the agent counted by then."""
        if at_ms < self._counts[-1].at_ms + NOTED_EVERY_MS:
            return
        self._counts.append(
            _Count(at_ms, counted.standstills, counted.stood_still_ms, counted.sound_left_out)
        )
        # The first is what had been counted when the last minute began.
        while len(self._counts) > 1 and self._counts[1].at_ms <= at_ms - LATELY_MS:
            self._counts.popleft()

    def news(self, now_ms: float) -> bool:
        """Whether there is something else to tell, and it is time to."""
        if now_ms < self._told_at_ms + TOLD_EVERY_MS:
            return False
        lately = self._since()
        if lately == self.lately:
            return False
        self.lately, self._told_at_ms = lately, now_ms
        return True

    def _since(self) -> HeldUpLately | None:
        first, last = self._counts[0], self._counts[-1]
        standstills = last.standstills - first.standstills
        left_out = last.sound_left_out - first.sound_left_out
        if standstills == 0 and left_out == 0:
            return None
        return HeldUpLately(
            standstills=standstills,
            stood_still_ms=round(last.stood_still_ms - first.stood_still_ms),
            sound_left_out=left_out,
        )
