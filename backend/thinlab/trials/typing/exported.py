"""Typing sessions as the exports have them: with the study's names for what was typed.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.condition.condition import Condition
from thinlab.database.schema import Presentation, TypingSession
from thinlab.study.trial import Trial, member_conditions, presented
from thinlab.trials.typing.columns import cells_of
from thinlab.trials.typing.entry import Typed


class TypedSessions:
    """All sessions of some presentations, void ones too."""

    def __init__(self, rows: Iterable[TypingSession]) -> None:
        self._rows: dict[tuple[int, str], list[TypingSession]] = {}
        for row in rows:
            self._rows.setdefault((row.presentation_id, row.place), []).append(row)

    @classmethod
    async def of(
        cls, session: AsyncSession, presentations: Sequence[Presentation]
    ) -> "TypedSessions":
        """Those of the presentations that are typed."""
        ids = [one.id for one in presentations if one.medium == "typed"]
        if not ids:
            return cls(())
        rows = await session.scalars(
            select(TypingSession)
            .where(TypingSession.presentation_id.in_(ids))
            .order_by(TypingSession.id)
        )
        return cls(rows)

    def counted(self, presentation: Presentation, trial: Trial, place: str) -> Typed:
        """The session that counts at a place."""
        rows = self._rows.get((presentation.id, place), [])
        done = next(row for row in rows if row.state == "done")
        return self._typed(presentation, trial, done)

    def all_of(self, presentation: Presentation, trial: Trial) -> list[Typed]:
        """Every session, in the order in which they were typed."""
        places = (self._rows.get((presentation.id, place), []) for place in ("first", "second"))
        rows = sorted((row for rows in places for row in rows), key=lambda row: row.id)
        return [self._typed(presentation, trial, row) for row in rows]

    def _typed(self, presentation: Presentation, trial: Trial, row: TypingSession) -> Typed:
        first = presentation.first_member
        other = "b" if first == "a" else "a"
        member = first if row.place == "first" else other
        names = member_conditions(trial)
        before = self._rows[presentation.id, row.place]
        return Typed(
            row=row,
            member=member,
            condition_name=names["ab".index(member) % len(names)],
            condition=Condition.model_validate(row.condition),
            task_name=presented(trial),
            void_before=tuple(one.reason or "" for one in before if one.attempt < row.attempt),
            cells=cells_of(row.measures, row.result),
        )


class SessionsOfVotes:
    """`Reader` of the sessions that votes are about, lot by lot."""

    def __init__(self) -> None:
        self._lot = TypedSessions(())

    async def read(self, session: AsyncSession, presentations: Sequence[Presentation]) -> None:
        """As `Reader`: what was read before is let go."""
        self._lot = await TypedSessions.of(session, presentations)

    def of_presentation(self, presentation: Presentation, trial: Trial) -> tuple[Typed, Typed]:
        """The sessions that count."""
        return (
            self._lot.counted(presentation, trial, "first"),
            self._lot.counted(presentation, trial, "second"),
        )
