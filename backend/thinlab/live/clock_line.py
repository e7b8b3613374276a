"""One clock line: instants of the page, the server and the agent, all by the server's clock.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from thinlab.live.network import NetworkMeter, PageClock
from thinlab.live.record import KeyPressed, ScreenShown, SessionRecord


@dataclass(frozen=True)
class AgentClock:
    """The agent's clock minus the server's."""

    offset_us: float
    uncertainty_us: float


SAME_CLOCK = AgentClock(0.0, 0.0)


@dataclass(frozen=True)
class ClockLine:
    """How each clock is moved onto the server's."""

    pages: dict[int, PageClock]
    """By the identity of a link's meter."""
    agent: AgentClock

    def of_page(self, meter: NetworkMeter | None, at_us: int | None) -> float | None:
        """An instant of the page that the meter belongs to."""
        page = None if meter is None else self.pages.get(id(meter))
        return None if page is None or at_us is None else page.on_server(at_us)

    def of_agent(self, at_ns: int) -> float:
        """An instant of the agent."""
        return at_ns / 1000 - self.agent.offset_us

    def painted(self, key: KeyPressed, screen: ScreenShown) -> float | None:
        """From a key pressed to a screen painted, µs."""
        if screen.painted_at_us is None:
            return None
        if screen.meter is key.meter:
            # One clock at both ends: no offset can be wrong.
            return float(screen.painted_at_us - key.at_us)
        pressed = self.of_page(key.meter, key.at_us)
        painted = self.of_page(screen.meter, screen.painted_at_us)
        return None if pressed is None or painted is None else painted - pressed

    @property
    def uncertainty_us(self) -> float | None:
        """By how much an instant of one clock may be wrong on another."""
        if not self.pages:
            return None
        return self.agent.uncertainty_us + max(page.uncertainty_us for page in self.pages.values())


def clock_line(record: SessionRecord, *, shares_clock: bool) -> ClockLine:
    """The clock line of a session that has ended."""
    pages = {}
    for meter in record.meters:
        page = meter.page_clock()
        if page is not None:
            pages[id(meter)] = page
    return ClockLine(pages, SAME_CLOCK if shares_clock else _agent_clock(record))


def _agent_clock(record: SessionRecord) -> AgentClock:
    """From the fastest key on its way to the agent and the fastest screen on its way back."""
    lines = [] if record.ended is None else list(record.ended.result.keys)
    there_us = [
        line.agent_received_ns / 1000 - record.keys[line.number].received_us
        for line in lines
        if line.HasField("agent_received_ns") and line.number in record.keys
    ]
    back_us = [
        record.screens[line.screen].came_us - line.agent_forwarded_ns / 1000
        for line in lines
        if line.HasField("agent_forwarded_ns") and line.screen in record.screens
    ]
    if not there_us or not back_us:
        return SAME_CLOCK
    there, back = min(there_us), min(back_us)
    return AgentClock((there - back) / 2, (there + back) / 2)
