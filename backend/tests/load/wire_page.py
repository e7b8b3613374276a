"""A page that watches a demo and throws away what comes, but for its size on the wire.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import secrets
import uuid
import zlib
from collections import Counter
from urllib.parse import urlsplit

COMPRESSED = 0x40
OPCODE = 0x0F
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
LONG, LONGER = 126, 127
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    # As Chromium, Firefox and Safari ask.
    "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
)


class WirePage:
    """A page that counts what the network carries to it."""

    def __init__(self, reads: bool) -> None:
        self.listener = str(uuid.uuid4())
        self.bytes_of = Counter[str]()
        self._reads = reads
        """Whether it looks at what the messages are; one does for all."""
        self._writer: asyncio.StreamWriter | None = None

    async def join(self, address: str, code: str) -> None:
        """Returns once the server has taken it in."""
        host = urlsplit(address).netloc
        name, port = host.split(":")
        reader, self._writer = await asyncio.open_connection(name, int(port), limit=2**20)
        path = f"/api/audience/{code}/socket"
        self._writer.write(HANDSHAKE.format(path=path, host=host).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101"), head
        self._say(TEXT, json.dumps({"do": "hello", "listener": self.listener}).encode())
        await self._frame(reader)
        self._reading = asyncio.create_task(self._read(reader))

    def _say(self, opcode: int, content: bytes) -> None:
        assert self._writer is not None
        assert len(content) < LONG
        key = secrets.token_bytes(4)
        masked = bytes(byte ^ key[at % 4] for at, byte in enumerate(content))
        self._writer.write(bytes([0x80 | opcode, 0x80 | len(content)]) + key + masked)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while True:
            first, content, wire = await self._frame(reader)
            match first & OPCODE:
                case 8:
                    return
                case 9:
                    self._say(PONG, content)
                case _:
                    self.bytes_of[self._kind(first, content)] += wire

    async def _frame(self, reader: asyncio.StreamReader) -> tuple[int, bytes, int]:
        first, length = await reader.readexactly(2)
        head = 2
        if length >= LONG:
            more = 2 if length == LONG else 8
            length = int.from_bytes(await reader.readexactly(more))
            head += more
        return first, await reader.readexactly(length), head + length

    def _kind(self, first: int, content: bytes) -> str:
        if not self._reads:
            return "any"
        if first & COMPRESSED:
            content = zlib.decompressobj(-15).decompress(content + b"\0\0\xff\xff")
        message = json.loads(content)
        kind = str(message["type"])
        figures = kind == "moment" and any("whole" in lane for lane in message["lanes"])
        return f"{kind} with figures" if figures else kind
