"""So much at once, and whoever waits has their turn: fair between callers, bounded in all.

A flood fills the lines of the network it comes from. The next place goes to the
next network, and in it to the next line, whatever its length: somebody else
waits for one of each network at most, however many lines a flood makes up.
Where no more may wait, whoever waits last where most do makes way.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Line = deque[asyncio.Future[None]]


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


@dataclass
class _Network:
    """Whoever waits from one."""

    lines: OrderedDict[Hashable, Line] = field(default_factory=OrderedDict)
    waiting: int = 0


class Turnstile:
    """Lets in one after the other, round the networks and the lines of each."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._inside = 0
        self._waiting = 0
        self._networks: OrderedDict[Hashable, _Network] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self._waiting

    @asynccontextmanager
    async def turn(self, network: Hashable) -> AsyncIterator[None]:
        """Waits for a place and keeps it for the block. Raises `BusyError`."""
        await self.enter(network)
        try:
            yield
        finally:
            self.leave()

    async def enter(self, network: Hashable, line: Hashable = None) -> None:
        """Waits for a place, to be left with `leave`. Raises `BusyError`.

        `line`: which one of that network; else the one that all others of it share.
        """
        if self._inside < self._room.at_once and not self._waiting:
            self._inside += 1
            return
        place = self._wait_in(network, line)
        try:
            async with asyncio.timeout(self._room.patience_s):
                await place
        except BaseException as error:
            if place.done() and not place.cancelled() and place.exception() is None:
                # Let in at the very moment at which it gave up.
                self.leave()
            else:
                self._forget(network, line, place)
            if isinstance(error, TimeoutError):
                raise BusyError from error
            raise

    def leave(self) -> None:
        """The place is free for the next."""
        self._inside -= 1
        while self._networks and self._inside < self._room.at_once:
            network, here = self._networks.popitem(last=False)
            line, own = here.lines.popitem(last=False)
            place = own.popleft()
            here.waiting -= 1
            self._waiting -= 1
            # Both behind all others.
            if own:
                here.lines[line] = own
            if here.lines:
                self._networks[network] = here
            if not place.done():
                self._inside += 1
                place.set_result(None)

    def _wait_in(self, network: Hashable, line: Hashable) -> asyncio.Future[None]:
        here = self._networks.get(network, _Network())
        if len(here.lines.get(line, ())) >= self._room.waiting_each:
            raise BusyError
        if self._waiting >= self._room.waiting:
            self._send_one_away(network, line)
        # Only now: whoever was sent away may have been the last of it.
        here = self._networks.setdefault(network, _Network())
        place = asyncio.get_running_loop().create_future()
        here.lines.setdefault(line, deque()).append(place)
        here.waiting += 1
        self._waiting += 1
        return place

    def _send_one_away(self, network: Hashable, line: Hashable) -> None:
        """For a newcomer there; raises `BusyError` where nobody has more that waits."""
        here = self._networks.get(network, _Network())
        longest = max(self._networks, key=lambda one: self._networks[one].waiting)
        if self._networks[longest].waiting > here.waiting + 1:
            network, here, allowed = longest, self._networks[longest], 0
        else:
            allowed = len(here.lines.get(line, ())) + 1
        lines = here.lines
        line = max(lines, key=lambda one: len(lines[one]), default=None)
        if len(lines.get(line, ())) <= allowed:
            raise BusyError
        place = lines[line][-1]
        self._forget(network, line, place)
        if not place.done():
            place.set_exception(BusyError())

    def _forget(self, network: Hashable, line: Hashable, place: asyncio.Future[None]) -> None:
        here = self._networks.get(network)
        own = here.lines.get(line) if here is not None else None
        if here is None or own is None or place not in own:
            return
        own.remove(place)
        here.waiting -= 1
        self._waiting -= 1
        if not own:
            del here.lines[line]
        if not here.lines:
            del self._networks[network]
