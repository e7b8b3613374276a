"""uvicorn's two protocols, with bounds: on heads, on time, on frames, on what nobody reads.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import weakref
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from thinlab.throttle.rate import Rate
from thinlab.throttle.turns import Turns
from thinlab.web.demo_deflate import Sockets
from thinlab.web.doors import Doors
from thinlab.web.throttle import GONE_KEY

if TYPE_CHECKING:
    from collections.abc import Callable

# A browser sends the head of a request at once.
HEAD_PATIENCE_S = 10.0
HEAD_LIMIT_BYTES = 32 * 1024
HEAD_LINES_LIMIT = 100
# No browser asks for anything before it has the answer to what it asked on the same connection.
PIPELINE_LIMIT = 4
# Over any line that a study could be taken part in, some of 64 KB is taken by then.
UNREAD_PATIENCE_S = 30.0
# Of one connection, while others have their turn.
UNREAD_BYTES = 16 * 1024
# What a page of any kind sends, and then some.
SOCKET_FRAMES_A_SECOND, SOCKET_FRAMES_AT_ONCE = 400.0, 3000.0
SOCKET_BYTES_A_SECOND, SOCKET_BYTES_AT_ONCE = 512.0 * 1024, 2048.0 * 1024
# Some hundred of the shortest frames, a few milliseconds: then it is others' turn.
PIECE_BYTES = 2048

FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-type: text/plain; charset=utf-8\r\ncontent-length: 40\r\n\r\n"
    b"Too many connections. Try again shortly."
)

# What strangers send fills no log: warnings tell of nothing else here.
_log = logging.getLogger("thinlab.web.http")
_log.setLevel(logging.ERROR)
_numbers = count()


class BoundedConfig(uvicorn.Config):
    """uvicorn's, with the doors of this server and the turns of what comes through them."""

    def __init__(self, app: Any, doors: Doors, **other: Any) -> None:  # noqa: ANN401 (uvicorn's)
        super().__init__(app, http=Requests, ws=BoundedSockets, **other)
        self.doors = doors
        self.turns = Turns()


class _ReadProtocol(asyncio.Protocol):
    """Closes a connection whose other side has stopped reading."""

    transport: asyncio.Transport
    _late_reader: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """As its base."""
        super().pause_writing()
        loop = asyncio.get_running_loop()
        self._late_reader = loop.call_later(UNREAD_PATIENCE_S, self.transport.abort)

    def resume_writing(self) -> None:
        """As its base."""
        super().resume_writing()
        self._goes_on_reading()

    def _goes_on_reading(self) -> None:
        if self._late_reader is not None:
            self._late_reader.cancel()
            self._late_reader = None


