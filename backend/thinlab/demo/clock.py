"""Instants of a demo: ms since it began, whichever machine's clock stamped them.

SPDX-License-Identifier: Apache-2.0
"""

import time
from dataclasses import dataclass

NS_PER_MS = 1_000_000


@dataclass(frozen=True)
class DemoClock:
    """The server's clock, counted from the demo's beginning."""

    began_ns: int
    """Since 1970."""

    def at_ms(self, at_ns: int) -> float:
        """An instant of the server's clock."""
        return round((at_ns - self.began_ns) / NS_PER_MS, 3)

    def now_ms(self) -> float:
        """Now."""
        return self.at_ms(time.time_ns())


@dataclass(frozen=True)
class TakeClock:
    """The agent's clock in a take."""

    demo: DemoClock
    ahead_ns: int = 0
    """Agent less server: 0 on this machine, else as found when the take was ready."""

    def at_ms(self, agent_ns: int) -> float:
        """An instant of the agent's clock."""
        return self.demo.at_ms(agent_ns - self.ahead_ns)

    def on_server_ns(self, agent_ns: int) -> int:
        """The same by the server's clock."""
        return agent_ns - self.ahead_ns
