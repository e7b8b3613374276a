"""What floods are made of: many at once over few connections, each answer counted.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx

from tests.attack.aim import Instance
from tests.attack.conftest import PATIENCE_S

# Loopback has many addresses: whoever floods comes from another than whoever is to get in.
ELSEWHERE = "127.0.0.99"


@asynccontextmanager
async def from_elsewhere(
    instance: Instance, connections: int = 50
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of another address; of our own where the server is not on this machine."""
    address = ELSEWHERE if instance.host == "127.0.0.1" else None
    limits = httpx.Limits(max_connections=connections)
    transport = httpx.AsyncHTTPTransport(local_address=address, limits=limits)
    async with httpx.AsyncClient(
        base_url=instance.url, timeout=PATIENCE_S, transport=transport
    ) as client:
        yield client


async def statuses(ask: Callable[[], Awaitable[httpx.Response]], times: int) -> Counter[int]:
    """Asks so often at once; what the answers were."""
    answers = await asyncio.gather(*(ask() for _ in range(times)))
    return Counter(answer.status_code for answer in answers)


@asynccontextmanager
async def without_end(ask: Callable[[], Awaitable[object]], at_once: int) -> AsyncIterator[None]:
    """Asks again and again, so many at once, for as long as the block takes."""

    async def go_on() -> None:
        while True:
            await ask()

    tasks = [asyncio.create_task(go_on()) for _ in range(at_once)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def raw(
    instance: Instance, *, buffer_bytes: int | None = None
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection from elsewhere on which nothing is said yet; with a small buffer, if wanted."""
    own = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    own.setblocking(False)
    if instance.host == "127.0.0.1":
        own.bind((ELSEWHERE, 0))
    if buffer_bytes is not None:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
    await asyncio.get_running_loop().sock_connect(own, (instance.host, instance.port))
    reader, writer = await asyncio.open_connection(sock=own, limit=2**20)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
