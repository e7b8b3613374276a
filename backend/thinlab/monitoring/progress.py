"""Where studies stand, for the list of all and the top of each one's pages.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
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
from thinlab.study.definition import StudyDefinition
from thinlab.study.text import said

# None where a study needs no live lab, or has one.
LiveLabProblem = Callable[[StudyDefinition], str | None]


async def of_studies(
    session: AsyncSession, studies: Sequence[StoredStudy], live_lab_problem: LiveLabProblem
) -> list[StudyProgress]:
    """Each of them, over all its versions: asked of the database together, be they one or many."""
    slugs = {study.slug for study in studies}
    counts = await _counts(session, slugs)
    completed = await study_state.completed_of_each(session, slugs)
    readies = await catalogue.members_ready(session, studies)
    states = await study_state.of_each(session, studies)
    found = []
    for study, ready, state in zip(studies, readies, states, strict=True):
        definition = study.definition
        total = catalogue.members_total(definition)
        found.append(
            StudyProgress(
                slug=study.slug,
                title=said(definition.title, definition.languages[0]),
                languages=list(definition.languages),
                study_hash=study.content_hash,
                participant_path=f"/s/{study.slug}",
                access=definition.access,
                state=state,
                ready=ready == total,
                live_lab_problem=live_lab_problem(definition),
                recordings_ready=ready,
                recordings_total=total,
                joined=counts[study.slug].joined,
                live=counts[study.slug].live,
                completed=counts[study.slug].completed,
                votes=counts[study.slug].votes,
                targets=_targets(definition, completed[study.slug]),
                stops_on=definition.stop.on if definition.stop else None,
            )
        )
    return found


async def overview(
    session: AsyncSession, study: StoredStudy, live_lab_problem: LiveLabProblem
) -> StudyOverview:
    """One study with its definition and what was done with it."""
    (progress,) = await of_studies(session, [study], live_lab_problem)
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
    joined: int = 0
    live: int = 0
    completed: int = 0
    votes: int = 0


async def _counts(session: AsyncSession, slugs: Collection[str]) -> defaultdict[str, _Counts]:
    """By study; of people alone."""
    persons = (Study.slug.in_(slugs), Participant.kind == "person")
    here = Participant.withdrawn_at.is_(None)
    done = Participant.completed_at.is_not(None)
    seen = Participant.last_seen_at > func.now() - LIVE_FOR
    people = await session.execute(
        select(
            Study.slug,
            func.count(),
            func.count().filter(here, ~done, seen),
            func.count().filter(here, done),
        )
        .select_from(Participant)
        .join(Study, Study.id == Participant.study_id)
        .where(*persons)
        .group_by(Study.slug)
    )
    votes = await session.execute(
        select(Study.slug, func.count())
        .select_from(Vote)
        .join(Presentation, Presentation.id == Vote.presentation_id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(*persons, Presentation.training.is_(False))
        .group_by(Study.slug)
    )
    voted = dict(votes.all())
    found = defaultdict(_Counts)
    for slug, joined, live, completed in people:
        found[slug] = _Counts(joined, live, completed, voted.get(slug, 0))
    return found


def _targets(definition: StudyDefinition, completed: Counter[str]) -> list[Target]:
    stop = definition.stop
    found = []
    if stop is not None and stop.completed is not None:
        found.append(Target(completed=completed.total(), of=stop.completed, language=None))
    for quota in definition.quotas:
        counted = completed[quota.language]
        found.append(Target(completed=counted, of=quota.completed, language=quota.language))
    return found
