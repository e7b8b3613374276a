"""The recordings that a study's votes are about, read once for all of them.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.condition.reference import recorded
from thinlab.contract.columns import SESSION_COLUMNS, flatten
from thinlab.database.schema import (
    Participant,
    PredictedQuality,
    Presentation,
    Recording,
    Study,
)
from thinlab.study.trial import Trial, member_conditions
from thinlab.trials.listening.entry import Heard


class HeardRecordings:
    """All recordings that a study's votes are about, with metrics and predictions."""

    def __init__(
        self,
        rows: dict[int, Recording],
        predicted: dict[int, PredictedQuality],
    ) -> None:
        self._rows = rows
        self._predicted = predicted
        self._known: dict[tuple[int, str, str], Heard] = {}

    @classmethod
    async def of(cls, session: AsyncSession, slug: str) -> "HeardRecordings":
        """Every recording that some presentation of the study holds, with its predicted quality."""
        ids = (
            select(Presentation.first_recording_id, Presentation.second_recording_id)
            .join(Participant, Participant.id == Presentation.participant_id)
            .join(Study, Study.id == Participant.study_id)
            .where(Study.slug == slug)
            .subquery()
        )
        used = (
            select(ids.c.first_recording_id)
            .where(ids.c.first_recording_id.is_not(None))
            .union(select(ids.c.second_recording_id).where(ids.c.second_recording_id.is_not(None)))
        )
        rows = await session.scalars(select(Recording).where(Recording.id.in_(used)))
        predicted = await session.scalars(
            select(PredictedQuality)
            .where(PredictedQuality.recording_id.in_(used))
            .order_by(PredictedQuality.measure.desc())
        )
        return cls(
            {row.id: row for row in rows},
            {row.recording_id: row for row in predicted},
        )

    async def read(self, session: AsyncSession, presentations: Sequence[Presentation]) -> None:
        """As `Reader`: all are read already."""

    def of_presentation(
        self, presentation: Presentation, trial: Trial
    ) -> tuple[Heard, Heard | None]:
        """The first and the second recording; no second where one is judged alone."""
        first, second = presentation.first_recording_id, presentation.second_recording_id
        if first is None:
            raise ValueError(f"presentation {presentation.id} is typed")
        member = presentation.first_member
        other = "b" if member == "a" else "a"
        return (
            self._recording(first, member, trial),
            None if second is None else self._recording(second, other, trial),
        )

    def _recording(self, recording_id: int, member: str, trial: Trial) -> Heard:
        names = member_conditions(trial)
        name = names["ab".index(member) % len(names)]
        place = (recording_id, member, name)
        if place not in self._known:
            row = self._rows[recording_id]
            self._known[place] = Heard(
                row=row,
                member=member,
                condition_name=name,
                condition=recorded(row.condition),
                metrics=flatten(SESSION_COLUMNS, row.result),
                predicted=self._predicted.get(recording_id),
            )
        return self._known[place]
