"""The researcher's session cookie, and who may use the routes behind it.

Threats: a page elsewhere that makes the researcher's browser act (SameSite,
and Fetch Metadata checked), a script that reads the session (HttpOnly), a
leaked database (only the token's hash is stored).

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import Cookie, Depends, Request, Response

from thinlab.researcher import account
from thinlab.web.problems import ProblemError
from thinlab.web.services import Here

COOKIE = "researcher"


async def signed_in(
    here: Here, researcher: Annotated[str | None, Cookie(include_in_schema=False)] = None
) -> bool:
    """Whether the request carries a live researcher session."""
    if not researcher:
        return False
    async with here.database.transaction() as session:
        return await account.session_is_live(session, researcher)


async def require_researcher(researcher: Annotated[bool, Depends(signed_in)]) -> None:
    """Lets only a signed-in researcher through."""
    if not researcher:
        raise ProblemError(401, "sign-in", "Sign in first.", remedy="Open /researcher.")


async def same_origin(request: Request) -> None:
    """Refuses what another site's page asks for; browsers say so in Fetch Metadata."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    if site not in {"same-origin", "none"}:
        raise ProblemError(
            403,
            "cross-site",
            "This request comes from another site.",
            remedy="Ask from a page of this server.",
        )


def set_cookie(response: Response, token: str, request: Request) -> Response:
    """Puts the session into the browser, out of reach of scripts."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=int(account.SESSION_LIFE.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/api",
    )
    return response


def forget_cookie(response: Response) -> Response:
    """Takes the session out of the browser."""
    response.delete_cookie(COOKIE, path="/api", httponly=True, samesite="strict")
    return response
