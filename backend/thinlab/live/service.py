"""The live part of the server: made once at start, handed to its routes.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.lab.live_hosts import LiveHosts
from thinlab.live.desk import Desk
from thinlab.live.pulse import Pulse
from thinlab.live.store import TypingStore
from thinlab.live.switchboard import Switchboard
from thinlab.live.webrtc import Peers


class Live:
    """Links, sessions and peer connections over whoever knows participants and terminals."""

    def __init__(
        self, desk: Desk, hosts: LiveHosts, store: TypingStore, pulse: Pulse | None = None
    ) -> None:
        self.desk = desk
        self.hosts = hosts
        self.store = store
        self.pulse = pulse or Pulse()
        self.switchboard = Switchboard(desk, self.pulse)
        self.peers = Peers(self.switchboard.welcome)

    async def close(self) -> None:
        """Ends all of it."""
        await self.switchboard.close()
        await self.peers.close()
        await self.hosts.close()
