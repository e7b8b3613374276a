"""A call to the agent with two ways: inputs go in as they come, while its events are read.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import grpc

from thinlab.lab.agent import explained

Input = TypeVar("Input")
Event = TypeVar("Event")


@asynccontextmanager
async def fed(
    call: "grpc.aio.StreamStreamCall[Input, Event]", inputs: asyncio.Queue[Input]
) -> AsyncIterator[None]:
    """Writes what is in the queue; leaving ends the call.

    Raises `AgentAwayError`, also for a lost host, and `AgentRefusedError`.
    """
    writing = asyncio.create_task(_write(call, inputs))
    try:
        yield
    except grpc.aio.AioRpcError as error:
        raise explained(error) from error
    finally:
        writing.cancel()
        call.cancel()
        await asyncio.gather(writing, return_exceptions=True)


async def _write(
    call: "grpc.aio.StreamStreamCall[Input, Event]", inputs: asyncio.Queue[Input]
) -> None:
    # A call that broke tells why where it is read.
    while True:
        await call.write(await inputs.get())
