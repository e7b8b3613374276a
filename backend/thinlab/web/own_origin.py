"""Whether what is asked comes from a page of this server.

Threats: a page elsewhere that makes a visitor's browser act here (it cannot choose the
`Origin` that the browser sends with every unsafe request and every WebSocket), and a
page whose name is turned to this machine's address after it was loaded: with a public
origin configured, only that name, this machine's own and plain addresses are ours.
A request without `Origin` comes from no page: programs send none.

SPDX-License-Identifier: Apache-2.0
"""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from thinlab.machine import own_names
from thinlab.origin import Origin, OriginError, is_address, is_loopback
from thinlab.web.problems import ProblemError

if TYPE_CHECKING:
    from thinlab.web.services import Services

SAFE = {"GET", "HEAD", "OPTIONS", "TRACE"}
POLICY_VIOLATION = 1008


class OwnOrigin:
    """Lets nothing unsafe through that another site's page asks for."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        asks_to_act = scope["type"] == "websocket" or (
            scope["type"] == "http" and scope["method"] not in SAFE
        )
        if not asks_to_act or _is_own(HTTPConnection(scope)):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            await cross_site().response()(scope, receive, send)


def cross_site() -> ProblemError:
    """What another site's page is told."""
    return ProblemError(
        403,
        "cross-site",
        "This request comes from another site.",
        remedy="Ask from a page of this server. Behind a proxy, set THINLAB_PUBLIC_ORIGIN to the "
        "address that browsers show, and let the proxy pass Host on.",
    )


def is_secure(connection: HTTPConnection) -> bool:
    """Whether the browser's side of a connection is encrypted, here or by a proxy before us."""
    if connection.url.scheme in {"https", "wss"}:
        return True
    here: Services = connection.app.state.services
    public = here.public_origin
    if public is None or not public.is_secure:
        return False
    asked = (connection.headers.get("host"), connection.headers.get("origin"))
    return asked[0] == public.netloc or asked[1] == str(public)


def _is_own(connection: HTTPConnection) -> bool:
    said = connection.headers.get("origin")
    if said is None:
        return True
    here: Services = connection.app.state.services
    public = here.public_origin
    if public is not None and said == str(public):
        return True
    try:
        origin = Origin.parse(said)
    except OriginError:
        # `null`, above all: a page without an origin of its own.
        return False
    # What encrypts before us may speak plainly to us: the scheme is not compared.
    if urlsplit(said).netloc != connection.headers.get("host"):
        return False
    return public is None or origin.host == public.host or _stands_for_us_only(origin.host)


def _stands_for_us_only(host: str) -> bool:
    return is_address(host) or is_loopback(host) or host in own_names()
