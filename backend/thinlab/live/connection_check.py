"""The connection check: some seconds of probes over the very link that keys will take.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio

from thinlab.live.connection import Connection
from thinlab.live.messages import BrowserMessage
from thinlab.live.network import LOST_AFTER_US, NetworkFound

CHECK_S = 4.0
PROBE_PAUSE_S = 0.05
STRAGGLERS_LOOK_S = 0.05


class ConnectionCheck:
    """One check; it hears nothing but whether the page has gone."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._gone = asyncio.Event()
        connection.talker = self

    def heard(self, message: BrowserMessage, at_us: int) -> None:
        """A page that is checked has nothing to say."""

    def away(self) -> None:
        """The page has gone."""
        self._gone.set()

    async def run(self) -> NetworkFound | None:
        """What the probes found; none when the page has gone."""
        meter = self._connection.meter
        self._connection.probe_every(PROBE_PAUSE_S)
        if await self._gone_within(CHECK_S):
            return None
        self._connection.stop_probing()
        loop = asyncio.get_running_loop()
        late = loop.time() + LOST_AFTER_US / 1e6
        while meter.under_way and loop.time() < late:
            if await self._gone_within(STRAGGLERS_LOOK_S):
                return None
        return meter.found() or NetworkFound(
            meter.under_way, LOST_AFTER_US / 1000, LOST_AFTER_US / 1000, 1.0
        )

    async def _gone_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._gone.wait()
        except TimeoutError:
            return False
        return True
