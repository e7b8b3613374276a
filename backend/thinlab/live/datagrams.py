"""A bound on the datagrams that a peer connection's ports take: the rest is lost.

Whatever comes there costs a millisecond of the loop, deciphered or not, and
waits in a queue without end before. So it is counted as it comes, whoever sent
it: a page that sends too much is found by its frames and sent away, while
somebody else who has found out a port closes nobody's connection.

SPDX-License-Identifier: Apache-2.0
"""

import time
from contextlib import suppress
from typing import Any

from aiortc import RTCIceTransport

from thinlab.throttle.rate import Rate

# Frames or sound, acknowledgements of ours, and what keeps the connection open.
DATAGRAMS_A_SECOND, DATAGRAMS_AT_ONCE = 700.0, 1500.0


def bound_datagrams(ice: RTCIceTransport) -> None:
    """Of a transport whose ports are open."""
    # Nothing public leads there.
    connection: Any = ice._connection  # noqa: SLF001
    rate = Rate(DATAGRAMS_A_SECOND, DATAGRAMS_AT_ONCE)
    for protocol in connection._protocols:  # noqa: SLF001
        _bound(protocol, rate)


def _bound(protocol: Any, rate: Rate) -> None:  # noqa: ANN401 (aioice's own)
    received = protocol.datagram_received

    def within_bounds(data: bytes | str, sender: tuple[Any, ...]) -> None:
        if rate.allows(time.monotonic()):
            # Whatever aioice meets in what a stranger wrote: the loop would log it at length.
            with suppress(Exception):
                received(data, sender)

    protocol.datagram_received = within_bounds
