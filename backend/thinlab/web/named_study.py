"""The study that a researcher's address names, and whom to count in it.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import Query
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.monitoring.monitor import Kind
from thinlab.study import catalogue, study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.web.problems import ProblemError

CountedKind = Annotated[Kind, Query(description="Whom to count.")]


def no_such_study() -> ProblemError:
    """404: no study file has this slug; the remedy is a researcher's."""
    return ProblemError(
        404,
        "no-such-study",
        "There is no such study.",
        remedy="Put its definition into survey/ and start again.",
    )


async def named(session: AsyncSession, slug: str) -> StoredStudy:
    """The current version of a study. Raises the problem that says there is none."""
    study = await catalogue.current(session, slug)
    if study is None:
        raise no_such_study()
    return study


async def with_votes_visible(session: AsyncSession, slug: str) -> StoredStudy:
    """The same, about to show its votes, which is noted. Raises the problem `blinded`."""
    study = await named(session, slug)
    if not await study_state.show(session, study):
        raise ProblemError(
            409,
            "blinded",
            "How people voted is hidden while the study runs.",
            detail="Anyone who sees votes as they arrive may influence them, meaning to or not.",
            remedy="Close the study, or look early: that is recorded as a deviation.",
        )
    return study
