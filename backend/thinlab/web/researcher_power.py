"""Routes over the power of a study's plan, which is simulated beside the server.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import APIRouter, Response

from thinlab.analysis.power_desk import PowerState
from thinlab.study.catalogue import StoredStudy
from thinlab.web.named_study import named
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/studies/{slug}/power")


async def _study(slug: str, here: Here) -> StoredStudy:
    async with here.database.transaction() as session:
        return await named(session, slug)


@router.get("", operation_id="getPower", responses=problem_responses(401, 404, 503))
async def power(slug: str, here: Here) -> PowerState:
    """How often the study would show what it is about, once that was asked for."""
    return here.power.state(await _study(slug, here))


@router.post(
    "", operation_id="startPower", status_code=204, responses=problem_responses(401, 404, 409, 503)
)
async def start(slug: str, here: Here) -> Response:
    """Begins to simulate the study; what was worked out already is kept."""
    study = await _study(slug, here)
    if study.definition.analysis is None:
        raise ProblemError(
            409,
            "not-now",
            "The study plans no test.",
            remedy="Declare `analysis` in the study's file.",
        )
    here.power.start(study)
    return Response(status_code=204)


@router.delete(
    "", operation_id="cancelPower", status_code=204, responses=problem_responses(401, 404, 503)
)
async def cancel(slug: str, here: Here) -> Response:
    """Ends the simulation; nothing is kept of it."""
    await here.power.cancel(await _study(slug, here))
    return Response(status_code=204)
