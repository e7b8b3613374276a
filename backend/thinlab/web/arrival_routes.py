"""The route of those whom a panel sends, before they have a token.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import APIRouter

from thinlab.participation import arrival, messages
from thinlab.study import catalogue
from thinlab.web.joining import language_of, no_such_study
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/api", tags=["participant"])


@router.post(
    "/studies/{slug}/arrivals",
    operation_id="arrive",
    responses=problem_responses(404, 422, 429, 503),
)
async def arrive(slug: str, came: messages.Arrival, here: Here) -> messages.Arrived:
    """Where somebody stands whom a panel has sent; the same again gives the same."""
    async with here.database.transaction() as session:
        found = await catalogue.newest(session, slug)
        if found is None:
            raise no_such_study()
        study, current = found
        try:
            return await arrival.arrive(
                session,
                study,
                came.ids,
                language=language_of(study, came.language),
                declines=came.declines,
                current=current,
            )
        except arrival.NoPanelError as error:
            raise ProblemError(
                404,
                "no-panel",
                "No panel sends anybody to this study.",
                remedy="Open the study's address without a panel's parameters.",
            ) from error
