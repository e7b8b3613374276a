"""A server on real sockets, for tests of what is on the wire.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest_asyncio
import uvicorn
from starlette.types import ASGIApp

from thinlab.web.server import KEPT_OPEN_S

# On a machine that does much else.
PATIENCE_S = 60.0
Serve = Callable[[ASGIApp], Awaitable[str]]


@pytest_asyncio.fixture
async def serve() -> AsyncIterator[Serve]:
    """Serves an application as `thinlab serve` does; returns its address."""
    stops: list[tuple[uvicorn.Server, asyncio.Task[None]]] = []

    async def start(app: ASGIApp) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(
            uvicorn.Config(app, access_log=False, log_config=None, server_header=False,
                           date_header=False, lifespan="off", timeout_keep_alive=KEPT_OPEN_S)
        )  # fmt: skip
        stops.append((server, asyncio.create_task(server.serve(sockets=[listener]))))
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield start
    for server, task in stops:
        server.should_exit = True
        await task
