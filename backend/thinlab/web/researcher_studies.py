"""Routes over studies: all of them, one, its monitor, its state.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Response

from thinlab.monitoring import monitor, progress
from thinlab.monitoring.monitor import Monitor
from thinlab.monitoring.overview import StudyOverview, StudyProgress
from thinlab.researcher import audit
from thinlab.researcher.audit import Act
from thinlab.study import catalogue, study_state
from thinlab.trials.registry import KINDS
from thinlab.web import researcher_messages as messages
from thinlab.web.named_study import CountedKind, named
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/studies")


@router.get("", operation_id="listStudies", responses=problem_responses(401, 503))
async def studies(here: Here) -> list[StudyProgress]:
    """All current studies with their counts."""
    async with here.database.transaction() as session:
        current = await catalogue.all_current(session)
        return await progress.of_studies(session, current, here.live_lab_problem)


@router.get("/{slug}", operation_id="getStudyOverview", responses=problem_responses(401, 404, 503))
async def study(slug: str, here: Here) -> StudyOverview:
    """One study: where it stands, what it declares, what was done with it."""
    async with here.database.transaction() as session:
        found = await named(session, slug)
        return await progress.overview(session, found, here.live_lab_problem)


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
