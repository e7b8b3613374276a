"""Work of many small pieces, of which the loop does a few, looks at its sockets, and goes on.

Whoever types in a study beside a demo waits for a piece or two, not for a room.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable

# Messages to pages, of which one takes some 0.05 ms.
TURNS_A_PASS = 5
# What a pass of the loop may take of it, about.
PASS_S = 0.000_25


class Turns:
    """Gives turns, so many in each pass of the loop, in the order in which they are asked for."""

    def __init__(self, a_pass: int = TURNS_A_PASS) -> None:
        self._a_pass = a_pass
        self._waiting: deque[Callable[[], None]] = deque()
        self._giving = False

    def ask(self, turn: Callable[[], None]) -> None:
        """`turn` is called, once."""
        self._waiting.append(turn)
        if not self._giving:
            self._giving = True
            asyncio.get_running_loop().call_soon(self._give)

    def _give(self) -> None:
        for _ in range(min(self._a_pass, len(self._waiting))):
            self._waiting.popleft()()
        self._giving = bool(self._waiting)
        if self._giving:
            asyncio.get_running_loop().call_soon(self._give)


class Pass:
    """One who does many pieces, and lets the loop go on when a pass's time is over."""

    def __init__(self) -> None:
        self._began_s = time.perf_counter()

    async def go_on(self) -> None:
        """To be awaited between two pieces."""
        if time.perf_counter() - self._began_s >= PASS_S:
            await asyncio.sleep(0)
            self._began_s = time.perf_counter()
