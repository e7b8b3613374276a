"""Routes of the researcher's pages: sign in, and the way to all others.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from thinlab.researcher import account
from thinlab.researcher.audit import Act
from thinlab.researcher.guessing import TooManyGuessesError
from thinlab.researcher.sessions import Role
from thinlab.throttle.caller import Caller
from thinlab.throttle.turnstile import BusyError
from thinlab.web import (
    experiments,
    export,
    recordings,
    researcher_access,
    researcher_freezing,
    researcher_health,
    researcher_panel,
    researcher_participants,
    researcher_power,
    researcher_results,
    researcher_studies,
)
from thinlab.web import researcher_messages as messages
from thinlab.web.kinds.registry import RESEARCHER_ROUTERS
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.researcher_session import (
    COOKIE,
    end_session,
    require_researcher,
    same_origin,
    set_cookie,
    signed_in,
)
from thinlab.web.services import Here
from thinlab.web.throttle import busy, caller_of, too_much
from thinlab.web.wrong_secret import wrong_secret

router = APIRouter(
    prefix="/api/researcher", tags=["researcher"], dependencies=[Depends(same_origin)]
)
inside = APIRouter(dependencies=[Depends(require_researcher)])


@router.get("/state", operation_id="getResearcherState", responses=problem_responses(503))
async def state(
    here: Here, researcher: Annotated[bool, Depends(signed_in)]
) -> messages.ResearcherState:
    """What the sign-in page needs to know."""
    async with here.database.transaction() as session:
        password_set = await account.password_is_set(session)
    return messages.ResearcherState(password_set=password_set, signed_in=researcher)


@router.post(
    "/password",
    operation_id="setPassword",
    status_code=204,
    responses=problem_responses(403, 409, 422, 429, 503),
)
async def set_password(
    first: messages.FirstPassword,
    request: Request,
    here: Here,
    caller: Annotated[Caller, Depends(caller_of)],
) -> Response:
    """Sets the password, once, and signs in."""
    try:
        token = await account.set_first_password(
            here.database, here.throttle.guessing, caller, first.setup_token, first.password
        )
    except TooManyGuessesError as error:
        raise too_much(error.wait_s, "wrong setup tokens have come") from error
    except BusyError as error:
        raise busy() from error
    except account.PasswordExistsError as error:
        raise ProblemError(
            409, "password-set", "A password is set already.", remedy="Sign in with it."
        ) from error
    except account.WrongSetupTokenError as error:
        raise await wrong_secret(here, Act.SETUP_TOKEN_REFUSED) from error
    return set_cookie(Response(status_code=204), token, request)


@router.post(
    "/session",
    operation_id="signIn",
    status_code=204,
    responses=problem_responses(403, 422, 429, 503),
)
async def sign_in(
    given: messages.SignIn,
    request: Request,
    here: Here,
    caller: Annotated[Caller, Depends(caller_of)],
) -> Response:
    """Signs in; the session is an HttpOnly cookie."""
    try:
        token = await account.sign_in(here.database, here.throttle.guessing, caller, given.password)
    except TooManyGuessesError as error:
        raise too_much(error.wait_s, "wrong passwords have come") from error
    except BusyError as error:
        raise busy() from error
    if token is None:
        raise await wrong_secret(here, Act.SIGN_IN_FAILED)
    return set_cookie(Response(status_code=204), token, request)


@router.delete("/session", operation_id="signOut", status_code=204)
async def sign_out(request: Request, here: Here) -> Response:
    """Signs out."""
    return await end_session(COOKIE, Role.RESEARCHER, request, here, Act.SIGNED_OUT)


for part in (
    researcher_access.router,
    researcher_studies.router,
    researcher_results.router,
    researcher_participants.router,
    researcher_panel.router,
    researcher_freezing.router,
    researcher_power.router,
    recordings.router,
    *RESEARCHER_ROUTERS,
    export.router,
    experiments.router,
    researcher_health.router,
):
    inside.include_router(part)
router.include_router(inside)
