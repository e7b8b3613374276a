"""Opens sockets without end, floods them with frames, and sends what inflates to far too much.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest
import websockets
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.exceptions import PayloadTooBig
from websockets.frames import Frame, Opcode

from tests.attack.aim import Instance
from tests.attack.flood import ELSEWHERE
from thinlab.live.transport import FRAME_LIMIT_BYTES
from thinlab.web import throttle
from thinlab.web.demo_deflate import SharedDeflateFactory

PATH = "/api/live/socket"
PATIENCE_S = 60


def address_of(instance: Instance, path: str = PATH) -> str:
    """Of a socket; the links'."""
    return f"ws{instance.url.removeprefix('http')}{path}"


async def opened(
    instance: Instance, address: str = ELSEWHERE, path: str = PATH
) -> websockets.ClientConnection:
    """A socket from an address."""
    local = (address, 0) if instance.host == "127.0.0.1" else None
    return await websockets.connect(
        address_of(instance, path), local_addr=local, compression=None, open_timeout=PATIENCE_S
    )


async def test_one_network_gets_so_many_sockets_and_others_theirs(
    own: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "SOCKETS_EACH", 5)
    sockets = [await opened(own) for _ in range(5)]
    with pytest.raises(websockets.InvalidStatus) as refused:
        await opened(own)
    assert refused.value.response.status_code == 503
    assert int(refused.value.response.headers["Retry-After"]) > 0
    other = await opened(own, "127.0.0.1")
    await other.close()
    await sockets.pop().close()
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                sockets.append(await opened(own))
            except websockets.InvalidStatus:
                await asyncio.sleep(0)
            else:
                break
    for socket in sockets:
        await socket.close()


async def test_audiences_take_no_place_of_who_types_or_presents(
    own: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "AUDIENCE_SOCKETS", 3)
    monkeypatch.setattr(throttle, "SOCKETS", 4)
    # Of no demo: it is accepted, and waits for a hello.
    monkeypatch.setattr("thinlab.web.demo_page_socket.serve", _keep)
    audience = [await opened(own, path="/api/audience/BCDFGH/socket") for _ in range(3)]
    with pytest.raises(websockets.InvalidStatus) as refused:
        await opened(own, "127.0.0.1", path="/api/audience/BCDFGH/socket")
    assert refused.value.response.status_code == 503
    typist = await opened(own)
    for socket in (typist, *audience):
        await socket.close()


async def _keep(connection: WebSocket, page: object) -> None:
    del page
    await connection.accept()
    with suppress(WebSocketDisconnect):
        await connection.receive_text()


async def until_closed(send: Callable[[], Awaitable[object]]) -> None:
    """Sends until the server has closed."""
    with suppress(websockets.ConnectionClosed):
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for _ in range(50):
                    await send()
                await asyncio.sleep(0)


@pytest.mark.parametrize("kind", ["pings", "bytes", "texts"])
async def test_who_floods_a_socket_loses_it(instance: Instance, kind: str) -> None:
    socket = await opened(instance)
    text = json.dumps({"ack": 0, "first": 1, "messages": []})
    sends: dict[str, Callable[[], Awaitable[object]]] = {
        "pings": socket.ping,
        "bytes": lambda: socket.send(b""),
        "texts": lambda: socket.send(text),
    }
    await until_closed(sends[kind])


async def test_a_huge_frame_ends_its_socket(instance: Instance) -> None:
    socket = await opened(instance)
    huge = "x" * (FRAME_LIMIT_BYTES + 1)
    await until_closed(lambda: socket.send(huge))
    assert socket.close_code in {1006, 1009}


async def test_a_message_in_endless_parts_ends_its_socket(instance: Instance) -> None:
    async def parts() -> AsyncIterator[str]:
        while True:
            yield "x" * 1000

    socket = await opened(instance)
    await until_closed(lambda: socket.send(parts()))


def test_what_inflates_to_too_much_is_not_inflated() -> None:
    _, deflate = SharedDeflateFactory().process_request_params([], [])
    packer = zlib.compressobj(wbits=-15)
    bomb = packer.compress(bytes(50_000_000)) + packer.flush(zlib.Z_SYNC_FLUSH)
    assert len(bomb) < FRAME_LIMIT_BYTES
    frame = Frame(Opcode.TEXT, bomb[:-4], rsv1=True)
    with pytest.raises(PayloadTooBig):
        deflate.decode(frame, max_size=FRAME_LIMIT_BYTES)
