"""How far behind this machine is at the moment: its server's loop, its live hosts' guests.

A loop that is late by 100 ms makes every key wait that long; a guest that takes
100 ms to say what time it is does the same. Who is typing is not to feel that
others come, so nobody is let in while the machine shows that it has no room.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable

from thinlab.live.host_waits import Standstill
from thinlab.settings import HOST_WAIT_LIMIT_MS

LOOK_EVERY_S = 0.05
# A machine that was behind may be again: nobody is let in until it has kept up for so long.
LOOK_BACK_S = 5.0
# Shorter ones are everybody's: a turn of the loop takes as long.
LEAST_STANDSTILL_S = 0.03
# Of what would spoil a session: whoever comes adds to it.
ADMIT_BELOW_LIMITS = 0.4
# Of one core, of this thread: above it, whoever comes would be waited for by everybody.
ADMIT_BELOW_SHARE = 0.75
# Those who are typing are asked to wait from here on, until it has kept up for a second.
HOLD_FROM_LIMITS = 0.6
HELD_AT_LEAST_S = 1.0
STANDSTILLS_KEPT = 4096


class Pulse:
    """Looks at the clock often, and remembers when it came too late."""

    def __init__(
        self,
        guests_behind_ms: Callable[[], float] = lambda: 0.0,
        limit_ms: float = HOST_WAIT_LIMIT_MS,
    ) -> None:
        self.limit_ms = limit_ms
        """A key that waits longer spoils its session."""
        self.standstills: deque[Standstill] = deque(maxlen=STANDSTILLS_KEPT)
        self.listeners: set[Callable[[bool], None]] = set()
        """Told when those who type are to be held, and when no more."""
        self.held = False
        self.holds = 0
        """How often those who type were held, so far."""
        self._guests_behind_ms = guests_behind_ms
        self._late: deque[tuple[float, float]] = deque()
        self._shares: deque[tuple[float, float]] = deque()
        self._kept_up_since = 0.0

    async def keep(self) -> None:
        """Looks until it is cancelled."""
        loop = asyncio.get_running_loop()
        before, before_cpu_s = loop.time(), time.thread_time()
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            now, cpu_s = loop.time(), time.thread_time()
            self.looked(now, now - before - LOOK_EVERY_S, (cpu_s - before_cpu_s) / (now - before))
            before, before_cpu_s = now, cpu_s

    def looked(self, now: float, late_s: float, share: float) -> None:
        """It is `now`, and was looked `late_s` too late; the thread ran for that share of it."""
        if late_s >= LEAST_STANDSTILL_S:
            ended_us = time.time_ns() // 1000
            self.standstills.append(Standstill(ended_us - round(late_s * 1e6), ended_us))
        behind_ms = max(late_s * 1000, self._guests_behind_ms())
        self._late.append((now, behind_ms))
        self._shares.append((now, share))
        for kept in (self._late, self._shares):
            while kept[0][0] < now - LOOK_BACK_S:
                kept.popleft()
        self._hold(now, behind_ms)

    def _hold(self, now: float, behind_ms: float) -> None:
        if behind_ms >= HOLD_FROM_LIMITS * self.limit_ms:
            self._kept_up_since = now
            self._tell(held=True)
        elif self.held and now - self._kept_up_since >= HELD_AT_LEAST_S:
            self._tell(held=False)

    def _tell(self, *, held: bool) -> None:
        if held != self.held:
            self.held = held
            self.holds += held
            for listener in list(self.listeners):
                listener(held)

    @property
    def behind_ms(self) -> float:
        """The farthest of the last seconds."""
        # Copied at once: who watches the machine asks from a thread of its own.
        return max((late_ms for _, late_ms in tuple(self._late)), default=0.0)

    @property
    def share(self) -> float:
        """Of one core, what the loop's thread used in the last seconds."""
        shares = tuple(self._shares)
        return sum(one for _, one in shares) / len(shares) if shares else 0.0

    @property
    def has_room(self) -> bool:
        """Whether another may begin to type without being felt by those who do."""
        return (
            self.behind_ms < ADMIT_BELOW_LIMITS * self.limit_ms and self.share < ADMIT_BELOW_SHARE
        )
