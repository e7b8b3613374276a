"""One clock line: instants of the page, the server and the agent, all by the server's clock.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from thinlab.live.network import PageClock
from thinlab.live.record import SessionRecord


@dataclass(frozen=True)
class AgentClock:
    """The agent's clock minus the server's."""

    offset_us: float
    uncertainty_us: float


SAME_CLOCK = AgentClock(0.0, 0.0)


@dataclass(frozen=True)
class ClockLine:
    """How each clock is moved onto the server's."""

    page: PageClock | None
    """None where the page never answered a probe."""
    agent: AgentClock

    def of_page(self, at_us: int | None) -> float | None:
        """An instant of the page."""
        return None if self.page is None or at_us is None else self.page.on_server(at_us)

    def of_agent(self, at_ns: int) -> float:
        """An instant of the agent."""
        return at_ns / 1000 - self.agent.offset_us

    @property
    def uncertainty_us(self) -> float | None:
        """By how much an instant of one clock may be wrong on another."""
        return None if self.page is None else self.agent.uncertainty_us + self.page.uncertainty_us


def clock_line(record: SessionRecord, *, shares_clock: bool) -> ClockLine:
    """The clock line of a session that has ended."""
    agent = SAME_CLOCK if shares_clock else _agent_clock(record)
    return ClockLine(record.meter.page_clock(), agent)


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
