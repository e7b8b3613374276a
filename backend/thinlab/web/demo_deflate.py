"""Compression of a demo's WebSockets, and of no others: once a message, not once a page.

A typing session's frames are never compressed, as their length would tell of their content.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import NegotiationError
from websockets.extensions.base import Extension
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.typing import ExtensionParameter

from thinlab.demo.deflated import deflated

PATHS = ("/api/demos/", "/api/audience/")
WHOLE_WINDOW_BITS = 15
# Shorter ones fit a packet as they are.
SHORTEST_BYTES = 200


class SharedDeflate(PerMessageDeflate):
    """Sends what was compressed for all."""

    def encode(self, frame: Frame) -> Frame:
        """As its base."""
        if frame.opcode is not Opcode.TEXT or len(frame.data) < SHORTEST_BYTES:
            return frame
        # The server sends no message in parts.
        return Frame(frame.opcode, deflated(bytes(frame.data)), frame.fin, rsv1=True)


class SharedDeflateFactory(ServerPerMessageDeflateFactory):
    """Agrees where a page can read what is compressed for all, as every browser can."""

    def __init__(self) -> None:
        # Neither side remembers anything from message to message.
        super().__init__(server_no_context_takeover=True, client_no_context_takeover=True)

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """As its base."""
        answer, agreed = super().process_request_params(params, accepted_extensions)
        if agreed.local_max_window_bits != WHOLE_WINDOW_BITS:
            raise NegotiationError("what is sent is compressed for all, with the whole window")
        return answer, SharedDeflate(
            agreed.remote_no_context_takeover,
            agreed.local_no_context_takeover,
            agreed.remote_max_window_bits,
            agreed.local_max_window_bits,
        )


class Sockets(WebSocketsSansIOProtocol):
    """uvicorn's, with compression for pages that watch a demo."""

    def handle_connect(self, event: Request) -> None:
        """As its base."""
        if event.path.startswith(PATHS):
            self.conn.available_extensions = [SharedDeflateFactory()]
        super().handle_connect(event)
