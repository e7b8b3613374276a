"""A little at a time: what comes in a burst leaves room for others in between.

A key passes through the loop in some ten steps, each of which waits for whatever
the loop does in that turn. Hundreds of connections that ask or end at once would
all be served in one.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections import deque
from collections.abc import Callable

# Of requests, some milliseconds with all that follows from them.
A_TURN = 6

Do = Callable[[], None]


class Turns:
    """Does what it is given in order, so much in each turn of the loop."""

    def __init__(self) -> None:
        self._waiting: deque[Do] = deque()
        self._called = False

    def add(self, do: Do) -> None:
        """Does it soon."""
        self._waiting.append(do)
        self._call()

    def _call(self) -> None:
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        self._called = False
        for _ in range(min(A_TURN, len(self._waiting))):
            do = self._waiting.popleft()
            if self._waiting:
                # Already here: one that raises must not keep the others.
                self._call()
            do()
