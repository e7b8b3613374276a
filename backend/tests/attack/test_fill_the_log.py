"""Makes the server fail in ways that it logs at length, as often as one likes.

On uvloop, as it is served: there a connection that was closed cannot be written to.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import base64
import logging
import os

import pytest
import uvloop
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.attack.bare_server import served_bare
from thinlab.throttle.turns import A_TURN

ASKED = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
SENT = {"many at once": ASKED * 100, "nonsense behind it": ASKED + b"\x00\x01 nonsense\r\n\r\n"}


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive
    await asyncio.sleep(0)
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def _attacked(sent: bytes) -> bytes:
    async with served_bare(_app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        answer = await reader.read()
        writer.close()
        return answer


@pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
def test_what_nobody_can_be_answered_is_not_logged(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    assert b"HTTP/1.1 400" in uvloop.run(_attacked(sent))
    assert [record.getMessage() for record in caplog.records] == []


def _answers_in_every_turn(news: asyncio.Queue[str]) -> ASGIApp:
    """Goes on answering a socket, whatever has become of it, until its base says so."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "websocket"
        await receive()
        await send({"type": "websocket.accept"})
        news.put_nowait("open")
        try:
            while True:
                await send({"type": "websocket.send", "text": "hello"})
                await asyncio.sleep(0)
        finally:
            news.put_nowait("over")

    return app


async def _left(sockets: int) -> None:
    news = asyncio.Queue[str]()
    async with served_bare(_answers_in_every_turn(news)) as port:
        writers = []
        for _ in range(sockets):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            key = base64.b64encode(os.urandom(16)).decode()
            head = "GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
            writer.write(
                f"{head}sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n\r\n".encode()
            )
            writers.append(writer)
        assert {await news.get() for _ in writers} == {"open"}
        for writer in writers:
            writer.transport.abort()
        assert {await news.get() for _ in writers} == {"over"}


def test_sockets_that_end_together_while_they_are_told_something_log_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    # More than have their turn at once.
    uvloop.run(_left(4 * A_TURN))
    assert [record.getMessage() for record in caplog.records] == []
