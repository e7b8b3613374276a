"""Headers of every response, and the limit of every request's body.

The same for all: what a response says about itself must not depend on what a
token stands for. No third party is ever asked, no address is kept.

SPDX-License-Identifier: Apache-2.0
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thinlab.web.problems import ProblemError

BODY_LIMIT_BYTES = 256 * 1024

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
_ENCODED = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Guard:
    """Adds the headers and stops a body that is too long, before any route sees it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_ENCODED]
            await send(message)

        body = await _body_within_limit(scope, receive)
        if body is None:
            await _too_long().response()(scope, receive, guarded)
            return
        await self.app(scope, _replay(body, receive), guarded)


async def _body_within_limit(scope: Scope, receive: Receive) -> bytes | None:
    """The whole body; none when it is longer than the limit, declared or not."""
    if scope["method"] in {"GET", "HEAD", "DELETE", "OPTIONS"}:
        return b""
    declared = dict(scope["headers"]).get(b"content-length", b"0")
    if not declared.isdigit() or int(declared) > BODY_LIMIT_BYTES:
        return None
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > BODY_LIMIT_BYTES:
            return None
        if not message.get("more_body", False):
            return bytes(body)


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
        detail=f"At most {BODY_LIMIT_BYTES} bytes are taken.",
    )
