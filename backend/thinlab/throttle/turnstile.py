"""So much at once, and whoever waits has their turn: fair between callers, bounded in all.

A flood fills the line of whoever sends it. The next place goes to the next
line, whatever its length: somebody else waits for one of each at most.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass


class BusyError(Exception):
    """Too many wait already, or it has taken too long."""


@dataclass(frozen=True)
class Room:
    """How much of everything."""

    at_once: int
    waiting_each: int
    """In one line."""
    waiting: int
    """In all lines together."""
    patience_s: float


class Turnstile:
    """Lets in one after the other, round the lines."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._inside = 0
        self._waiting = 0
        self._lines: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self._waiting

    @asynccontextmanager
    async def turn(self, line: Hashable) -> AsyncIterator[None]:
        """Waits for a place and keeps it for the block. Raises `BusyError`."""
        await self.enter(line)
        try:
            yield
        finally:
            self.leave()

    async def enter(self, line: Hashable) -> None:
        """Waits for a place, to be left with `leave`. Raises `BusyError`."""
        if self._inside < self._room.at_once and not self._waiting:
            self._inside += 1
            return
        if self._waiting >= self._room.waiting:
            raise BusyError
        own = self._lines.setdefault(line, deque())
        if len(own) >= self._room.waiting_each:
            raise BusyError
        place = asyncio.get_running_loop().create_future()
        own.append(place)
        self._waiting += 1
        try:
            async with asyncio.timeout(self._room.patience_s):
                await place
        except BaseException as error:
            if place.done() and not place.cancelled():
                # Let in at the very moment at which it gave up.
                self.leave()
            else:
                self._forget(line, place)
            if isinstance(error, TimeoutError):
                raise BusyError from error
            raise

    def leave(self) -> None:
        """The place is free for the next."""
        self._inside -= 1
        while self._lines and self._inside < self._room.at_once:
            line, own = self._lines.popitem(last=False)
            place = own.popleft()
            self._waiting -= 1
            if own:
                self._lines[line] = own
            if not place.done():
                self._inside += 1
                place.set_result(None)

    def _forget(self, line: Hashable, place: asyncio.Future[None]) -> None:
        own = self._lines.get(line)
        if own is not None and place in own:
            own.remove(place)
            self._waiting -= 1
            if not own:
                del self._lines[line]
