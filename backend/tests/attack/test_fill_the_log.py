"""Makes the server fail in ways that it logs at length, as often as one likes.

On uvloop, as it is served: there a connection that was closed cannot be written to.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging

import pytest
import uvicorn
import uvloop
from starlette.types import Receive, Scope, Send

from thinlab.throttle.caller import Callers
from thinlab.web.doors import Doors
from thinlab.web.protocols import BoundedConfig

ASKED = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
SENT = {"many at once": ASKED * 100, "nonsense behind it": ASKED + b"\x00\x01 nonsense\r\n\r\n"}


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive
    await asyncio.sleep(0)
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def _attacked(sent: bytes) -> bytes:
    config = BoundedConfig(
        _app, Doors(Callers(), 100), port=0, lifespan="off", log_config=None, access_log=False
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0)
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    answer = await reader.read()
    writer.close()
    server.should_exit = True
    await serving
    return answer


@pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
def test_what_nobody_can_be_answered_is_not_logged(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    assert b"HTTP/1.1 400" in uvloop.run(_attacked(sent))
    assert [record.getMessage() for record in caplog.records] == []
