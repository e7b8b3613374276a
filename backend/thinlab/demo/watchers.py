"""Who watches: each with a queue of their own, so that a slow phone holds up nobody.

What is told is serialised once and queued as one text for all. A queue that is
full loses moments, which nobody misses who cannot keep up; when it has run
empty, a fresh state says where things are. What cannot be lost (events,
screens, answers) closes the connection where it would grow without end: the
page comes again and gets all of it anew. What it is told of the time before it
came does not count: how long a demo has run says nothing of the page.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum, auto

from thinlab.demo.turns import Turns

# Two seconds of moments.
MOMENTS_LIMIT = 20
WAITING_LIMIT = 2000


class Told(Enum):
    """What a text is."""

    STATE = auto()
    """Only the newest counts."""
    MOMENT = auto()
    """May be lost."""
    ANEW = auto()
    """Of the time before; told again, only the newest telling counts."""
    OTHER = auto()


class Watcher:
    """One connection's queue."""

    def __init__(self, fresh: Callable[[], str], turns: Turns) -> None:
        """`fresh` gives the state as it is now. Each text that is sent takes a turn."""
        self._fresh = fresh
        self._turns = turns
        self._waiting: deque[tuple[Told, str]] = deque()
        self._moments = 0
        self._others = 0
        self._behind = False
        self._closed = False
        self._asked = False
        self._turn = asyncio.Event()
        self.lost_moments = 0
        self.overflowed = False
        """Whether it was closed for being too slow."""
        self.sent_away = False
        """Whether it was closed for newer pages of the same listener."""

    def tell(self, text: str, what: Told) -> None:
        """Queues a text. Never waits."""
        if self._closed:
            return
        if what is Told.MOMENT:
            if self._moments >= MOMENTS_LIMIT:
                self._behind = True
                self.lost_moments += 1
                return
            self._moments += 1
        elif what is Told.STATE and self._waiting and self._waiting[-1][0] is Told.STATE:
            # Further back it stays: what follows it was told of that state.
            self._waiting.pop()
        elif what is Told.OTHER:
            if self._others >= WAITING_LIMIT:
                self.overflowed = True
                self._waiting.clear()
                self.close()
                return
            self._others += 1
        self._waiting.append((what, text))
        self._ask()

    def tell_anew(self, texts: Iterable[str]) -> None:
        """Queues all that is to be known of the time before, in place of what it was."""
        if self._closed:
            return
        kept = (one for one in self._waiting if one[0] is not Told.ANEW)
        self._waiting = deque([*kept, *((Told.ANEW, text) for text in texts)])
        self._ask()

    def _ask(self) -> None:
        if not self._asked:
            self._asked = True
            self._turns.ask(self._turn.set)

    async def next(self) -> str | None:
        """The next text to be sent, once it is its turn; none: the connection is to be closed."""
        while True:
            await self._turn.wait()
            self._turn.clear()
            self._asked = False
            if self._waiting:
                what, text = self._waiting.popleft()
                self._moments -= what is Told.MOMENT
                self._others -= what is Told.OTHER
                self._ask()
                return text
            if self._closed:
                return None
            if self._behind:
                self._behind = False
                return self._fresh()

    def send_away(self) -> None:
        """Newer pages take its place; nothing more is sent."""
        self.sent_away = True
        self._waiting.clear()
        self.close()

    def close(self) -> None:
        """What is queued is still sent, then the connection ends."""
        self._closed = True
        self._ask()


class Watchers:
    """All of one kind."""

    def __init__(self) -> None:
        self._watchers: set[Watcher] = set()

    def __len__(self) -> int:
        """How many there are."""
        return len(self._watchers)

    def add(self, watcher: Watcher) -> None:
        """They get what is told from now on."""
        self._watchers.add(watcher)

    def remove(self, watcher: Watcher) -> None:
        """They are gone."""
        self._watchers.discard(watcher)

    def tell(self, text: str, what: Told) -> None:
        """Tells all of them."""
        for watcher in self._watchers:
            watcher.tell(text, what)

    def tell_anew(self, texts: list[str]) -> None:
        """Tells all of them of the time before."""
        for watcher in self._watchers:
            watcher.tell_anew(texts)

    def close(self) -> None:
        """Ends their connections."""
        for watcher in self._watchers:
            watcher.close()
