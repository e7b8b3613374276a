"""The audience of a demo: who is there, what each of them hears, and what they vote.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from thinlab.demo.audience_message import AudienceYou
from thinlab.demo.audience_sound import AudienceSound
from thinlab.demo.letters import Order
from thinlab.demo.poll import Ballots, Poll, PollClosedError

LISTENERS_LIMIT = 250
# A phone, and the laptop that it was opened on before; each page gets all that is told.
PAGES_LIMIT = 4
# Each is stored, in a row that others wait for. Who changes their mind has the last word.
VOTE_EVERY_S = 1.0
# A phone that sleeps, or walks from one network to the next, goes on with what it heard.
AWAY_PATIENCE_S = 60.0

Tell = Callable[[], None]


class FullHouseError(Exception):
    """No more pages are taken."""


@dataclass
class _Seat:
    """One listener; a page, or several of one browser."""

    letter: str = "A"
    lane: int | None = None
    """Of a console, which chooses lanes."""
    pages: list[Tell] = field(default_factory=list)
    """By age; how each is sent away."""
    hears: bool = False
    """Whether they asked for sound."""
    voting: asyncio.Lock = field(default_factory=asyncio.Lock)
    wanted: object = None
    """Which of their votes is the last one."""
    may_vote_at_s: float = 0.0
    leaving: asyncio.TimerHandle | None = None


class Audience:
    """Seats, letters and polls of one demo."""

    def __init__(self, lanes: int, ballots: Ballots, sound: AudienceSound) -> None:
        self.order = Order.told(lanes)
        self.poll: Poll | None = None
        """The one under way, or the last one between the letters as they stand."""
        self.pages: set[Tell] = set()
        """Called when what `you` tells may be another for anybody."""
        self._ballots = ballots
        self._sound = sound
        self._seats: dict[UUID, _Seat] = {}
        # Who knows the order of one demo is not to know that of the next.
        self._chance = random.SystemRandom()

    @property
    def watching(self) -> int:
        """How many pages of the audience are there now."""
        return sum(bool(seat.pages) for seat in self._seats.values() if seat.lane is None)

    @property
    def _taken(self) -> int:
        """How many seats of the audience are taken. The presenter's are no part of it."""
        return sum(seat.lane is None for seat in self._seats.values())

    def listening(self) -> Counter[int]:
        """How many of the audience hear each lane."""
        return Counter(
            self.order.lane(seat.letter)
            for seat in self._seats.values()
            if seat.hears and seat.pages and seat.lane is None
        )

    def come(self, listener: UUID, send_away: Tell, *, console: bool = False) -> None:
        """A page of this listener is there. Raises `FullHouseError`.

        `send_away` is called where it has to go for newer ones of theirs.
        """
        seat = self._seats.get(listener)
        if seat is None:
            if not console and self._taken >= LISTENERS_LIMIT:
                raise FullHouseError
            seat = self._seats[listener] = _Seat(lane=0 if console else None)
        if seat.leaving is not None:
            seat.leaving.cancel()
            seat.leaving = None
        seat.pages.append(send_away)
        if not console and len(seat.pages) > PAGES_LIMIT:
            seat.pages.pop(0)()
        self._tune(listener, seat)

    def go(self, listener: UUID, send_away: Tell) -> None:
        """A page is gone; what it heard is kept for a while."""
        seat = self._seats.get(listener)
        if seat is None or send_away not in seat.pages:
            return
        seat.pages.remove(send_away)
        if seat.pages:
            return
        if seat.lane is None and not seat.hears and not self._has_voted(listener):
            # There is nothing to go on with, and others wait for the seat.
            self._leave(listener)
        else:
            self._leave_later(listener, seat)

    def _leave_later(self, listener: UUID, seat: _Seat) -> None:
        loop = asyncio.get_running_loop()
        seat.leaving = loop.call_later(AWAY_PATIENCE_S, self._been_away, listener, seat)

    def _been_away(self, listener: UUID, seat: _Seat) -> None:
        if self.poll is not None and self.poll.open and self._has_voted(listener):
            # A poll has no more votes than the house has seats, however often pages come and go.
            self._leave_later(listener, seat)
        else:
            self._leave(listener)

    def _leave(self, listener: UUID) -> None:
        del self._seats[listener]
        self._sound.leave(str(listener))

    def _has_voted(self, listener: UUID) -> bool:
        return self.poll is not None and listener in self.poll.votes

    def knows(self, listener: UUID) -> bool:
        """Whether a page of theirs has said hello."""
        return listener in self._seats

    async def offered(self, listener: UUID, sdp: str, *, console: bool = False) -> str:
        """The answer to an offer to listen. Raises what the sound does."""
        answer = await self._sound.answer(sdp, str(listener), console=console)
        if (seat := self._seats.get(listener)) is not None:
            seat.hears = True
            self._tune(listener, seat)
        return answer

    def listen(self, listener: UUID, letter: str) -> bool:
        """Lets one of the audience hear a letter; false: there is no such lane."""
        seat = self._seats[listener]
        if letter not in self.order.letters:
            return False
        seat.letter = letter
        self._tune(listener, seat)
        return True

    def listen_to_lane(self, listener: UUID, lane: int) -> None:
        """Lets a console hear a lane; nothing where the demo has ended meanwhile."""
        seat = self._seats.get(listener)
        if seat is not None:
            seat.lane = lane
            self._tune(listener, seat)

    def _tune(self, listener: UUID, seat: _Seat) -> None:
        lane = self.order.lane(seat.letter) if seat.lane is None else seat.lane
        self._sound.listen(str(listener), lane)

    def draw(self) -> None:
        """Begins blind mode, with letters that nobody knows."""
        self._set(Order.drawn(len(self.order.lanes), self._chance))

    def resize(self, lanes: int) -> bool:
        """There are so many lanes now. Whether the letters are others."""
        if lanes == len(self.order.lanes):
            return False
        self._set(self.order.resized(lanes, self._chance))
        return True

    async def reveal(self, at_ms: float) -> None:
        """Ends blind mode: the letters keep their lanes, and everybody may know them."""
        if self.poll is not None and self.poll.blind and not self.poll.revealed:
            await self._ballots.reveal(self.poll, at_ms)
        self.order = self.order.revealed()

    def _set(self, order: Order) -> None:
        self.order = order
        # Its letters are others by name only: beside the new ones its result would be wrong, and
        # that it was there or not would tell whether they are.
        self.poll = None
        for listener, seat in self._seats.items():
            if seat.letter not in order.letters:
                seat.letter = "A"
            if seat.lane is not None:
                seat.lane = min(seat.lane, len(order.lanes) - 1)
            self._tune(listener, seat)
        self._tell_all()

    async def open_poll(self, question: str, names: list[str], at_ms: float) -> None:
        """A new poll, between the letters as they stand now; `names` of the lanes."""
        self.poll = await self._ballots.open(question, self.order, names, at_ms)
        self._tell_all()

    def _tell_all(self) -> None:
        for tell in list(self.pages):
            tell()

    async def close_poll(self, at_ms: float) -> None:
        """No more votes."""
        if self.poll is not None and self.poll.open:
            await self._ballots.close(self.poll, at_ms)

    async def vote(self, listener: UUID, choice: str) -> None:
        """Returns once the vote, or a later one of theirs, counts. Raises `PollClosedError`."""
        poll, seat = self.poll, self._seats.get(listener)
        if poll is None or seat is None or seat.lane is not None:
            raise PollClosedError
        loop = asyncio.get_running_loop()
        seat.wanted = mine = object()
        async with seat.voting:
            if seat.wanted is mine:
                await asyncio.sleep(max(seat.may_vote_at_s - loop.time(), 0))
            if seat.wanted is not mine:
                return
            seat.may_vote_at_s = loop.time() + VOTE_EVERY_S
            await self._ballots.vote(poll, listener, choice)

    def you(self, listener: UUID) -> AudienceYou:
        """What is known of one of the audience."""
        return AudienceYou.model_validate(
            {
                "type": "you",
                "listener": listener,
                "letter": self._seats[listener].letter,
                "voted": None if self.poll is None else self.poll.votes.get(listener),
            }
        )

    async def close(self) -> None:
        """Nobody hears anything any more."""
        for seat in self._seats.values():
            if seat.leaving is not None:
                seat.leaving.cancel()
        self._seats.clear()
        await self._sound.close()
