"""A bound on the datagrams that a peer connection's ports take: the rest is lost.

Whatever comes there costs a millisecond of the loop, deciphered or not, and
waits in a queue without end before. So it is counted as it comes, whoever sent
it: a page that sends too much is found by its frames and sent away, while
somebody else who has found out a port closes nobody's connection.

Each address that a page sends from is asked for a way back, and kept: of those
that come after the first few, nothing is kept.

SPDX-License-Identifier: Apache-2.0
"""

import time
from contextlib import suppress
from typing import Any

from aioice.stun import Message
from aiortc import RTCIceTransport

from thinlab.throttle.rate import Rate

# Frames or sound, acknowledgements of ours, and what keeps the connection open.
DATAGRAMS_A_SECOND, DATAGRAMS_AT_ONCE = 700.0, 1500.0
# A page has one or two on each of its networks.
ADDRESSES_LIMIT = 16


def bound_datagrams(ice: RTCIceTransport) -> None:
    """Of a transport whose ports are open."""
    # Nothing public leads there.
    connection: Any = ice._connection  # noqa: SLF001
    rate = Rate(DATAGRAMS_A_SECOND, DATAGRAMS_AT_ONCE)
    for protocol in connection._protocols:  # noqa: SLF001
        _bound(protocol, rate)
    _bound_addresses(connection)


def _bound(protocol: Any, rate: Rate) -> None:  # noqa: ANN401 (aioice's own)
    received = protocol.datagram_received

    def within_bounds(data: bytes | str, sender: tuple[Any, ...]) -> None:
        if rate.allows(time.monotonic()):
            # Whatever aioice meets in what a stranger wrote: the loop would log it at length.
            with suppress(Exception):
                received(data, sender)

    protocol.datagram_received = within_bounds


def _bound_addresses(connection: Any) -> None:  # noqa: ANN401 (aioice's own)
    check = connection.check_incoming

    def within_bounds(message: Message, sender: tuple[str, int], protocol: object) -> None:
        known = connection._remote_candidates  # noqa: SLF001
        if len(known) < ADDRESSES_LIMIT or sender in {(one.host, one.port) for one in known}:
            check(message, sender, protocol)

    connection.check_incoming = within_bounds
