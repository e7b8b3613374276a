"""The looks of a study that were taken: in its log, where nothing is ever changed.

A look is about the sessions that were completed first, so that whoever takes it late sees what
they would have seen in time. While the study runs, nobody sees a comparison but at a look.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from dataclasses import dataclass

from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.hypotheses.findings import LookFindings
from thinlab.analysis.hypotheses.taken import looks_taken
from thinlab.analysis.plan import plan_of
from thinlab.analysis.registry import StudyResults
from thinlab.analysis.study import at_look
from thinlab.analysis.votes import AnalysedVote, AnalysisPlan, counting
from thinlab.study import study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.study.study_event import EventKind, enter
from thinlab.study.study_state import NotNowError


class Looks(BaseModel):
    """When a study is looked at, and what is due; nothing of how anybody voted."""

    planned: list[int] = Field(
        description="Completed sessions after which each look is, the one at the end included; "
        "empty: no looks are planned."
    )
    taken: list[int] = Field(description="Numbers of those that were taken, from 1.")
    completed: int = Field(description="Sessions so far, as the stop rule counts them.")
    due: int | None = Field(description="Number of the look that can be taken now; null: none.")


@dataclass(frozen=True)
class Due:
    """A look that is to be taken: enough to work it out without the database."""

    number: int
    plan: AnalysisPlan
    taken: tuple[LookFindings, ...]
    completed_first: frozenset[int]
    """Ids of the participants that it is about."""


async def of_study(session: AsyncSession, study: StoredStudy) -> Looks:
    """What is planned, what was taken, what is due."""
    planned = plan_of(study.definition).looks
    taken = await looks_taken(session, study.slug)
    completed = await study_state.completed(session, study.slug)
    status = await study_state.of(session, study)
    return Looks(
        planned=list(planned),
        taken=[one.number for one in taken],
        completed=completed,
        due=None if status.votes_visible or _stopped(taken) else _due(planned, taken, completed),
    )


async def due(session: AsyncSession, study: StoredStudy) -> Due:
    """The look that can be taken now. Raises `NotNowError`."""
    found = await of_study(session, study)
    if not found.planned:
        raise NotNowError(
            "The study plans no looks.", "Wait until it ends, or plan them in another study."
        )
    if (await study_state.of(session, study)).votes_visible:
        raise NotNowError("The votes can already be seen.", "Open the study's results.")
    taken = await looks_taken(session, study.slug)
    if _stopped(taken):
        raise NotNowError(
            "The study crossed a boundary at an earlier look.", "Open the study's results."
        )
    if found.due is None:
        after = next(
            size
            for number, size in enumerate(found.planned, 1)
            if number > max(found.taken, default=0)
        )
        raise NotNowError(
            f"The next look is after {after} completed sessions; there are {found.completed}.",
            "Wait for them.",
        )
    size = found.planned[found.due - 1]
    first = await study_state.completed_first(session, study.slug, size)
    return Due(found.due, plan_of(study.definition), taken, frozenset(first))


async def worked_out(one: Due, votes: tuple[AnalysedVote, ...]) -> LookFindings:
    """What is found at the look, in a thread."""

    def found() -> LookFindings:
        from thinlab.analysis.hypotheses.interim import look  # noqa: PLC0415 - slow to import

        return look(one.plan, counting(votes), one.taken, one.number)

    return await asyncio.to_thread(found)


async def enter_look(session: AsyncSession, study: StoredStudy, found: LookFindings) -> None:
    """Puts a look on record; one that crosses a boundary closes the study. Raises `NotNowError`."""
    status = await study_state.locked(session, study)
    taken = await looks_taken(session, study.slug)
    if status.votes_visible or any(one.number >= found.number for one in taken):
        raise NotNowError("This look was taken meanwhile.", "Open the study's results.")
    await enter(session, study, EventKind.LOOKED, None, found.model_dump(mode="json"))
    if found.verdict == "stop":
        await study_state.close(session, study, f"Look {found.number} crossed its boundary.")


async def in_place_of_results(session: AsyncSession, study: StoredStudy) -> StudyResults | None:
    """What is shown of the latest look while votes are hidden; none before the first."""
    taken = await looks_taken(session, study.slug)
    if not taken or (await study_state.of(session, study)).votes_visible:
        return None
    return at_look(plan_of(study.definition), taken)


def _stopped(taken: tuple[LookFindings, ...]) -> bool:
    return any(one.verdict == "stop" for one in taken)


def _due(planned: tuple[int, ...], taken: tuple[LookFindings, ...], completed: int) -> int | None:
    """Of those that are due, the latest: an earlier one that was missed spends nothing."""
    last = max((one.number for one in taken), default=0)
    reached = [
        number for number, size in enumerate(planned[:-1], 1) if number > last and completed >= size
    ]
    return max(reached, default=None)
