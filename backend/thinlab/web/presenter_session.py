"""Who may use the demos' routes: the researcher, and whoever holds the presenter's token.

The token is in the address that `thinlab run` prints. It lives in memory only,
is another at each start, and opens nothing but demos: a presenter can be given
that address, and a projector may show it, without anybody reaching a study.
A browser exchanges it for a cookie, so that it does not stay in an address.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import Cookie, Depends, Request, Response
from fastapi.requests import HTTPConnection

from thinlab.researcher import account
from thinlab.web.problems import ProblemError
from thinlab.web.researcher_session import COOKIE as RESEARCHER_COOKIE
from thinlab.web.researcher_session import signed_in
from thinlab.web.services import Here, Services

COOKIE = "presenter"


async def may_present(
    here: Here,
    researcher: Annotated[bool, Depends(signed_in)],
    presenter: Annotated[str | None, Cookie(include_in_schema=False)] = None,
) -> bool:
    """Whether the request carries either session."""
    return researcher or here.presenter.is_cookie(presenter)


async def require_presenter(allowed: Annotated[bool, Depends(may_present)]) -> None:
    """Lets only a presenter through."""
    if not allowed:
        raise ProblemError(
            401,
            "present",
            "Only a presenter may do this.",
            remedy="Open the demo's address as printed at start, or sign in at /researcher.",
        )


async def socket_may_present(connection: HTTPConnection, here: Services) -> bool:
    """The same for a WebSocket."""
    if here.presenter.is_cookie(connection.cookies.get(COOKIE)):
        return True
    token = connection.cookies.get(RESEARCHER_COOKIE)
    if not token:
        return False
    async with here.database.transaction() as session:
        return await account.session_is_live(session, token)


def set_presenter_cookie(response: Response, here: Services, request: Request) -> None:
    """Puts the session into the browser, out of reach of scripts; until the browser is closed."""
    response.set_cookie(
        COOKIE,
        here.presenter.cookie,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/api",
    )
