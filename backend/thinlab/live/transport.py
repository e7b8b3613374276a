"""What carries a link's frames: a data channel or a WebSocket.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from typing import Literal, Protocol

from thinlab.throttle.caller import NOBODY, Caller

TransportKind = Literal["webrtc", "websocket"]
FRAME_LIMIT_BYTES = 64 * 1024


class Receiver(Protocol):
    """Who is told what a transport brings."""

    def receive(self, transport: "Transport", text: str) -> None:
        """A frame came."""

    def lost(self, transport: "Transport") -> None:
        """The transport has closed, whoever closed it; told once."""

    def room(self, transport: "Transport") -> None:
        """A transport that was full is no more."""


class Transport:
    """A transport that is open; its maker says how to send and how to close."""

    def __init__(
        self,
        kind: TransportKind,
        send: Callable[[str], None],
        close: Callable[[], None],
        is_full: Callable[[], bool] = lambda: False,
        caller: Caller = NOBODY,
    ) -> None:
        self.kind: TransportKind = kind
        self.caller = caller
        self.receiver: Receiver | None = None
        self._send = send
        self._close = close
        self._is_full = is_full
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether it is."""
        return self._closed

    @property
    def reliable(self) -> bool:
        """Whether what is sent arrives, in order, as long as the transport is open."""
        return self.kind == "websocket"

    @property
    def full(self) -> bool:
        """Whether what is sent now would wait behind what waits already."""
        return not self._closed and self._is_full()

    def send(self, text: str) -> None:
        """Sends a frame at once; a closed transport takes it to nowhere."""
        if not self._closed:
            self._send(text)

    def arrived(self, text: str) -> None:
        """For the maker: a frame came."""
        if not self._closed and self.receiver is not None:
            self.receiver.receive(self, text)

    def emptied(self) -> None:
        """For the maker: it was full, and is no more."""
        if not self._closed and self.receiver is not None:
            self.receiver.room(self)

    def close(self) -> None:
        """Closes it; the receiver is told."""
        if not self._closed:
            self._close()
            self.ended()

    def ended(self) -> None:
        """For the maker: it has closed."""
        if not self._closed:
            self._closed = True
            if self.receiver is not None:
                self.receiver.lost(self)
