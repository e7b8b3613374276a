"""Routes over who has access: sessions, the presenter's token, and what was done with them.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from thinlab.researcher import access_token, audit, sessions
from thinlab.researcher.access_token import Purpose, TokenState
from thinlab.researcher.audit import Act, ActOnRecord
from thinlab.researcher.sessions import Role
from thinlab.web import researcher_messages as messages
from thinlab.web.problems import problem_responses
from thinlab.web.researcher_session import forget_cookie
from thinlab.web.services import Here

router = APIRouter()
ENTRIES_AT_ONCE = 100
CHANGED = problem_responses(401, 403, 503)


class AccessNow(messages.Message):
    """Who could come in now."""

    researcher_sessions: int = Field(description="Browsers signed in, this one among them.")
    presenter_sessions: int
    presenter_token: TokenState | None = Field(description="Null: none can be used.")
    idle_limit_hours: float = Field(description="After so long without use a session ends.")


class FreshToken(messages.Message):
    """A presenter's token; the server keeps its hash only and cannot show it again."""

    path: str = Field(examples=["/demo#present=…"])


class AuditPage(messages.Message):
    """A piece of what is on record, newest first."""

    entries: list[ActOnRecord]
    more: bool = Field(description="Whether there is something older.")


@router.get("/access", operation_id="getAccess", responses=problem_responses(401, 503))
async def access(here: Here) -> AccessNow:
    """Who could come in now."""
    async with here.database.transaction() as session:
        living = await sessions.living(session)
        token = await access_token.state(session, Purpose.PRESENTER)
    return AccessNow(
        researcher_sessions=living[Role.RESEARCHER],
        presenter_sessions=living[Role.PRESENTER],
        presenter_token=token,
        idle_limit_hours=sessions.IDLE_LIMIT.total_seconds() / 3600,
    )


@router.delete("/sessions", operation_id="signOutEverywhere", status_code=204, responses=CHANGED)
async def sign_out_everywhere(request: Request, here: Here) -> Response:
    """Ends every session, this one too; a presenter's token still holds."""
    async with here.database.transaction() as session:
        ended = await sessions.end_all(session, *Role)
        await audit.enter(session, Act.SIGNED_OUT_EVERYWHERE, sessions=ended)
    return forget_cookie(Response(status_code=204), request)


@router.post(
    "/presenter-token", operation_id="makePresenterToken", status_code=201, responses=CHANGED
)
async def make_presenter_token(here: Here) -> FreshToken:
    """Makes an address for presenters and shows it, for the only time; the one before ends."""
    async with here.database.transaction() as session:
        token = await access_token.make(session, Purpose.PRESENTER)
        await audit.enter(session, Act.PRESENTER_TOKEN_MADE)
    return FreshToken(path=f"/demo#present={token}")


@router.delete(
    "/presenter-token", operation_id="revokePresenterToken", status_code=204, responses=CHANGED
)
async def revoke_presenter_token(here: Here) -> Response:
    """Ends the presenters' token, and whoever came in by it."""
    async with here.database.transaction() as session:
        await access_token.revoke(session, Purpose.PRESENTER)
        await audit.enter(session, Act.PRESENTER_TOKEN_REVOKED)
    return Response(status_code=204)


@router.get("/audit", operation_id="getAudit", responses=problem_responses(401, 422, 503))
async def get_audit(
    here: Here,
    before: Annotated[
        int | None, Query(ge=1, le=2**63 - 1, description="Only what is older than this entry.")
    ] = None,
) -> AuditPage:
    """Who did what of weight; nothing of any participant."""
    async with here.database.transaction() as session:
        found = await audit.entries(session, ENTRIES_AT_ONCE + 1, before)
    return AuditPage(entries=found[:ENTRIES_AT_ONCE], more=len(found) > ENTRIES_AT_ONCE)
