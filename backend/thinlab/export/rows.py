"""What is exported of a study, read from the database: votes, and participants.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from thinlab.database.engine import Transactions
from thinlab.database.schema import (
    Invitation,
    Participant,
    Presentation,
    QuestionnaireAnswer,
    Study,
    StudyEvent,
    Vote,
)
from thinlab.export.entry import Attendance, Frozen, VoteEntry
from thinlab.export.kind import Kinds, Reader
from thinlab.monitoring import exclusion
from thinlab.monitoring.exclusion import Standing
from thinlab.participation.attention import LOOKED_AT
from thinlab.study import catalogue, deviation
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.study.meaning import TrialMeaning, meanings

VOTES_AT_ONCE = 200
KINDS = ("person", "preview", "bot")


async def definitions(session: AsyncSession, slug: str) -> list[StudyDefinition]:
    """Every version of a study that somebody joined, and the current one, oldest first."""
    rows = await session.scalars(
        select(Study.id)
        .where(
            Study.slug == slug,
            Study.is_current
            | select(Participant.id).where(Participant.study_id == Study.id).exists(),
        )
        .order_by(Study.id)
    )
    return [(await catalogue.by_id(session, id_)).definition for id_ in rows.all()]


async def attendances(session: AsyncSession, study: StoredStudy) -> dict[int, Attendance]:
    """Everybody who joined any version of a study, by id, in the order joined."""
    rows = (
        await session.execute(
            select(Study, Participant, Invitation.id)
            .join(Participant, Participant.study_id == Study.id)
            .outerjoin(Invitation, Invitation.participant_id == Participant.id)
            .where(Study.slug == study.slug)
            .order_by(Participant.id)
        )
    ).all()
    versions = {row.Study.id: await catalogue.by_id(session, row.Study.id) for row in rows}
    standings: dict[int, Standing] = {}
    for kind in KINDS:
        standings |= await exclusion.standings(session, study, kind)
    frozen = await _frozen(session, study.slug)
    deviations = len(await deviation.of_study(session, study.slug))
    answers = await _answers(session, study.slug)
    votes = await _votes(session, study.slug)
    return {
        person.id: Attendance(
            study=version,
            definition=versions[version.id].definition,
            deviations=deviations,
            frozen=_frozen_before(frozen, person.joined_at),
            participant=person,
            invited=invitation is not None,
            flags=standings[person.id].flags if person.id in standings else (),
            rhythm=standings[person.id].conduct.rhythm if person.id in standings else None,
            left_out_because=_reason(standings.get(person.id)),
            answers=answers.get(person.id, {}),
            votes=votes[person.id, False],
            training_votes=votes[person.id, True],
        )
        for version, person, invitation in rows
    }


def _reason(standing: Standing | None) -> str | None:
    if standing is None or not standing.left_out:
        return None
    return standing.entries[0].reason


def _frozen_before(frozen: list[Frozen], at: datetime) -> Frozen | None:
    return next((one for one in reversed(frozen) if one.at <= at), None)


async def _frozen(session: AsyncSession, slug: str) -> list[Frozen]:
    events = await session.scalars(
        select(StudyEvent)
        .where(StudyEvent.slug == slug, StudyEvent.kind == "frozen")
        .order_by(StudyEvent.id)
    )
    return [Frozen(event.details["hashes"]["whole"], event.at) for event in events]


async def _answers(session: AsyncSession, slug: str) -> dict[int, dict[str, object]]:
    rows = await session.scalars(
        select(QuestionnaireAnswer)
        .join(Participant, Participant.id == QuestionnaireAnswer.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug)
    )
    found: dict[int, dict[str, object]] = {}
    for row in rows:
        found.setdefault(row.participant_id, {})[row.question_id] = row.answer
    return found


async def _votes(session: AsyncSession, slug: str) -> Counter[tuple[int, bool]]:
    """Votes by participant and whether in training."""
    rows = await session.execute(
        select(Presentation.participant_id, Presentation.training, func.count())
        .join(Vote, Vote.presentation_id == Presentation.id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug)
        .group_by(Presentation.participant_id, Presentation.training)
    )
    return Counter({(id_, training): number for id_, training, number in rows})


async def votes(
    database: Transactions, study: StoredStudy, kinds: Kinds, at_once: int = VOTES_AT_ONCE
) -> AsyncIterator[list[VoteEntry]]:
    """Every vote on every version of a study, in the order stored, so many at a time.

    Each lot in a transaction of its own: an export of many takes a while, and
    votes do not change.
    """
    async with database.transaction() as session:
        everybody = await attendances(session, study)
        readers = {name: await kind.reader(session, study.slug) for name, kind in kinds.items()}
    last = 0
    now = meanings(study.definition)
    versions = {one.study.id: one.definition for one in everybody.values()}
    meant = {id_: meanings(definition) for id_, definition in versions.items()}
    while True:
        async with database.transaction() as session:
            rows = await _votes_after(session, study.slug, last, at_once)
            for name, reader in readers.items():
                lot = [row.Presentation for row in rows if row.Presentation.medium == name]
                await reader.read(session, lot)
        # Who withdrew meanwhile is not in the lot, who joined meanwhile comes next time.
        found = [
            _entry(attendance, readers, row, _of_other_version(attendance, row, meant, now))
            for row in rows
            if (attendance := everybody.get(row.Presentation.participant_id)) is not None
        ]
        if found:
            yield found
        if len(rows) < at_once:
            return
        last = rows[-1].Vote.id


async def _votes_after(
    session: AsyncSession, slug: str, last: int, at_once: int
) -> Sequence[Row[Presentation, Vote, int, list[Any]]]:
    rows = await session.execute(
        select(
            Presentation,
            Vote,
            func.jsonb_array_length(Vote.events).label("events"),
            func.jsonb_path_query_array(Vote.events, LOOKED_AT, type_=JSONB).label("looked_at"),
        )
        .join(Vote, Vote.presentation_id == Presentation.id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, Vote.id > last)
        .order_by(Vote.id)
        .limit(at_once)
        # Long, and little of them is exported with a vote.
        .options(defer(Vote.events))
    )
    return rows.all()


def _of_other_version(
    attendance: Attendance,
    row: Row[Presentation, Vote, int, list[Any]],
    meant: Mapping[int, Mapping[str, TrialMeaning]],
    now: Mapping[str, TrialMeaning],
) -> bool:
    """`meant`: what trials are about, by version; `now`: in the study's current one."""
    trial_id = row.Presentation.trial_id
    asked = meant[attendance.study.id][trial_id]
    return not asked.is_still(now.get(trial_id), attendance.participant.language)


def _entry(
    attendance: Attendance,
    readers: Mapping[str, Reader],
    row: Row[Presentation, Vote, int, list[Any]],
    of_other_version: bool,
) -> VoteEntry:
    presentation = row.Presentation
    block, trial = attendance.definition.trial(presentation.trial_id)
    first, second = readers[presentation.medium].of_presentation(presentation, trial)
    return VoteEntry(
        attendance=attendance,
        block=block,
        trial=trial,
        presentation=presentation,
        vote=row.Vote,
        player_events=row.events,
        attention_events=row.looked_at,
        first=first,
        second=second,
        of_other_version=of_other_version,
    )
