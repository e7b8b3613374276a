"""Routes over what the votes of a study say: its results, looks before its end, delay.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Response
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis import look_log
from thinlab.analysis import results as analysis
from thinlab.analysis.asked import Asked
from thinlab.analysis.delay import results as delay
from thinlab.analysis.delay.findings import DelayResults
from thinlab.analysis.look_log import Looks
from thinlab.analysis.registry import StudyResults
from thinlab.analysis.stored_votes import PERSONS, votes_of
from thinlab.monitoring import exclusion
from thinlab.monitoring.monitor import Kind
from thinlab.researcher import audit
from thinlab.researcher.audit import Act
from thinlab.study import study_state
from thinlab.trials.registry import KINDS
from thinlab.web.named_study import named, with_votes_visible
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/studies")
KIND = "Whose: people's, or what bots or previews left at a rehearsal."
EXCLUSIONS = (
    "False: as if rules and researcher left nobody out, to be read beside the planned results."
)
METRIC = "That curves are over, where a block has it; else what is planned, or predicts best."


@router.get(
    "/{slug}/results",
    operation_id="getResults",
    responses=problem_responses(401, 404, 409, 422, 503),
)
async def results(
    slug: str,
    here: Here,
    kind: Annotated[Kind, Query(description=KIND)] = "person",
    exclusions: Annotated[bool, Query(description=EXCLUSIONS)] = True,
) -> StudyResults:
    """What the votes say; 409 `blinded` while people's are hidden. Bots and previews are nobody.

    Of a study that goes on after a look that it planned, what was found at that look.
    """
    async with here.database.transaction() as session:
        if kind == "person":
            seen = await look_log.in_place_of_results(session, await named(session, slug))
            if seen is not None:
                return seen
        asked = await _asked(session, slug, kind)
        if not exclusions:
            asked = replace(asked, excluded=frozenset())
        reading = await analysis.read(session, asked)
    # The database is not kept waiting while models are fitted.
    return await reading.worked_out()


@router.get("/{slug}/looks", operation_id="getLooks", responses=problem_responses(401, 404, 503))
async def looks(slug: str, here: Here) -> Looks:
    """Which looks before the end are planned, and which is due. Never how anybody voted."""
    async with here.database.transaction() as session:
        return await look_log.of_study(session, await named(session, slug))


@router.post(
    "/{slug}/looks",
    operation_id="takeLook",
    status_code=204,
    responses=problem_responses(401, 404, 409, 503),
)
async def take_look(slug: str, here: Here) -> Response:
    """Takes the look that is due, for good; crossing a boundary closes the study."""
    try:
        async with here.database.transaction() as session:
            found = await named(session, slug)
            due = await look_log.due(session, found)
            excluded = await exclusion.excluded(session, found, "person")
            votes, _ = await votes_of(
                session, found, KINDS, excluded, PERSONS, among=due.completed_first
            )
        # The database is not kept waiting while models are fitted.
        seen = await look_log.worked_out(due, tuple(votes))
        async with here.database.transaction() as session:
            await look_log.enter_look(session, found, seen)
            await audit.enter(session, Act.STUDY_LOOKED_AT, study=slug)
    except study_state.NotNowError as error:
        raise ProblemError(409, "not-now", str(error), remedy=error.remedy) from error
    return Response(status_code=204)


@router.get(
    "/{slug}/delay",
    operation_id="getDelayResults",
    responses=problem_responses(401, 404, 409, 422, 503),
)
async def against_delay(
    slug: str,
    here: Here,
    kind: Annotated[Kind, Query(description=KIND)] = "person",
    metric: Annotated[str | None, Query(description=METRIC, max_length=64)] = None,
) -> DelayResults:
    """Votes against what was measured of what was heard or felt; 409 as for the results."""
    known = {one.name for each in KINDS.values() for one in each.delay_metrics}
    if metric is not None and metric not in known:
        raise ProblemError(
            422,
            "no-such-metric",
            "There is no such metric of delay.",
            field="metric",
            remedy=f"Ask for one of {', '.join(sorted(known))}.",
        )
    async with here.database.transaction() as session:
        reading = await delay.read(session, await _asked(session, slug, kind), metric)
    return await reading.worked_out()


async def _asked(session: AsyncSession, slug: str, kind: Kind) -> Asked:
    """Votes of one kind, if they may be looked at."""
    found = await (with_votes_visible if kind == "person" else named)(session, slug)
    excluded = await exclusion.excluded(session, found, kind)
    return Asked(found, KINDS, excluded, frozenset({kind}))
