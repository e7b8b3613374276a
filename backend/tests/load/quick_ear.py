"""What a hundred bots hear, read without keeping their event loop busy.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import socket
import struct
from collections.abc import Sequence
from typing import Any

from tests.demo.listening_bot import ListeningBot
from tests.load.child import PATIENCE_S

# asm-generic/socket.h
SO_TIMESTAMPNS = 35
TIMESTAMP = struct.Struct("@qq")
LONGEST_PACKET = 2_048
# One packet in so many goes the whole way, so that reports are written as browsers do.
WHOLE_EVERY = 50


class QuickEar:
    """Reads a bot's socket in place of its event loop: the kernel's time, and the RTP header."""

    def __init__(self, bot: ListeningBot, found: list[tuple[int, int]]) -> None:
        self._found = found
        self._count = 0
        connection = bot.peer.getTransceivers()[0].receiver.transport.transport._connection
        (pair,) = connection._nominated.values()
        self._protocol = pair.protocol
        self._socket: socket.socket = pair.protocol.transport.get_extra_info("socket")._sock
        self._socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        loop: Any = asyncio.get_running_loop()
        loop._remove_reader(self._socket.fileno())
        loop._add_reader(self._socket.fileno(), self._read)

    def _read(self) -> None:
        try:
            data, beside, _, sender = self._socket.recvmsg(LONGEST_PACKET, 64)
        except OSError:
            return
        sound = 128 <= data[0] < 192 and not 192 <= data[1] <= 208
        if sound:
            seconds, ns = TIMESTAMP.unpack(beside[0][2])
            self._found.append((int.from_bytes(data[4:8], "big"), seconds * 10**9 + ns))
            self._count += 1
        if not sound or self._count % WHOLE_EVERY == 0:
            self._protocol.datagram_received(data, sender)


async def all_ears(bots: Sequence[ListeningBot], found: list[tuple[int, int]]) -> list[QuickEar]:
    """One for each, as soon as all are connected."""
    for bot in bots:
        async with asyncio.timeout(PATIENCE_S):
            while bot.peer.connectionState != "connected":
                await asyncio.sleep(0.05)
    return [QuickEar(bot, found) for bot in bots]
