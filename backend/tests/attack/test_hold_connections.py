"""Holds what a connection costs, after it or without ever being heard.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest
from starlette.types import Receive, Scope, Send

from tests.attack.bare_server import served_bare

PATIENCE_S = 30.0
HEAD = (
    b"GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


class _Asked:
    """Goes when the request goes whose scope it lies in."""


@pytest.fixture
def no_collector() -> Iterator[None]:
    """What holds itself stays."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
async def test_nothing_of_a_request_is_left_when_its_connection_ends() -> None:
    left = weakref.WeakSet[_Asked]()
    gone = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["test.asked"] = _Asked()
        left.add(asked)
        weakref.finalize(asked, gone.set)
        await receive()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async with served_bare(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        assert b" 204 " in await reader.readuntil(b"\r\n\r\n")
        writer.close()
        async with asyncio.timeout(PATIENCE_S):
            await gone.wait()
    assert not left


async def test_a_socket_whose_head_is_not_taken_is_told_and_closed() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive, send
        pytest.fail("a socket was opened")

    async with served_bare(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HEAD + b"x: " + b"x" * 10_000 + b"\r\n\r\n")
        async with asyncio.timeout(PATIENCE_S):
            assert (await reader.read()).startswith(b"HTTP/1.1 431 ")
        writer.close()
