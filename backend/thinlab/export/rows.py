"""What is exported of a study, read from the database: votes, and participants.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from thinlab.database.schema import (
    Invitation,
    Participant,
    PredictedQuality,
    Presentation,
    QuestionnaireAnswer,
    Recording,
    Study,
    StudyEvent,
    Vote,
    session_metrics,
)
from thinlab.export.entry import Attendance, Frozen, Heard, VoteEntry
from thinlab.study import catalogue, deviation, exclusion
from thinlab.study.catalogue import StoredStudy
from thinlab.study.condition import Condition
from thinlab.study.definition import StudyDefinition
from thinlab.study.exclusion import Standing
from thinlab.study.trial import Trial, member_conditions

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
            rules=tuple(flag.rule for flag in standings[person.id].flags)
            if person.id in standings
            else (),
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


async def votes(session: AsyncSession, study: StoredStudy) -> list[VoteEntry]:
    """Every vote on every version of a study, in the order stored."""
    everybody = await attendances(session, study)
    first, second = aliased(Recording), aliased(Recording)
    rows = await session.execute(
        select(Presentation, Vote, first, second)
        .join(Vote, Vote.presentation_id == Presentation.id)
        .join(first, first.id == Presentation.first_recording_id)
        .outerjoin(second, second.id == Presentation.second_recording_id)
        .where(Presentation.participant_id.in_(list(everybody)))
        .order_by(Vote.id)
    )
    heard = await _Heard.of(session, study.slug)
    found = []
    for presentation, vote, one, two in rows:
        # Outer join: none where a recording is judged alone.
        other: Recording | None = two
        attendance = everybody[presentation.participant_id]
        block, trial = attendance.definition.trial(presentation.trial_id)
        first_member = presentation.first_member
        second_member = "b" if first_member == "a" else "a"
        found.append(
            VoteEntry(
                attendance=attendance,
                block=block,
                trial=trial,
                presentation=presentation,
                vote=vote,
                first=heard.recording(one, first_member, trial),
                second=None if other is None else heard.recording(other, second_member, trial),
            )
        )
    return found


class _Heard:
    """Metrics and predictions of all recordings that a study's votes are about."""

    def __init__(
        self, metrics: dict[int, dict[str, int | float]], predicted: dict[int, PredictedQuality]
    ) -> None:
        self._metrics = metrics
        self._predicted = predicted

    @classmethod
    async def of(cls, session: AsyncSession, slug: str) -> "_Heard":
        ids = (
            select(Presentation.first_recording_id, Presentation.second_recording_id)
            .join(Participant, Participant.id == Presentation.participant_id)
            .join(Study, Study.id == Participant.study_id)
            .where(Study.slug == slug)
            .subquery()
        )
        used = select(ids.c.first_recording_id).union(
            select(ids.c.second_recording_id).where(ids.c.second_recording_id.is_not(None))
        )
        metrics = await session.execute(
            select(session_metrics).where(session_metrics.c.recording_id.in_(used))
        )
        predicted = await session.scalars(
            select(PredictedQuality)
            .where(PredictedQuality.recording_id.in_(used))
            .order_by(PredictedQuality.measure.desc())
        )
        return cls(
            {row["recording_id"]: dict(row) for row in metrics.mappings()},
            {row.recording_id: row for row in predicted},
        )

    def recording(self, row: Recording, member: str, trial: Trial) -> Heard:
        names = member_conditions(trial)
        return Heard(
            row=row,
            member=member,
            condition_name=names["ab".index(member) % len(names)],
            condition=Condition.model_validate(row.condition),
            metrics=self._metrics[row.id],
            predicted=self._predicted.get(row.id),
        )
