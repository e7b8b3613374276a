"""The server as it is, on a real socket.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn

from tests.applications import app_over
from thinlab.web.serve import Listening, configured
from thinlab.web.services import Services


@asynccontextmanager
async def served(services: Services) -> AsyncIterator[str]:
    """Without pages; gives the address."""
    server = uvicorn.Server(configured(app_over(services), Listening("127.0.0.1", 0)))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    await task
