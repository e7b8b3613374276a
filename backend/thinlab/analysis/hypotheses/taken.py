"""The looks of a study that were taken, from its log.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.hypotheses.findings import LookFindings
from thinlab.database.schema import StudyEvent
from thinlab.study import study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.study.study_event import EventKind


@dataclass(frozen=True)
class Looked:
    """What was seen of a study so far."""

    taken: tuple[LookFindings, ...] = ()
    ended: bool = True
    """Whether the study takes no more participants; votes may be shown without that."""


NOT_LOOKED = Looked()


async def looks_taken(session: AsyncSession, slug: str) -> tuple[LookFindings, ...]:
    """What was found at each look of a study, as it was put on record."""
    rows = await session.scalars(
        select(StudyEvent.details)
        .where(StudyEvent.slug == slug, StudyEvent.kind == EventKind.LOOKED)
        .order_by(StudyEvent.id)
    )
    return tuple(LookFindings.model_validate(details) for details in rows)


async def looked(session: AsyncSession, study: StoredStudy) -> Looked:
    """What was seen of a study that plans looks."""
    status = await study_state.of(session, study)
    return Looked(await looks_taken(session, study.slug), ended=status.closed)
