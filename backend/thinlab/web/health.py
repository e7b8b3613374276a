"""Whether votes can be stored: for whoever watches the server, and for its own start.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import APIRouter

from thinlab.participation import messages
from thinlab.participation import participant as participation
from thinlab.web.problems import problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/api", tags=["participant"])


@router.get("/health", operation_id="getHealth", responses=problem_responses(503))
async def health(here: Here) -> messages.Health:
    """200 while votes can be stored; 503 while the database is away."""
    async with here.database.transaction() as session:
        await participation.answers(session)
    return messages.Health(status="ok")
