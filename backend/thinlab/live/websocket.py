"""A link over a WebSocket: where UDP is blocked, and where nothing else is there yet.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from thinlab.live.frame_rate import FrameRate
from thinlab.live.transport import FRAME_LIMIT_BYTES, Transport
from thinlab.throttle.caller import NOBODY, Caller

# Frames that wait to be written: so many only when the network does not take them any more.
WAITING_LIMIT = 2048
CLOSE_NORMAL = 1000
CLOSE_TOO_LONG = 1009


async def carry(
    socket: WebSocket, welcome: Callable[[Transport], None], caller: Caller = NOBODY
) -> None:
    """Carries frames over an accepted socket until either side closes it."""
    waiting: asyncio.Queue[str | None] = asyncio.Queue()
    transport = Transport(
        "websocket",
        send=lambda text: _put(waiting, text),
        close=lambda: waiting.put_nowait(None),
        caller=caller,
    )
    writing = asyncio.create_task(_write(socket, waiting))
    reading = asyncio.create_task(_read(socket, transport))
    try:
        welcome(transport)
        await asyncio.wait((writing, reading), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (writing, reading):
            task.cancel()
        await asyncio.gather(writing, reading, return_exceptions=True)
        transport.ended()
        with suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(CLOSE_NORMAL)


def _put(waiting: asyncio.Queue[str | None], text: str) -> None:
    # The link keeps what is unacknowledged: a reader that stands still loses the transport only.
    waiting.put_nowait(text if waiting.qsize() < WAITING_LIMIT else None)


async def _write(socket: WebSocket, waiting: asyncio.Queue[str | None]) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while (text := await waiting.get()) is not None:
            await socket.send_text(text)


async def _read(socket: WebSocket, transport: Transport) -> None:
    rate = FrameRate()
    with suppress(WebSocketDisconnect, RuntimeError, KeyError):
        while True:
            text = await socket.receive_text()
            if len(text) > FRAME_LIMIT_BYTES or not rate.allows(len(text)):
                await socket.close(CLOSE_TOO_LONG)
                return
            transport.arrived(text)
