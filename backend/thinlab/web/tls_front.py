"""The listener that speaks TLS, and tells whoever comes without it where to go.

A connection's first byte says which it is. It is looked at and not taken, so that the
handshake finds it. Only then does a connection cost more than its socket.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import errno
import logging
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from html import escape
from itertools import count

from thinlab.origin import Origin, OriginError
from thinlab.throttle.caller import Caller
from thinlab.web.doors import Doors

log = logging.getLogger(__name__)

HANDSHAKE = b"\x16"
PATIENCE_S = 10.0
HEAD_LIMIT_BYTES = 16_384
# Whoever says nothing holds a descriptor: no more of them than leave enough for those who speak.
# Beyond, whoever holds most loses the one that has waited longest: who comes now gets in.
WAITING_LIMIT = 256
FULL_PAUSE_S = 0.1
OUT_OF_DESCRIPTORS = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


class TlsFront:
    """Takes connections until it is closed; for uvicorn, one of its servers."""

    def __init__(
        self,
        listener: socket.socket,
        context: ssl.SSLContext,
        make: Callable[[], asyncio.Protocol],
        doors: Doors,
    ) -> None:
        """`make`: the protocol of a connection that speaks TLS; `doors`: those behind."""
        listener.setblocking(False)
        self.sockets = [listener]
        self._context = context
        self._make = make
        self._doors = doors.of_those_waiting(WAITING_LIMIT)
        self._numbers = count()
        self._waiting: set[asyncio.Task[bool]] = set()
        self._accepting = asyncio.create_task(self._accept(listener))

    def close(self) -> None:
        """Takes no more."""
        for task in (self._accepting, *self._waiting):
            task.cancel()
        for listener in self.sockets:
            listener.close()

    async def wait_closed(self) -> None:
        """Once nobody is being let in any more."""
        await asyncio.gather(self._accepting, *self._waiting, return_exceptions=True)

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, peer = await loop.sock_accept(listener)
            except OSError as error:
                if error.errno not in OUT_OF_DESCRIPTORS:
                    log.warning("a connection was not taken: %s", error.strerror)
                await asyncio.sleep(FULL_PAUSE_S)
                continue
            caller = self._doors.caller_of(peer[0], loop.time())
            if self._doors.enter(caller):
                self._wait_for(connection, caller)
            else:
                connection.close()

    def _wait_for(self, connection: socket.socket, caller: Caller) -> None:
        number = next(self._numbers)
        task = asyncio.create_task(self._let_in(connection))
        self._waiting.add(task)

        def leave() -> None:
            # Its place is free at once, and not when it has ended: many may come before its turn.
            if task in self._waiting:
                self._waiting.discard(task)
                self._doors.leave(caller, number)
            task.cancel()

        def ended(_: asyncio.Task[bool]) -> None:
            leave()
            # Here and not in the task: one that has to go before it began does nothing at all.
            if task.cancelled() or not task.result():
                connection.close()

        self._doors.idle(caller, number, leave)
        task.add_done_callback(ended)

    async def _let_in(self, connection: socket.socket) -> bool:
        """Whether it speaks TLS, and has been taken."""
        loop = asyncio.get_running_loop()
        try:
            connection.setblocking(False)
            async with asyncio.timeout(PATIENCE_S):
                first = await _first_byte(connection)
                if first == HANDSHAKE:
                    await loop.connect_accepted_socket(self._make, connection, ssl=self._context)
                    return True
                if first:
                    await _send_elsewhere(connection)
        except (OSError, ssl.SSLError, TimeoutError):
            # They have gone, or speak something else.
            return False
        return False


async def _first_byte(connection: socket.socket) -> bytes:
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(connection, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(connection)
    return connection.recv(1, socket.MSG_PEEK)


async def _send_elsewhere(connection: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    head = b""
    while b"\r\n\r\n" not in head and len(head) < HEAD_LIMIT_BYTES:
        more = await loop.sock_recv(connection, 4096)
        if not more:
            return
        head += more
    await loop.sock_sendall(connection, elsewhere(head, connection.getsockname()))
    with suppress(OSError):
        connection.shutdown(socket.SHUT_WR)


def elsewhere(head: bytes, local: tuple[str, int]) -> bytes:
    """What a request without encryption is answered: the same address with it."""
    request, *lines = head.decode("latin-1").split("\r\n")
    method, _, target = request.partition(" ")
    path = target.partition(" ")[0]
    named = [line.partition(":")[2].strip() for line in lines if line.lower().startswith("host:")]
    origin = _encrypted(named[0] if named else "", local)
    safe_path = path if path.startswith("/") and path.isascii() and path.isprintable() else "/"
    address = f"{origin}{safe_path}"
    # What would act may carry a secret, which should not be sent again without a thought.
    status = "307 Temporary Redirect" if method in {"GET", "HEAD"} else "403 Forbidden"
    body = (
        f"<!doctype html><title>Thinlab</title><p>This server speaks HTTPS only: "
        f'<a href="{escape(address)}">{escape(address)}</a>.</p>\n'
    ).encode()
    headers = [
        f"HTTP/1.1 {status}",
        *([f"Location: {address}"] if status.startswith("307") else []),
        "Content-Type: text/html; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Connection: close",
    ]
    answer = "\r\n".join(headers).encode() + b"\r\n\r\n"
    return answer if method == "HEAD" else answer + body


def _encrypted(host: str, local: tuple[str, int]) -> Origin:
    try:
        asked = Origin.parse(f"http://{host}")
    except OriginError:
        return Origin("https", local[0], local[1])
    # By another port came who was forwarded: the same port forwards this, too.
    return Origin("https", asked.host, asked.port)
