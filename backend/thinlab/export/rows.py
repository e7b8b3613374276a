"""The export: one row a vote, joined with the metrics of exactly the two recordings heard.

SPDX-License-Identifier: Apache-2.0
"""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from thinlab.database.schema import (
    Participant,
    Presentation,
    Recording,
    Study,
    Vote,
    session_metrics,
)
from thinlab.export.columns import COLUMNS, Entry, Heard
from thinlab.export.table import csv_text
from thinlab.study.condition import Condition
from thinlab.study.definition import StudyDefinition
from thinlab.study.trial import Trial, member_conditions


async def entries(session: AsyncSession, slug: str) -> list[Entry]:
    """Every vote on every version of a study, in the order stored."""
    first, second = aliased(Recording), aliased(Recording)
    rows = await session.execute(
        select(Study, Participant, Presentation, Vote, first, second)
        .join(Participant, Participant.study_id == Study.id)
        .join(Presentation, Presentation.participant_id == Participant.id)
        .join(Vote, Vote.presentation_id == Presentation.id)
        .join(first, first.id == Presentation.first_recording_id)
        .outerjoin(second, second.id == Presentation.second_recording_id)
        .where(Study.slug == slug)
        .order_by(Vote.id)
    )
    definitions: dict[int, StudyDefinition] = {}
    metrics = await _metrics(session, slug)

    def heard(row: Recording, member: str, trial: Trial) -> Heard:
        names = member_conditions(trial)
        return Heard(
            row=row,
            member=member,
            condition_name=names["ab".index(member) % len(names)],
            # As recorded, not as a later file may say.
            condition=Condition.model_validate(row.condition),
            metrics=metrics[row.id],
        )

    found = []
    for row in rows:
        study, participant, presentation, vote, one = row[:5]
        # None where one recording was judged alone.
        two: Recording | None = row[5]
        definition = definitions.setdefault(
            study.id, StudyDefinition.model_validate(study.definition)
        )
        _, trial = definition.trial(presentation.trial_id)
        other = "b" if presentation.first_member == "a" else "a"
        found.append(
            Entry(
                study=study,
                definition=definition,
                trial=trial,
                participant=participant,
                presentation=presentation,
                vote=vote,
                first=heard(one, presentation.first_member, trial),
                second=None if two is None else heard(two, other, trial),
            )
        )
    return found


async def _metrics(session: AsyncSession, slug: str) -> dict[int, dict[str, int | float]]:
    """The metrics of every recording that a vote of this study compares."""
    compared = (
        select(Presentation.first_recording_id, Presentation.second_recording_id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug)
        .subquery()
    )
    rows = await session.execute(
        select(session_metrics).where(
            session_metrics.c.recording_id.in_(
                select(compared.c.first_recording_id).union(select(compared.c.second_recording_id))
            )
        )
    )
    return {row["recording_id"]: dict(row) for row in rows.mappings()}


async def csv_of_votes(session: AsyncSession, slug: str) -> str:
    """The export as CSV; columns as in the codebook."""
    return csv_text(
        [column.name for column in COLUMNS],
        [[column.cell(entry) for column in COLUMNS] for entry in await entries(session, slug)],
    )
