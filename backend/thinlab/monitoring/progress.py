"""Where studies stand, for the list of all and the top of each one's pages.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.condition.words import ConditionWords
from thinlab.database.schema import Participant, Presentation, Study, Vote
from thinlab.monitoring.monitor_counts import Target
from thinlab.monitoring.overview import StudyOverview, StudyProgress
from thinlab.monitoring.presence import LIVE_FOR
from thinlab.study import catalogue, study_event, study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.study.text import said


async def of_study(
    session: AsyncSession, study: StoredStudy, live_lab_problem: str | None
) -> StudyProgress:
    """One study, over all its versions. `live_lab_problem`: none where it needs no live lab."""
    definition = study.definition
    counts = await _counts(session, study.slug)
    ready = await catalogue.members_ready(session, study)
    total = catalogue.members_total(definition)
    return StudyProgress(
        slug=study.slug,
        title=said(definition.title, definition.languages[0]),
        languages=list(definition.languages),
        study_hash=study.content_hash,
        participant_path=f"/s/{study.slug}",
        access=definition.access,
        state=await study_state.of(session, study),
        ready=ready == total,
        live_lab_problem=live_lab_problem,
        recordings_ready=ready,
        recordings_total=total,
        joined=counts.joined,
        live=counts.live,
        completed=counts.completed,
        votes=counts.votes,
        targets=await _targets(session, study),
        stops_on=definition.stop.on if definition.stop else None,
    )


async def overview(
    session: AsyncSession, study: StoredStudy, live_lab_problem: str | None
) -> StudyOverview:
    """One study with its definition and what was done with it."""
    progress = await of_study(session, study, live_lab_problem)
    definition = study.definition
    return StudyOverview(
        **dict(progress),
        description=said(definition.description, definition.languages[0]),
        definition=definition,
        conditions={
            name: ConditionWords.of(one.resolved) for name, one in definition.conditions.items()
        },
        events=await study_event.of_study(session, study.slug),
    )


@dataclass(frozen=True)
class _Counts:
    joined: int
    live: int
    completed: int
    votes: int


async def _counts(session: AsyncSession, slug: str) -> _Counts:
    persons = (Study.slug == slug, Participant.kind == "person")
    here = Participant.withdrawn_at.is_(None)
    done = Participant.completed_at.is_not(None)
    seen = Participant.last_seen_at > func.now() - LIVE_FOR
    joined, live, completed = (
        await session.execute(
            select(
                func.count(),
                func.count().filter(here, ~done, seen),
                func.count().filter(here, done),
            )
            .select_from(Participant)
            .join(Study, Study.id == Participant.study_id)
            .where(*persons)
        )
    ).one()
    votes = await session.scalar(
        select(func.count())
        .select_from(Vote)
        .join(Presentation, Presentation.id == Vote.presentation_id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(*persons, Presentation.training.is_(False))
    )
    return _Counts(joined, live, completed, votes or 0)


async def _targets(session: AsyncSession, study: StoredStudy) -> list[Target]:
    slug, stop = study.slug, study.definition.stop
    found = []
    if stop is not None and stop.completed is not None:
        counted = await study_state.completed(session, slug)
        found.append(Target(completed=counted, of=stop.completed, language=None))
    for quota in study.definition.quotas:
        counted = await study_state.completed(session, slug, language=quota.language)
        found.append(Target(completed=counted, of=quota.completed, language=quota.language))
    return found
