"""A bound on the datagrams that a peer connection's port takes: the rest is lost.

Whatever comes there costs a millisecond of the loop, deciphered or not, and
waits in a queue without end before. So it is counted as it comes, whoever sent
it: a page that sends too much is found by its frames and sent away, while
somebody else who has found out a port closes nobody's connection.

SPDX-License-Identifier: Apache-2.0
"""

import time
from typing import Any

from aiortc import RTCPeerConnection

from thinlab.throttle.rate import Rate

# Frames, acknowledgements of ours, and what keeps the connection open.
DATAGRAMS_A_SECOND, DATAGRAMS_AT_ONCE = 700.0, 1500.0


def bound_datagrams(peer: RTCPeerConnection) -> None:
    """Of a connection whose ports are open."""
    if peer.sctp is None:
        raise LookupError("a connection for data without its transport")
    rate = Rate(DATAGRAMS_A_SECOND, DATAGRAMS_AT_ONCE)
    # Nothing public leads there.
    for protocol in peer.sctp.transport.transport._connection._protocols:  # noqa: SLF001
        _bound(protocol, rate)


def _bound(protocol: Any, rate: Rate) -> None:  # noqa: ANN401 (aioice's own)
    received = protocol.datagram_received

    def within_bounds(data: bytes | str, sender: tuple[Any, ...]) -> None:
        if rate.allows(time.monotonic()):
            received(data, sender)

    protocol.datagram_received = within_bounds
