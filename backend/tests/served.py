"""The server as it is, on a real socket.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.applications import app_over
from thinlab.tls.server_certificate import ServerCertificate
from thinlab.web.server import Listening, Server
from thinlab.web.services import Services


@asynccontextmanager
async def served(
    services: Services, certificate: ServerCertificate | None = None
) -> AsyncIterator[str]:
    """Without pages; gives the address."""
    listening = Listening("127.0.0.1", 0, certificate)
    server = Server(app_over(services), listening, lambda _: None)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http{'s' if certificate else ''}://127.0.0.1:{port}"
    server.should_exit = True
    await task
