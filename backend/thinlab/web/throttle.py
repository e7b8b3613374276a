"""What strangers may ask of the server, in figures, and who has asked how much.

Nobody is locked out for an address: a class behind one router, or a whole
university, is one address. So nothing ordinary is counted by address. It
waits for its turn instead (`Turnstile`), and turns go round the networks, so
that a flood waits for itself. Whoever is known to take part has a line of
their own there, also beside a flood from their own network. Counted by address is
only what costs much and is done once: joining, signing in, opening sockets.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from fastapi.requests import HTTPConnection
from starlette.types import Scope

from thinlab.researcher.guessing import Guessing
from thinlab.throttle.caller import NOBODY, Bounded, Caller, Callers
from thinlab.throttle.rate import Rate
from thinlab.throttle.turnstile import Room, Turnstile
from thinlab.web.problems import ProblemError

# As many at the database as it has connections for, and some left. Each makes way for keys at
# every wait: so many steps at most lie between a key and its screen.
REQUESTS = Room(at_once=12, waiting_each=1500, waiting=3000, patience_s=10)
# A link sent to a class is opened by all of it at once: 300 in a minute, 1000 in half of one.
JOINS_A_SECOND, JOINS_AT_ONCE = 10.0, 1000.0
# Those who come at once wait for each other, before they take a place from who is there already.
JOINING = Room(at_once=3, waiting_each=1000, waiting=2000, patience_s=15)
SOCKETS_A_SECOND, SOCKETS_AT_ONCE = 30.0, 600.0
SOCKETS_EACH, SOCKETS = 800, 1600
# Of these. An audience needs nothing but a link; who types or presents finds room beside it.
AUDIENCE_SOCKETS_EACH, AUDIENCE_SOCKETS = 600, 800
# Who has been seen to take part.
KNOWN_LIMIT = 20_000

SCOPE_KEY = "thinlab.caller"
FOUND = ContextVar["Found | None"]("thinlab.found", default=None)
GONE_KEY = "thinlab.gone"
"""Whether whoever asked has gone, as a function; not there where nobody can tell."""


@dataclass
class Found:
    """Whether what shows who asks was looked up, and is somebody's; of one request."""

    somebody: bool = False


def found_somebody() -> None:
    """For whatever looks it up. What is let in without being looked up shows nothing."""
    if (found := FOUND.get()) is not None:
        found.somebody = True


@dataclass
class Throttle:
    """One server's, in memory; another after every start."""

    callers: Callers = field(default_factory=Callers)
    requests: Turnstile = field(default_factory=lambda: Turnstile(REQUESTS))
    joining: Turnstile = field(default_factory=lambda: Turnstile(JOINING))
    joins: Bounded[Rate] = field(
        default_factory=lambda: Bounded(lambda: Rate(JOINS_A_SECOND, JOINS_AT_ONCE))
    )
    sockets: Bounded[Rate] = field(
        default_factory=lambda: Bounded(lambda: Rate(SOCKETS_A_SECOND, SOCKETS_AT_ONCE))
    )
    guessing: Guessing = field(default_factory=Guessing)
    open_sockets: Counter[tuple[Caller, bool]] = field(default_factory=Counter)
    """By network, and whether they are an audience's."""
    _known: Bounded[bool] = field(default_factory=lambda: Bounded(lambda: True, KNOWN_LIMIT))

    def caller_of(self, scope: Scope) -> Caller:
        """Who is at the other end of a connection."""
        peer = scope.get("client")
        forwarded = b",".join(
            value for name, value in scope["headers"] if name == b"x-forwarded-for"
        )
        now_s = asyncio.get_running_loop().time()
        return self.callers.of(peer[0] if peer else None, forwarded.decode("latin-1"), now_s)

    def line_of(self, credential: bytes | None) -> Hashable:
        """Where in its network a request waits: the participant's own line, or the common one."""
        known = credential is not None and hash(credential) in self._known
        return hash(credential) if known else None

    def knows(self, credential: bytes) -> None:
        """This credential is somebody's."""
        # Only its hash, under the interpreter's own key.
        self._known[hash(credential)]

    def opens_socket(self, caller: Caller, *, audience: bool) -> bool:
        """Whether one more may be opened; to be closed with `closes_socket`."""
        now_s = asyncio.get_running_loop().time()
        each = AUDIENCE_SOCKETS_EACH if audience else SOCKETS_EACH
        if self.open_sockets[caller, audience] >= each:
            return False
        if self.open_sockets.total() >= SOCKETS:
            return False
        if audience and self._audience_sockets() >= AUDIENCE_SOCKETS:
            return False
        if not self.sockets[caller].allows(now_s):
            return False
        self.open_sockets[caller, audience] += 1
        return True

    def _audience_sockets(self) -> int:
        return sum(count for (_, audience), count in self.open_sockets.items() if audience)

    def closes_socket(self, caller: Caller, *, audience: bool) -> None:
        """It is closed."""
        self.open_sockets[caller, audience] -= 1
        if not self.open_sockets[caller, audience]:
            del self.open_sockets[caller, audience]

    @asynccontextmanager
    async def turn_to_join(self, caller: Caller) -> AsyncIterator[None]:
        """Waits for it. Raises `BusyError`, and `ProblemError` where too many have joined."""
        now_s = asyncio.get_running_loop().time()
        rate = self.joins[caller]
        if not rate.allows(now_s):
            raise too_much(rate.wait_s(now_s), "people have joined")
        async with self.joining.turn(caller):
            yield


def caller_of(connection: HTTPConnection) -> Caller:
    """For routes: who asks, as `Admission` has found."""
    caller: Caller = connection.scope.get(SCOPE_KEY, NOBODY)
    return caller


def too_much(wait_s: float, what: str) -> ProblemError:
    """429: this network has done this too often."""
    seconds = max(round(wait_s + 0.5), 1)
    return ProblemError(
        429,
        "too-much",
        f"Too many {what} from your network.",
        remedy=f"Try again in {seconds} seconds.",
        headers={"Retry-After": str(seconds)},
    )


def busy(after_s: int = 2) -> ProblemError:
    """503: there is more to do than the server can at this moment."""
    return ProblemError(
        503,
        "busy",
        "The server has too much to do at this moment.",
        detail="Nothing was lost: what the server confirmed is stored, the rest can be sent again.",
        remedy="Try again in a few seconds.",
        headers={"Retry-After": str(after_s)},
    )
