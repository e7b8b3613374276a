"""Passwords are compared by one thread that gives way to all else; who guesses is slowed down.

Hashing one takes 64 MB and a good part of a second's processor time, on
purpose. So one is hashed at a time, in turns that go round the callers, a few
may wait, and the thread is of the lowest rank: keys that others type pass it.

Who has guessed wrong too often has to wait, by their network: others get in.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from thinlab.throttle.caller import Bounded, Caller
from thinlab.throttle.rate import Rate
from thinlab.throttle.turnstile import Room, Turnstile

WRONG_A_SECOND, WRONG_AT_ONCE = 0.2, 10.0
# Others wait for so many at most, some seconds in all; the page asks again by itself.
COMPARING = Room(at_once=1, waiting_each=3, waiting=30, patience_s=10)
LOWEST_RANK = 19

T = TypeVar("T")


class TooManyGuessesError(Exception):
    """Too many wrong ones came from this network."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"{wait_s:.0f} s")
        self.wait_s = wait_s


def _give_way() -> None:
    # Linux ranks each thread on its own; those that argon2 starts inherit it.
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST_RANK)


class Guessing:
    """One server's."""

    def __init__(self) -> None:
        self._turns = Turnstile(COMPARING)
        self._wrong = Bounded(lambda: Rate(WRONG_A_SECOND, WRONG_AT_ONCE))
        self._thread = ThreadPoolExecutor(1, "passwords", initializer=_give_way)

    async def hashed(self, hashing: Callable[[], T]) -> T:
        """What the hashing comes to."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, hashing)

    async def is_right(self, caller: Caller, compared: Callable[[], Awaitable[bool]]) -> bool:
        """Whether a password is. Raises `BusyError`, `TooManyGuessesError`."""
        rate = self._wrong[caller]
        # Taken before and given back: many at once must not all pass a bucket with one guess left.
        self._take(rate)
        try:
            async with self._turns.turn(caller):
                right = await compared()
        except BaseException:
            rate.give_back()
            raise
        if right:
            rate.give_back()
        return right

    def _take(self, rate: Rate) -> None:
        now_s = asyncio.get_running_loop().time()
        if not rate.allows(now_s):
            raise TooManyGuessesError(rate.wait_s(now_s))