class Requests(_ReadProtocol, HttpToolsProtocol):
    """One connection's requests."""

    config: BoundedConfig

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 (uvicorn's)
        super().__init__(*args, **options)
        self.logger = _log
        self._doors = self.config.doors
        self._number = next(_numbers)
        self._inside = False
        self._upgraded = False
        self._running: RequestResponseCycle | None = None
        self._head_bytes = 0
        self._unread: list[bytes] = []
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """As its base."""
        super().connection_made(transport)
        peer = self.client[0] if self.client else None
        self._caller = self._doors.caller_of(peer, self.loop.time())
        self._inside = self._doors.enter(self._caller)
        if self._inside:
            self._waits()
        else:
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """As its base, when it is its turn."""
        self._unread.clear()
        self._nobody_waits()
        self._left()
        self.config.turns.add(partial(super().connection_lost, exc))

    def _left(self) -> None:
        self._head_is_there()
        self._goes_on_reading()
        if self._inside:
            self._inside = False
            self._doors.leave(self._caller, self._number)

    def _waits(self) -> None:
        """Nothing is being asked: it may be closed for another."""
        self._doors.idle(self._caller, self._number, self.transport.abort)
        self._head_bytes = 0
        self._late = self.loop.call_later(HEAD_PATIENCE_S, self.transport.abort)

    def _head_is_there(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def data_received(self, data: bytes) -> None:
        """As its base, when it is its turn; what is much is not added to until then."""
        # The time for a next request is not over for one that waits for its turn.
        self._unset_keepalive_if_required()
        if self._unread or len(data) > UNREAD_BYTES:
            self.flow.pause_reading()
        self._unread.append(data)
        if len(self._unread) == 1:
            self.config.turns.add(self._take)

    def _take(self) -> None:
        data = b"".join(self._unread)
        self._unread.clear()
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        self._head_bytes += len(data)
        try:
            super().data_received(data)
        except Exception:
            # As the transport would, that calls us no longer by itself.
            self.transport.abort()
            raise
        if self._late is not None and self._head_bytes > HEAD_LIMIT_BYTES:
            self.send_400_response("The head of this request is too long.")

    def on_header(self, name: bytes, value: bytes) -> None:
        """As its base."""
        if len(self.headers) >= HEAD_LINES_LIMIT:
            raise ValueError("too many lines in the head of one request")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """As its base."""
        if len(self.pipeline) >= PIPELINE_LIMIT:
            raise ValueError("too many requests at once on one connection")
        self._head_is_there()
        self._doors.asked(self._caller, self._number)
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """As its base; what is being answered meanwhile is nobody's any more."""
        super().send_400_response(msg)
        self._nobody_waits()

    def _nobody_waits(self) -> None:
        if self._running is not None:
            self._running.disconnected = True

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:  # noqa: ANN401 (uvicorn's)
        self._running = cycle
        # Else each would hold itself: scope, function, cycle, scope.
        known = weakref.ref(cycle)
        scope = cast("dict[str, Any]", cycle.scope)
        scope[GONE_KEY] = lambda: (still := known()) is None or still.disconnected
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        """As its base."""
        super().on_response_complete()
        if self._inside and not self.pipeline and not self.transport.is_closing():
            self._head_is_there()
            self._waits()

    def handle_websocket_upgrade(self) -> None:
        """As its base; the socket is one of the connections until it is closed."""
        self._head_is_there()
        self._doors.asked(self._caller, self._number)
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, BoundedSockets):
            protocol.on_lost = self._left


class BoundedSockets(_ReadProtocol, Sockets):
    """A WebSocket that takes turns with everybody else, and closes on who sends too much."""

    config: BoundedConfig

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 (uvicorn's)
        super().__init__(*args, **options)
        self.on_lost: Callable[[], None] = lambda: None
        self._frames = Rate(SOCKET_FRAMES_A_SECOND, SOCKET_FRAMES_AT_ONCE)
        self._bytes = Rate(SOCKET_BYTES_A_SECOND, SOCKET_BYTES_AT_ONCE)
        self._unread = b""

    def connection_lost(self, exc: Exception | None) -> None:
        """As its base."""
        self._unread = b""
        self._goes_on_reading()
        self.on_lost()
        # Nothing is written to it any more, though its base hears of the loss later.
        self.disconnected = self.close_sent = True
        self.config.turns.add(partial(super().connection_lost, exc))

    def data_received(self, data: bytes) -> None:
        """As its base, a piece at a time."""
        if self.transport.is_closing():
            return
        if not self._bytes.allows(self.loop.time(), len(data)):
            self.transport.abort()
            return
        waits = bool(self._unread)
        self._unread += data
        if not waits:
            self._take()

    def _take(self) -> None:
        piece, self._unread = self._unread[:PIECE_BYTES], self._unread[PIECE_BYTES:]
        if piece and not self.transport.is_closing():
            super().data_received(piece)
            if self.conn.handshake_exc is not None:
                # Its base hears of no request, and would leave it without an answer for ever.
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.transport.close()
            elif self._unread:
                self.loop.call_soon(self._take)

    def handle_events(self) -> None:
        """As its base."""
        if self.conn.events and not self._frames.allows(self.loop.time(), len(self.conn.events)):
            self.transport.abort()
            return
        super().handle_events()
