"""How the installation is, for the researcher's page.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import APIRouter

from thinlab.health.verdict import InstallationHealth, verdict
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter()


@router.get("/health", operation_id="getInstallationHealth", responses=problem_responses(401, 503))
async def health(here: Here) -> InstallationHealth:
    """Database, disks, hosts, punctuality, recordings, server and backup, as last looked at."""
    if here.watch is None:
        raise ProblemError(503, "not-looked", "Nobody has looked yet.", remedy="Ask again.")
    return verdict(here.watch.figures or await here.watch.look())
