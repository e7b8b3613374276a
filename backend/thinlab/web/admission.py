"""Lets requests in, a few at a time and round the networks; sockets while there is room.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thinlab.throttle.caller import Caller
from thinlab.throttle.turnstile import BusyError
from thinlab.web.problems import ProblemError
from thinlab.web.throttle import FOUND, GONE_KEY, SCOPE_KEY, Found, Throttle, busy

if TYPE_CHECKING:
    from thinlab.web.services import Services

# It waits in a line of its own: hashing a password takes long (researcher/account.py).
WITHOUT_TURN = ("POST", "/api/researcher/session")
RESEARCHERS = "/api/researcher/"
AUDIENCES = "/api/audience/"
OPEN_TO_ALL = "/api/researcher/state"
# Whoever is told "not now" waits for that, too: else a flood could ask the faster.
TELLING_PAUSE_S = 1.0
TOO_MANY = 429


class Admission:
    """Between the limits of a request's form and the routes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        here: Services = scope["app"].state.services
        caller = scope[SCOPE_KEY] = here.throttle.caller_of(scope)
        if scope["type"] == "websocket":
            await self._socket(here.throttle, caller, scope, receive, send)
        elif (scope["method"], scope["path"]) == WITHOUT_TURN:
            await self.app(scope, receive, _unhurried(send))
        else:
            try:
                if _joins(scope):
                    async with here.throttle.turn_to_join(caller):
                        await self._request(here.throttle, caller, scope, receive, send)
                else:
                    await self._request(here.throttle, caller, scope, receive, send)
            except BusyError:
                await _tell(busy(), scope, receive, send)
            except ProblemError as problem:
                await _tell(problem, scope, receive, send)

    async def _socket(
        self, throttle: Throttle, caller: Caller, scope: Scope, receive: Receive, send: Send
    ) -> None:
        audience = scope["path"].startswith(AUDIENCES)
        if not throttle.opens_socket(caller, audience=audience):
            await _tell(busy(), scope, receive, send)
            return
        try:
            await self.app(scope, receive, send)
        finally:
            throttle.closes_socket(caller, audience=audience)

    async def _request(
        self, throttle: Throttle, caller: Caller, scope: Scope, receive: Receive, send: Send
    ) -> None:
        credential = _credential(scope)
        await throttle.requests.enter(caller, throttle.line_of(credential))
        inside = True
        found = Found()
        FOUND.set(found)

        def leave() -> None:
            nonlocal inside
            if inside:
                inside = False
                throttle.requests.leave()

        async def answered(message: Message) -> None:
            if message["type"] == "http.response.start":
                # Whoever reads slowly, or is told for hours, keeps nobody out.
                leave()
                if credential is not None and found.somebody:
                    throttle.knows(credential)
            await send(message)

        try:
            if not _has_gone(scope):
                await self.app(scope, receive, answered)
        finally:
            leave()


def _has_gone(scope: Scope) -> bool:
    """Whether nobody waits for the answer any more. What was not begun was not promised."""
    gone = scope.get(GONE_KEY)
    return gone is not None and gone()


def _joins(scope: Scope) -> bool:
    path: str = scope["path"]
    return (
        scope["method"] == "POST"
        and path.startswith("/api/studies/")
        and path.endswith(("/participants", "/arrivals"))
    )


async def _tell(problem: ProblemError, scope: Scope, receive: Receive, send: Send) -> None:
    await asyncio.sleep(TELLING_PAUSE_S)
    await problem.response()(scope, receive, send)


def _unhurried(send: Send) -> Send:
    async def told(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == TOO_MANY:
            await asyncio.sleep(TELLING_PAUSE_S)
        await send(message)

    return told


def _credential(scope: Scope) -> bytes | None:
    """What shows that a request is let in by somebody in particular."""
    of_researcher = scope["path"].startswith(RESEARCHERS) and scope["path"] != OPEN_TO_ALL
    wanted = b"cookie" if of_researcher else b"authorization"
    value: bytes | None = next((value for name, value in scope["headers"] if name == wanted), None)
    # One token may be sent behind many spellings of `Bearer`.
    return value and value.rpartition(b" ")[2]
