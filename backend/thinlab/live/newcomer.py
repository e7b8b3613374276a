"""A transport that was opened and has not been let in yet: its frames wait for the decision.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from pydantic import ValidationError

from thinlab.live.connection import Connection, now_us, refusal_frame
from thinlab.live.desk import RefusedError, refused
from thinlab.live.messages import BrowserFrame, Hello, RefusalCode
from thinlab.live.transport import Transport
from thinlab.throttle.caller import Caller

log = logging.getLogger(__name__)

HELLO_PATIENCE_S = 10.0
# A page repeats its hello a few times a second, and has little else to say before it is let in.
WAITING_LIMIT = 64

Admit = Callable[[Hello, "Newcomer"], Awaitable[None]]


class Newcomer:
    """Waits for the hello, then for the answer to it."""

    def __init__(self, transport: Transport, admit: Admit) -> None:
        self._transport = transport
        self._admit = admit
        self._waiting: list[tuple[BrowserFrame, int]] = []
        self._asking: asyncio.Task[None] | None = None
        self._late = asyncio.get_running_loop().call_later(HELLO_PATIENCE_S, transport.close)
        transport.receiver = self

    def receive(self, transport: Transport, text: str) -> None:
        """A frame came before the newcomer was let in."""
        try:
            frame = BrowserFrame.model_validate_json(text)
        except ValidationError:
            transport.close()
            return
        self._waiting.append((frame, now_us()))
        if len(self._waiting) > WAITING_LIMIT:
            # On a data channel the link sends again what is left out here; a socket was flooded.
            if transport.reliable:
                transport.close()
                return
            self._waiting.pop()
        if self._asking is None:
            if frame.opening is None:
                # A datagram may overtake the first hello; the next has it again.
                if transport.reliable:
                    transport.close()
                return
            self._asking = asyncio.create_task(self._ask(frame.opening))

    @property
    def caller(self) -> Caller:
        """From which network it comes."""
        return self._transport.caller

    @property
    def gone(self) -> bool:
        """Whether the transport has closed."""
        return self._transport.closed

    def room(self, transport: Transport) -> None:
        """Nothing waits before the newcomer is let in."""

    def lost(self, transport: Transport) -> None:
        """The transport has closed before it was let in."""
        del transport
        self._late.cancel()
        self._waiting.clear()

    def join(self, connection: Connection) -> None:
        """It is let in: its frames are the link's from now on."""
        self._late.cancel()
        connection.attach(self._transport)
        for frame, at_us in self._waiting:
            connection.take(self._transport, frame, at_us)
        self._waiting.clear()

    async def _ask(self, hello: Hello) -> None:
        try:
            await self._admit(hello, self)
        except RefusedError as error:
            self._transport.send(refusal_frame(error.refused))
            self._transport.close()
        except Exception:
            log.exception("a link could not be opened")
            self._transport.send(refusal_frame(refused(RefusalCode.UNAVAILABLE)))
            self._transport.close()
