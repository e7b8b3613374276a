"""A demo's page over a WebSocket: one reader, one writer, and how it is sent away.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import RootModel, ValidationError
from starlette.status import WS_1008_POLICY_VIOLATION, WS_1013_TRY_AGAIN_LATER
from starlette.websockets import WebSocket, WebSocketDisconnect

from thinlab.demo.watchers import Watcher
from thinlab.throttle.rate import Rate

NO_ACCESS = 4401
NOT_FOUND = 4404
ELSEWHERE = 4409
ENDED = 4410
HELLO_PATIENCE_S = 15.0

Asked = TypeVar("Asked", bound=RootModel[Any])


class SentAwayError(Exception):
    """The connection is closed, with a code and a remedy."""

    def __init__(self, code: int, remedy: str) -> None:
        super().__init__(remedy)
        self.code = code
        self.remedy = remedy


async def serve(connection: WebSocket, page: Callable[[WebSocket], Awaitable[None]]) -> None:
    """Accepts a page and runs it until either side closes."""
    # Only an accepted connection can be told why it is closed.
    await connection.accept()
    try:
        await page(connection)
    except SentAwayError as error:
        with suppress(RuntimeError, WebSocketDisconnect):
            await connection.close(error.code, error.remedy)
    except (WebSocketDisconnect, RuntimeError):
        # Gone while it was read from or written to.
        return


async def hello(connection: WebSocket, model: type[Asked]) -> Any:  # noqa: ANN401 (the root's type)
    """The first message, which has to be a hello. Raises `SentAwayError`."""
    try:
        async with asyncio.timeout(HELLO_PATIENCE_S):
            first = model.model_validate_json(await connection.receive_text()).root
    except (TimeoutError, ValidationError, KeyError) as error:
        raise SentAwayError(WS_1008_POLICY_VIOLATION, "Say hello first.") from error
    if first.do != "hello":
        raise SentAwayError(WS_1008_POLICY_VIOLATION, "Say hello first.")
    return first


async def run(
    connection: WebSocket,
    watcher: Watcher,
    rate: Rate,
    took: Callable[[str], Awaitable[None]],
) -> None:
    """Writes what the watcher is told, and hands on what comes. Raises `SentAwayError`."""
    writing = asyncio.create_task(_write(connection, watcher))
    reading = asyncio.create_task(_read(connection, rate, took))
    try:
        done, _ = await asyncio.wait((writing, reading), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in (writing, reading):
            task.cancel()
        await asyncio.gather(writing, reading, return_exceptions=True)


async def _write(connection: WebSocket, watcher: Watcher) -> None:
    while (text := await watcher.next()) is not None:
        await connection.send_text(text)
    if watcher.overflowed:
        raise SentAwayError(WS_1013_TRY_AGAIN_LATER, "The connection is too slow: try again.")
    if watcher.sent_away:
        raise SentAwayError(ELSEWHERE, "The demo is open in too many pages of this browser.")
    raise SentAwayError(ENDED, "The demo has ended.")


async def _read(connection: WebSocket, rate: Rate, took: Callable[[str], Awaitable[None]]) -> None:
    loop = asyncio.get_running_loop()
    while True:
        try:
            text = await connection.receive_text()
        except KeyError as error:
            raise SentAwayError(WS_1008_POLICY_VIOLATION, "Send text.") from error
        if not rate.allows(loop.time()):
            raise SentAwayError(WS_1008_POLICY_VIOLATION, "Too many messages at once.")
        await took(text)
