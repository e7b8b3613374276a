"""What all who watch are told, and what is kept of it for those who come later.

SPDX-License-Identifier: Apache-2.0
"""

import codecs
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.audience_message import AudienceScreen
from thinlab.demo.clock import TakeClock
from thinlab.demo.feed import DemoEvent, LaneScreen
from thinlab.demo.letters import Order
from thinlab.demo.store import DemoFiles
from thinlab.demo.turns import Turns
from thinlab.demo.watchers import Told, Watcher, Watchers

# What a chart's width shows.
CONSOLE_RECENT_MS = 60_000.0
AUDIENCE_RECENT_MS = 10_000.0
# A page keeps as many.
EVENTS_LIMIT = 1_000
# Of a lane's terminal; an editor draws all of its screen anew in less.
SCREENS_LIMIT_CHARACTERS = 256_000


@dataclass
class _Terminal:
    """A lane's screens so far."""

    text: str = ""
    number: int = 0
    answers_key: int = 0
    at_ms: float = 0.0
    decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace")
    )


class Broadcast:
    """One demo's consoles and audience."""

    def __init__(self, files: DemoFiles) -> None:
        self.consoles = Watchers()
        self.audience = Watchers()
        self.sending = Turns()
        self._files = files
        self._recent: deque[tuple[float, str]] = deque()
        self._events: deque[str] = deque(maxlen=EVENTS_LIMIT)
        self._terminals: dict[int, _Terminal] = {}
        self._take = 0
        self._audience_from_take = 0
        """Takes before it were heard and seen under other letters."""

    def letters_drawn(self, order: Order, next_take: int) -> None:
        """Terminals of takes before the next one are not shown to the audience again."""
        self._audience_from_take = next_take
        if self._terminals:
            for letter in order.letters:
                empty = self._seen(letter, "", from_start=True)
                self.audience.tell(empty.model_dump_json(), Told.OTHER)

    def take_began(self, number: int) -> None:
        """Terminals are empty again."""
        self._take = number
        self._terminals.clear()

    def state(self, at_ms: float, for_consoles: str, for_audience: str) -> None:
        """How things are."""
        self._files.told(at_ms, for_consoles)
        self.consoles.tell(for_consoles, Told.STATE)
        self.audience.tell(for_audience, Told.STATE)

    def moment(self, at_ms: float, text: str, order: Order) -> None:
        """What became known."""
        self._files.told(at_ms, text)
        self._recent.append((at_ms, text))
        while self._recent[0][0] < at_ms - CONSOLE_RECENT_MS:
            self._recent.popleft()
        self.consoles.tell(text, Told.MOMENT)
        if not order.blind:
            self.audience.tell(text, Told.MOMENT)

    def event(self, event: DemoEvent, order: Order) -> None:
        """Something happened."""
        text = event.model_dump_json(exclude_none=True)
        self._files.told(event.at_ms, text)
        self._events.append(text)
        self.consoles.tell(text, Told.OTHER)
        if not order.blind:
            self.audience.tell(text, Told.OTHER)

    def screen(self, lane: int, shown: pb.TerminalScreen, clock: TakeClock, order: Order) -> None:
        """A lane's terminal shows more."""
        terminal = self._terminals.setdefault(lane, _Terminal())
        data = terminal.decoder.decode(shown.data)
        terminal.text = (terminal.text + data)[-SCREENS_LIMIT_CHARACTERS:]
        terminal.number, terminal.answers_key = shown.number, shown.answers_key
        terminal.at_ms = clock.at_ms(shown.at_ns)
        text = self._screen(lane, terminal, data).model_dump_json()
        self._files.told(terminal.at_ms, text)
        self.consoles.tell(text, Told.OTHER)
        # Of a take that ends, where there are to be fewer lanes or other letters.
        if lane in order.lanes and self._take >= self._audience_from_take:
            seen = self._seen(order.letter(lane), data)
            self.audience.tell(seen.model_dump_json(), Told.OTHER)

    def _screen(
        self, lane: int, terminal: _Terminal, data: str, *, from_start: bool = False
    ) -> LaneScreen:
        return LaneScreen(
            type="screen",
            at_ms=terminal.at_ms,
            take=self._take,
            lane=lane,
            number=terminal.number,
            data=data,
            answers_key=terminal.answers_key,
            from_start=from_start,
        )

    def _seen(self, letter: str, data: str, *, from_start: bool = False) -> AudienceScreen:
        return AudienceScreen(
            type="screen", take=self._take, letter=letter, data=data, from_start=from_start
        )

    def welcome_console(self, watcher: Watcher, state: str) -> None:
        """All that a console needs that was just opened; the rest as it comes."""
        watcher.tell(state, Told.STATE)
        screens = [
            self._screen(lane, terminal, terminal.text, from_start=True).model_dump_json()
            for lane, terminal in self._terminals.items()
        ]
        watcher.tell_anew([*self._events, *screens, *self._since(CONSOLE_RECENT_MS)])
        self.consoles.add(watcher)

    def welcome_audience(self, watcher: Watcher, state: str, order: Order) -> None:
        """The same for a page of the audience, as far as it may know."""
        watcher.tell(state, Told.STATE)
        watcher.tell_anew(self._for_audience(order))
        self.audience.add(watcher)

    def revealed(self, order: Order) -> None:
        """What the letters stand for may be known now: what was kept back is sent."""
        self.audience.tell_anew(list(self._for_audience(order)))

    def _for_audience(self, order: Order) -> Iterator[str]:
        # In the letters' order: the lanes' would tell who is who.
        for letter, lane in zip(order.letters, order.lanes, strict=True):
            terminal = self._terminals.get(lane)
            if terminal is not None and self._take >= self._audience_from_take:
                yield self._seen(letter, terminal.text, from_start=True).model_dump_json()
        if not order.blind:
            yield from self._events
            yield from self._since(AUDIENCE_RECENT_MS)

    def _since(self, span_ms: float) -> list[str]:
        if not self._recent:
            return []
        newest_ms = self._recent[-1][0]
        return [text for at_ms, text in self._recent if at_ms >= newest_ms - span_ms]

    def close(self) -> None:
        """Everybody has heard the end."""
        self.consoles.close()
        self.audience.close()
