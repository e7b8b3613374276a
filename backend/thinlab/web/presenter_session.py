"""Who may use the demos' routes: the researcher, and whoever came by the presenter's token.

The token is in the address that `thinlab run` prints. It ends after a day and opens nothing
but demos: a presenter can be given that address without reaching any study. A browser
exchanges it for a session of its own, so that it does not stay in an address.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.requests import HTTPConnection

from thinlab.researcher import sessions
from thinlab.researcher.sessions import Role
from thinlab.web.problems import ProblemError
from thinlab.web.researcher_session import COOKIE as RESEARCHER_COOKIE
from thinlab.web.researcher_session import is_live, signed_in
from thinlab.web.services import Here, Services
from thinlab.web.session_cookie import SessionCookie

COOKIE = SessionCookie("presenter")


async def may_present(
    here: Here, request: Request, researcher: Annotated[bool, Depends(signed_in)]
) -> bool:
    """Whether the request carries either session."""
    return researcher or await is_live(here, Role.PRESENTER, COOKIE.read(request), request)


async def require_presenter(allowed: Annotated[bool, Depends(may_present)]) -> None:
    """Lets only a presenter through."""
    if not allowed:
        raise ProblemError(
            401,
            "present",
            "Only a presenter may do this.",
            remedy="Open the demo's address as printed at start, or sign in at /researcher.",
        )


async def socket_may_present(connection: HTTPConnection, here: Services, *, in_use: bool) -> bool:
    """The same for a WebSocket; `in_use`: somebody has done something there."""
    async with here.database.transaction() as session:
        for role, cookie in ((Role.PRESENTER, COOKIE), (Role.RESEARCHER, RESEARCHER_COOKIE)):
            if await sessions.is_live(session, role, cookie.read(connection), in_use=in_use):
                return True
    return False
