"""Routes over studies: all of them, one, its monitor, its state, its results.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis import look_log
from thinlab.analysis import results as analysis
from thinlab.analysis.delay import results as delay
from thinlab.analysis.delay.findings import DelayResults
from thinlab.analysis.findings import StudyResults
from thinlab.analysis.look_log import Looks
from thinlab.analysis.stored_votes import PERSONS, votes_of
from thinlab.monitoring import exclusion, monitor, progress
from thinlab.monitoring.monitor import Kind, Monitor
from thinlab.monitoring.overview import StudyOverview, StudyProgress
from thinlab.researcher import audit
from thinlab.researcher.audit import Act
from thinlab.study import catalogue, study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.trials.registry import KINDS
from thinlab.web import researcher_messages as messages
from thinlab.web.named_study import CountedKind, named, with_votes_visible
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/studies")
KIND = "Whose: people's, or what bots or previews left at a rehearsal."
METRIC = "That curves are over, where a block has it; else what is planned, or predicts best."


@router.get("", operation_id="listStudies", responses=problem_responses(401, 503))
async def studies(here: Here) -> list[StudyProgress]:
    """All current studies with their counts."""
    async with here.database.transaction() as session:
        return [
            await progress.of_study(session, study, here.live_lab_problem(study.definition))
            for study in await catalogue.all_current(session)
        ]


@router.get("/{slug}", operation_id="getStudyOverview", responses=problem_responses(401, 404, 503))
async def study(slug: str, here: Here) -> StudyOverview:
    """One study: where it stands, what it declares, what was done with it."""
    async with here.database.transaction() as session:
        found = await named(session, slug)
        return await progress.overview(session, found, here.live_lab_problem(found.definition))


@router.get(
    "/{slug}/monitor", operation_id="getMonitor", responses=problem_responses(401, 404, 422, 503)
)
async def watch(slug: str, here: Here, kind: CountedKind = "person") -> Monitor:
    """Who is where, what failed, what is balanced. Never how anybody voted."""
    async with here.database.transaction() as session:
        return await monitor.of_study(session, await named(session, slug), KINDS, kind)


async def _reason(asked: messages.Reason) -> str | None:
    return asked.reason


async def _maybe_reason(asked: messages.MaybeReason) -> str | None:
    return asked.reason


def _change(
    name: str,
    does: str,
    change: Callable[..., Awaitable[None]],
    act: Act,
    reason: Callable[..., Awaitable[str | None]],
) -> None:
    """The route by which a study's state is changed in one way, for `reason`; that is on record."""
    Asked = Annotated[str | None, Depends(reason)]  # noqa: N806 (a type)

    @router.post(
        f"/{{slug}}/{name}",
        name=name,
        description=does,
        operation_id=f"{name}Study",
        status_code=204,
        responses=problem_responses(401, 404, 409, 422, 503),
    )
    async def changed(slug: str, asked: Asked, here: Here) -> Response:
        async with here.database.transaction() as session:
            found = await named(session, slug)
            try:
                await change(session, found, asked)
            except study_state.NotNowError as error:
                raise ProblemError(409, "not-now", str(error), remedy=error.remedy) from error
            await audit.enter(session, act, study=slug)
        return Response(status_code=204)


_change(
    "close",
    "Takes no more participants and shows the votes; who has begun can finish.",
    study_state.close,
    Act.STUDY_CLOSED,
    _maybe_reason,
)
_change(
    "reopen",
    "Takes participants again; recorded as a deviation.",
    study_state.reopen,
    Act.STUDY_REOPENED,
    _reason,
)
_change(
    "unblind",
    "Shows the votes of a running study; recorded as a deviation.",
    study_state.unblind,
    Act.STUDY_UNBLINDED,
    _reason,
)


@router.get(
    "/{slug}/results",
    operation_id="getResults",
    responses=problem_responses(401, 404, 409, 422, 503),
)
async def results(
    slug: str, here: Here, kind: Annotated[Kind, Query(description=KIND)] = "person"
) -> StudyResults:
    """What the votes say; 409 `blinded` while people's are hidden. Bots and previews are nobody.

    Of a study that goes on after a look that it planned, what was found at that look.
    """
    async with here.database.transaction() as session:
        if kind == "person":
            seen = await look_log.in_place_of_results(session, await named(session, slug))
            if seen is not None:
                return seen
        found, excluded = await _seen(session, slug, kind)
        reading = await analysis.read(
            session, found, KINDS, excluded=excluded, kinds=frozenset({kind})
        )
    # The database is not kept waiting while models are fitted.
    return await analysis.worked_out(reading)


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
        found, excluded = await _seen(session, slug, kind)
        reading = await delay.read(
            session, found, KINDS, excluded=excluded, kinds=frozenset({kind}), metric=metric
        )
    return await delay.worked_out(reading)


async def _seen(session: AsyncSession, slug: str, kind: Kind) -> tuple[StoredStudy, frozenset[int]]:
    """The study whose votes may be looked at, and the participants who are left out."""
    found = await (with_votes_visible if kind == "person" else named)(session, slug)
    return found, await exclusion.excluded(session, found, kind)
