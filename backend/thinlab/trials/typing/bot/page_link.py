"""The page's side of a link: the same machine as the server's, and the page's duties around it.

It says hello until it is answered, answers probes at once, and opens another transport when the
one it has is lost or silent.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import time
from collections.abc import Callable

from thinlab.bots.kind import PartFailedError
from thinlab.live.link import Frame, Link
from thinlab.live.messages import (
    BrowserMessage,
    Hello,
    ProbeAnswer,
    Refused,
    ServerFrame,
    ServerMessage,
)
from thinlab.live.transport import Transport
from thinlab.trials.typing.bot.page_transport import Dial, DialError

HELLO_PAUSE_S = 0.2
# The server probes twice a second.
SILENCE_LIMIT_S = 3.0
REDIAL_PAUSE_S = 0.5
# As long as a person looks at “reconnecting” before giving up.
REDIALS = 120


class LinkRefusedError(PartFailedError):
    """The server does not open the link, or has ended it."""

    def __init__(self, code: str) -> None:
        super().__init__(f"the link was refused: {code}")
        self.code = code


def page_clock_us() -> int:
    """µs since 1970, as `performance.timeOrigin` and an event's `timeStamp` make them."""
    return time.time_ns() // 1000


class PageLink:
    """One link, from its first hello to its close."""

    def __init__(
        self, hello: Hello, dial: Dial, hear: Callable[[ServerMessage, int], None]
    ) -> None:
        """`hear` is told each message of the server's, and when it came."""
        self._hello = hello
        self._dial = dial
        self._hear = hear
        self._link: Link[ServerMessage] = Link()
        self._loop = asyncio.get_running_loop()
        self._transport: Transport | None = None
        self._greeting = True
        self._heard_at = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._lost = asyncio.Event()
        self.transports = 0
        self.refused: asyncio.Future[None] = self._loop.create_future()

    async def run(self) -> None:
        """Keeps a transport open until cancelled. Raises `LinkRefusedError`, `DialError`."""
        try:
            while True:
                await self._open()
                looking = asyncio.create_task(self._until_lost())
                await asyncio.wait((looking, self.refused), return_when=asyncio.FIRST_COMPLETED)
                looking.cancel()
                if self.refused.done():
                    self.refused.result()
        finally:
            self.close()

    async def _open(self) -> None:
        transport = await self._dialled()
        self._lost.clear()
        self._transport, self._greeting = transport, True
        self._heard_at = self._loop.time()
        self.transports += 1
        self._link.attach(reliable=transport.reliable)
        transport.receiver = self
        self._flush()

    async def _dialled(self) -> Transport:
        for _ in range(REDIALS - 1):
            try:
                return await self._dial()
            except DialError:
                await asyncio.sleep(REDIAL_PAUSE_S)
        return await self._dial()

    async def _until_lost(self) -> None:
        while not self._lost.is_set():
            if self._greeting:
                self._write(self._link.pure())
            try:
                async with asyncio.timeout(HELLO_PAUSE_S):
                    await self._lost.wait()
            except TimeoutError:
                if self._loop.time() - self._heard_at > SILENCE_LIMIT_S:
                    self.drop()

    def drop(self) -> None:
        """Loses the transport, as networks do."""
        if self._transport is not None:
            self._transport.close()

    def close(self) -> None:
        """Ends the link."""
        if self._timer is not None:
            self._timer.cancel()
        self.drop()

    def send(self, message: BrowserMessage) -> None:
        """Sends a message, now or over the next transport."""
        self._link.send(message.model_dump_json())
        self._flush()

    def receive(self, transport: Transport, text: str) -> None:
        """A frame came."""
        at_us = page_clock_us()
        if transport is not self._transport:
            return
        self._heard_at = self._loop.time()
        frame = ServerFrame.model_validate_json(text)
        self._greeting = False
        if isinstance(frame.opening, Refused):
            if not self.refused.done():
                self.refused.set_exception(LinkRefusedError(frame.opening.code.value))
            return
        self._hello = self._hello.model_copy(update={"resumes": True})
        if frame.probe is not None:
            answer = ProbeAnswer(
                number=frame.probe.number, server_us=frame.probe.server_us, at_us=at_us
            )
            self._write(self._link.pure(), answer)
        for message in self._link.receive(
            frame.ack, frame.first, frame.messages, self._loop.time()
        ):
            self._hear(message, at_us)
        self._flush()

    def room(self, transport: Transport) -> None:
        """The transport is full no more."""
        if transport is self._transport:
            self._flush()

    def lost(self, transport: Transport) -> None:
        """The transport has closed."""
        if transport is self._transport:
            self._transport = None
            self._link.detach()
            self._lost.set()

    def _flush(self) -> None:
        full = self._transport is not None and self._transport.full
        if not full:
            for frame in self._link.frames(self._loop.time()):
                self._write(frame)
        if self._timer is not None:
            self._timer.cancel()
        due_at = None if full else self._link.due_at()
        self._timer = None if due_at is None else self._loop.call_at(due_at, self._flush)

    def _write(self, frame: Frame, answer: ProbeAnswer | None = None) -> None:
        if self._transport is None:
            return
        # The messages are JSON already.
        parts = [f'"ack":{frame.ack},"first":{frame.first}']
        parts.append(f'"messages":[{",".join(frame.messages)}]')
        if self._greeting:
            parts.append(f'"opening":{self._hello.model_dump_json()}')
        if answer is not None:
            parts.append(f'"answers":[{answer.model_dump_json()}]')
        self._transport.send("{" + ",".join(parts) + "}")
