"""A console and a page of the audience, as programs over real WebSockets.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.running.thinlab_process import PATIENCE_S
from thinlab.demo.audience_message import AudienceMessage
from thinlab.demo.command import ConsoleMessage

Message = dict[str, Any]


class Page:
    """One socket; everything that came is kept, and is what the contract says."""

    contract: type[ConsoleMessage] | type[AudienceMessage] = ConsoleMessage

    def __init__(self, address: str, *, cookie: str | None = None) -> None:
        self.address = address.replace("http", "ws", 1)
        self.headers = {} if cookie is None else {"Cookie": cookie}
        self.listener = str(uuid.uuid4())
        self.came: list[Message] = []
        self.closed: tuple[int, str] | None = None
        self._news = asyncio.Condition()
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._numbers = 0

    async def open(self, path: str, *, hello: bool = True) -> None:
        """Connects, and says hello."""
        self.closed = None
        self._socket = await connect(
            self.address + path, additional_headers=self.headers, max_size=None, proxy=None
        )
        self._reading = asyncio.create_task(self._read(self._socket))
        if hello:
            await self.say(do="hello", listener=self.listener)

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for text in socket:
                message = json.loads(text)
                self.contract.model_validate(message)
                async with self._news:
                    self.came.append(message)
                    self._news.notify_all()
        async with self._news:
            self.closed = (socket.close_code or 0, socket.close_reason or "")
            self._news.notify_all()

    async def say(self, **message: Any) -> int:  # noqa: ANN401 (any field)
        """Sends a message; its number."""
        assert self._socket is not None
        self._numbers += 1
        number = {"command": self._numbers} if self.contract is ConsoleMessage else {}
        await self._socket.send(json.dumps(number | message))
        return self._numbers

    async def say_raw(self, text: str) -> None:
        """Sends just this."""
        assert self._socket is not None
        await self._socket.send(text)

    async def until(self, wanted: Callable[[Message], bool], since: int = 0) -> Message:
        """The first message like this, come or to come."""

        def found() -> Message | None:
            return next((one for one in self.came[since:] if wanted(one)), None)

        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(lambda: found() is not None or self.closed is not None)
        message = found()
        assert message is not None, f"closed with {self.closed}"
        return message

    async def state(self, since: int = 0, **wanted: Any) -> Message:  # noqa: ANN401
        """The first state with these values."""
        return await self.until(
            lambda one: (
                one["type"] == "state" and all(one[name] == value for name, value in wanted.items())
            ),
            since,
        )

    def last(self, kind: str) -> Message:
        """The newest message of a kind."""
        return next(one for one in reversed(self.came) if one["type"] == kind)

    def all(self, kind: str) -> list[Message]:
        """All of a kind."""
        return [one for one in self.came if one["type"] == kind]

    async def sent_away(self) -> tuple[int, str]:
        """Code and reason, once the server has closed it."""
        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(lambda: self.closed is not None)
        assert self.closed is not None
        return self.closed

    async def close(self) -> None:
        """Leaves."""
        if self._socket is not None:
            await self._socket.close()
        if self._reading is not None:
            await self._reading


class ConsolePage(Page):
    """A presenter's."""

    async def do(self, do: str, **fields: Any) -> Message:  # noqa: ANN401
        """Gives a command; the answer."""
        number = await self.say(do=do, **fields)
        return await self.until(
            lambda one: one["type"] in {"done", "refused"} and one["command"] == number
        )


class AudiencePage(Page):
    """A phone's."""

    contract = AudienceMessage
