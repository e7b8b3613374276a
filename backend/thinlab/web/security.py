"""Headers of every response, and the limits of every request's body.

The same for all: what a response says about itself must not depend on what a
token stands for. No third party is ever asked, no address is kept.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thinlab.web.own_origin import is_secure
from thinlab.web.problems import ProblemError
from thinlab.web.throttle import busy

BODY_LIMIT_BYTES = 256 * 1024
# The longest takes 13 KB/s; a page has given up by then.
BODY_PATIENCE_S = 20.0
# Of all that are being read or wait for their turn.
BODIES_LIMIT_BYTES = 64 * 1024 * 1024

_POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)
CONTENT_SECURITY_POLICY = "; ".join(_POLICY)

HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "cross-origin-opener-policy": "same-origin",
    # With the one above: a clock fine enough to time players with.
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    # A demo's presenter may speak; other pages do not ask.
    "permissions-policy": "camera=(), geolocation=(), microphone=(self), payment=(), usb=()",
}
# Not for neighbours by name: they may be somebody else's.
STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")
_ENCODED = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """Adds the headers and stops a body that is too long or too slow, before any route sees it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._bodies_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = {name for name, _ in message["headers"]}
                # A document with a policy of its own has a stricter one.
                guards = [one for one in _ENCODED if one[0] not in said]
                headers = [*message["headers"], *guards, *_strict_transport(scope)]
                message["headers"] = [*headers, *_unstored(scope, headers)]
            await send(message)

        if scope["method"] in {"GET", "HEAD", "DELETE", "OPTIONS"}:
            await self.app(scope, _replay(b"", receive), guarded)
            return
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_PATIENCE_S):
                await self._read(body, scope, receive)
        except ClientDisconnect:
            # Nobody reads an answer, and a part of a body is nothing that anybody has sent.
            return
        except (ProblemError, TimeoutError) as error:
            problem = error if isinstance(error, ProblemError) else _too_slow()
            # What is still to come of the body is not read.
            problem.headers["Connection"] = "close"
            await problem.response()(scope, receive, guarded)
        else:
            await self.app(scope, _replay(bytes(body), receive), guarded)
        finally:
            self._bodies_bytes -= len(body)

    async def _read(self, body: bytearray, scope: Scope, receive: Receive) -> None:
        """The whole body.

        Raises `ProblemError` where it is too long, declared or not, and `ClientDisconnect` where
        it breaks off.
        """
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > BODY_LIMIT_BYTES:
            raise _too_long()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            part = message.get("body", b"")
            body += part
            self._bodies_bytes += len(part)
            if len(body) > BODY_LIMIT_BYTES:
                raise _too_long()
            if self._bodies_bytes > BODIES_LIMIT_BYTES:
                raise busy()
            more = message.get("more_body", False)


def _unstored(scope: Scope, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """What the interface answers is never kept, unless a route says otherwise."""
    if not scope["path"].startswith("/api/"):
        return []
    said = any(name == b"cache-control" for name, _ in headers)
    return [] if said else [(b"cache-control", b"no-store")]


def _strict_transport(scope: Scope) -> list[tuple[bytes, bytes]]:
    wanted = scope["app"].state.services.strict_transport and is_secure(HTTPConnection(scope))
    return [STRICT_TRANSPORT] if wanted else []


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _too_long() -> ProblemError:
    return ProblemError(
        413,
        "too-long",
        "The request's body is too long.",
        detail=f"At most {BODY_LIMIT_BYTES} bytes are accepted.",
    )


def _too_slow() -> ProblemError:
    return ProblemError(
        408,
        "too-slow",
        "The request's body took too long to arrive.",
        remedy="Send it again over a better connection.",
    )
