"""How often typing sessions may begin: each costs a lane and a terminal, whoever then types or not.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio

from thinlab.throttle.caller import Bounded, Caller
from thinlab.throttle.rate import Rate

# A session lasts minutes. Somebody whose line drops, or who reloads the page, comes again at once.
PARTICIPANT_A_SECOND, PARTICIPANT_AT_ONCE = 0.2, 30.0
# A class begins together.
NETWORK_A_SECOND, NETWORK_AT_ONCE = 2.0, 100.0


class Starts:
    """Those of one server."""

    def __init__(self) -> None:
        self._of_participant = Bounded[Rate](
            lambda: Rate(PARTICIPANT_A_SECOND, PARTICIPANT_AT_ONCE)
        )
        self._of_network = Bounded[Rate](lambda: Rate(NETWORK_A_SECOND, NETWORK_AT_ONCE))

    def may_begin(self, participant_id: int, caller: Caller) -> bool:
        """Whether one more may; the page asks again by itself."""
        now_s = asyncio.get_running_loop().time()
        # In this order: who asks too often takes nothing from the others of their network.
        return self._of_participant[participant_id].allows(now_s) and self._of_network[
            caller
        ].allows(now_s)
