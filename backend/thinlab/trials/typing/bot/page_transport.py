"""Transports as a page opens them: a WebSocket, or a data channel by an offer.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import websockets
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from websockets.asyncio.client import ClientConnection

from thinlab.bots.kind import PartFailedError
from thinlab.live.transport import Transport
from thinlab.live.webrtc import CHANNEL, carried_by

OPENING_PATIENCE_S = 15.0
Dial = Callable[[], Awaitable[Transport]]
Offer = Callable[[str], Awaitable[str]]
"""Hands an offer to the server, and returns its answer."""


class DialError(PartFailedError):
    """No transport could be opened."""


async def dial_socket(url: str) -> Transport:
    """A WebSocket. `url`: of the server. Raises `DialError`."""
    try:
        socket = await websockets.connect(
            f"ws{url.removeprefix('http')}/api/live/socket",
            open_timeout=OPENING_PATIENCE_S,
            compression=None,
        )
    except (OSError, TimeoutError, websockets.WebSocketException) as error:
        raise DialError(f"WebSocket: {error}") from error
    waiting: asyncio.Queue[str | None] = asyncio.Queue()
    transport = Transport(
        "websocket", send=waiting.put_nowait, close=lambda: waiting.put_nowait(None)
    )
    carrying = asyncio.create_task(_carry(socket, transport, waiting))
    _kept.add(carrying)
    carrying.add_done_callback(_kept.discard)
    return transport


# The event loop itself holds tasks weakly only.
_kept: set[asyncio.Task[None]] = set()


async def _carry(
    socket: ClientConnection, transport: Transport, waiting: asyncio.Queue[str | None]
) -> None:
    async def write() -> None:
        with suppress(websockets.ConnectionClosed):
            while (text := await waiting.get()) is not None:
                await socket.send(text)

    async def read() -> None:
        async for text in socket:
            if isinstance(text, str):
                transport.arrived(text)

    tasks = [asyncio.create_task(write()), asyncio.create_task(read())]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await socket.close()
    transport.ended()


async def dial_channel(offer: Offer) -> Transport:
    """A data channel that repeats nothing and waits for nothing. Raises `DialError`."""
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    channel = peer.createDataChannel(CHANNEL, ordered=False, maxRetransmits=0)
    opened = asyncio.Event()
    channel.on("open", opened.set)
    try:
        async with asyncio.timeout(OPENING_PATIENCE_S):
            await peer.setLocalDescription(await peer.createOffer())
            answer = await offer(peer.localDescription.sdp)
            await peer.setRemoteDescription(RTCSessionDescription(answer, "answer"))
            await opened.wait()
    except TimeoutError as error:
        await peer.close()
        raise DialError("data channel: not open in time") from error
    except BaseException:
        await peer.close()
        raise

    def hang_up() -> None:
        closing = asyncio.create_task(peer.close())
        _kept.add(closing)
        closing.add_done_callback(_kept.discard)

    transport = carried_by(channel, hang_up)
    channel.on("message", transport.arrived)
    channel.on("close", transport.ended)

    @peer.on("connectionstatechange")
    def changed() -> None:
        if peer.connectionState in {"failed", "closed"}:
            transport.ended()

    return transport
