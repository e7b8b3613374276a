"""How many connections are open, in all and from each network, and which give way.

A connection on which nothing is being asked gives way to a new one, the one
that has waited longest, of the network that has most: whoever holds many
open loses them first, and others get in.

SPDX-License-Identifier: Apache-2.0
"""

import resource
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from thinlab.throttle.caller import NOBODY, Caller, Callers

CONNECTIONS = 4000
# A class of 300, each with the six connections that browsers open.
CONNECTIONS_EACH = 2500
# Files, the database, peer connections.
OTHER_DESCRIPTORS = 800
LEAST_CONNECTIONS = 100

Drop = Callable[[], None]


@dataclass
class _Held:
    """By one network: idle ones by when they became so."""

    count: int = 0
    idle: OrderedDict[int, Drop] = field(default_factory=OrderedDict)


class Doors:
    """The open connections of one server."""

    def __init__(self, callers: Callers, limit: int, limit_each: int | None = None) -> None:
        self._callers = callers
        self._limit = limit
        self._limit_each = limit_each or CONNECTIONS_EACH
        self._held: dict[Caller, _Held] = {}
        self._count = 0

    def of_those_waiting(self, limit: int) -> "Doors":
        """Others, before these: of whoever has yet to say something."""
        return Doors(self._callers, limit)

    @property
    def count(self) -> int:
        """How many are open."""
        return self._count

    def caller_of(self, peer: str | None, now_s: float) -> Caller:
        """Whose a connection is; what a proxy opens is nobody's in particular."""
        return NOBODY if self._callers.is_proxy(peer) else self._callers.of(peer, None, now_s)

    def enter(self, caller: Caller) -> bool:
        """Whether one more may be opened; another may have to go for it."""
        held = self._held.get(caller, _Held())
        full = self._count >= self._limit
        if caller != NOBODY and held.count >= self._limit_each:
            given = self._drop_of(held)
        elif full:
            given = self._drop_of(max(self._held.values(), key=lambda other: other.count))
        else:
            given = True
        if not given:
            return False
        # Only now: what gave way may have been all that this network held.
        self._held.setdefault(caller, _Held()).count += 1
        self._count += 1
        return True

    def leave(self, caller: Caller, number: int) -> None:
        """One is closed."""
        mine = self._held[caller]
        mine.idle.pop(number, None)
        mine.count -= 1
        self._count -= 1
        if not mine.count:
            del self._held[caller]

    def idle(self, caller: Caller, number: int, drop: Drop) -> None:
        """Nothing is being asked on one; `drop` closes it."""
        self._held[caller].idle[number] = drop

    def asked(self, caller: Caller, number: int) -> None:
        """A request has come on it."""
        self._held[caller].idle.pop(number, None)

    def _drop_of(self, held: _Held) -> bool:
        if not held.idle:
            return False
        _, drop = held.idle.popitem(last=False)
        drop()
        return True


def connections_limit() -> int:
    """As many as there are descriptors for, once all that are allowed are taken."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + OTHER_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY:
        return CONNECTIONS
    return max(min(CONNECTIONS, soft - OTHER_DESCRIPTORS), LEAST_CONNECTIONS)
