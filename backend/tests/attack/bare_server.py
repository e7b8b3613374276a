"""How the server listens, with another application behind it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp

from thinlab.throttle.caller import Callers
from thinlab.web.doors import Doors
from thinlab.web.protocols import BoundedConfig


@asynccontextmanager
async def served_bare(app: ASGIApp) -> AsyncIterator[int]:
    """The bounds of connections alone; gives the port."""
    config = BoundedConfig(
        app, Doors(Callers(), 100), port=0, lifespan="off", log_config=None, access_log=False
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    await serving
