"""The researcher's session cookie, and who may use the routes behind it.

Threats: a page elsewhere that makes the researcher's browser act (SameSite,
and Fetch Metadata checked), a script that reads the session (HttpOnly), a
leaked database (only the token's hash is stored).

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import Depends, Request, Response
from fastapi.requests import HTTPConnection

from thinlab.researcher import audit, sessions
from thinlab.researcher.audit import Act
from thinlab.researcher.sessions import Role
from thinlab.web.own_origin import cross_site
from thinlab.web.problems import ProblemError
from thinlab.web.services import Here, Services
from thinlab.web.session_cookie import SessionCookie
from thinlab.web.throttle import found_somebody

COOKIE = SessionCookie("researcher")
# A header of pages that ask by themselves, in a tab that somebody has forgotten.
UNTOUCHED = "thinlab-untouched"


async def signed_in(here: Here, request: Request) -> bool:
    """Whether the request carries a live researcher session."""
    live = await is_live(here, Role.RESEARCHER, COOKIE.read(request), request)
    if live:
        found_somebody()
    return live


async def is_live(here: Services, role: Role, token: str | None, request: HTTPConnection) -> bool:
    """Whether a cookie's session lives; a page that nobody touches does not keep it alive."""
    if not token:
        return False
    in_use = UNTOUCHED not in request.headers
    async with here.database.transaction() as session:
        return await sessions.is_live(session, role, token, in_use=in_use)


async def require_researcher(researcher: Annotated[bool, Depends(signed_in)]) -> None:
    """Lets only a signed-in researcher through."""
    if not researcher:
        raise ProblemError(401, "sign-in", "Sign in first.", remedy="Open /researcher.")


async def same_origin(request: Request) -> None:
    """Refuses what another site's page asks to read; what would act, `OwnOrigin` stops."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    if site not in {"same-origin", "none"}:
        raise cross_site()


def set_cookie(response: Response, token: str, request: Request) -> Response:
    """Puts the session into the browser."""
    COOKIE.put(response, token, request, sessions.LONGEST[Role.RESEARCHER])
    return response


async def end_session(
    cookie: SessionCookie, role: Role, request: Request, here: Services, act: Act | None = None
) -> Response:
    """Ends this browser's session, and takes its cookie away; `act` goes on record if it did."""
    token = cookie.read(request)
    if token:
        async with here.database.transaction() as session:
            ended = await sessions.end(session, role, token)
            if ended and act is not None:
                await audit.enter(session, act)
    response = Response(status_code=204)
    cookie.take_away(response, request)
    return response


def forget_cookie(response: Response, request: Request) -> Response:
    """Takes the session out of the browser."""
    COOKIE.take_away(response, request)
    return response
