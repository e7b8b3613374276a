"""Sessions and keys of a study to be typed, read from the database lot by lot.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator, Iterable

from sqlalchemy import select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.engine import Transactions
from thinlab.database.schema import Keystroke, Participant, Presentation, Study
from thinlab.export.entry import Attendance
from thinlab.export.rows import attendances
from thinlab.study.catalogue import StoredStudy
from thinlab.trials.typing.entry import KeyEntry, SessionEntry
from thinlab.trials.typing.exported import TypedSessions

# Each has two sessions and more, each with the curves of two directions.
PRESENTATIONS_AT_ONCE = 50
# A session can hold some ten thousand.
KEYS_AT_ONCE = 5_000


async def sessions(
    database: Transactions, study: StoredStudy, at_once: int = PRESENTATIONS_AT_ONCE
) -> AsyncIterator[list[SessionEntry]]:
    """Every session of every version of a study, trial by trial, void ones too."""
    async with database.transaction() as session:
        everybody = await attendances(session, study)
    last = 0
    while True:
        async with database.transaction() as session:
            presentations = await _presentations_after(session, study.slug, last, at_once)
            typed = await TypedSessions.of(session, presentations)
        found = [
            entry
            for presentation in presentations
            if presentation.participant_id in everybody
            for entry in _entries(everybody[presentation.participant_id], presentation, typed)
        ]
        if found:
            yield found
        if len(presentations) < at_once:
            return
        last = presentations[-1].id


async def keys(
    database: Transactions, study: StoredStudy, at_once: int = KEYS_AT_ONCE
) -> AsyncIterator[list[KeyEntry]]:
    """Every key of these, session by session."""
    async for lot in sessions(database, study):
        entries = {entry.typed.row.id: entry for entry in lot}
        last = (0, 0)
        while True:
            async with database.transaction() as session:
                rows = await _keys_after(session, entries, last, at_once)
            if rows:
                yield [KeyEntry(entries[row.session_id], row) for row in rows]
            if len(rows) < at_once:
                break
            last = (rows[-1].session_id, rows[-1].number)


async def _presentations_after(
    session: AsyncSession, slug: str, last: int, at_once: int
) -> list[Presentation]:
    rows = await session.scalars(
        select(Presentation)
        .join(Participant, Participant.id == Presentation.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, Presentation.medium == "typed", Presentation.id > last)
        .order_by(Presentation.id)
        .limit(at_once)
    )
    return list(rows)


def _entries(
    attendance: Attendance, presentation: Presentation, typed: TypedSessions
) -> Iterable[SessionEntry]:
    block, trial = attendance.definition.trial(presentation.trial_id)
    for one in typed.all_of(presentation, trial):
        yield SessionEntry(attendance, block, trial, presentation, one)


async def _keys_after(
    session: AsyncSession, session_ids: Iterable[int], last: tuple[int, int], at_once: int
) -> list[Keystroke]:
    place = tuple_(Keystroke.session_id, Keystroke.number)
    rows = await session.scalars(
        select(Keystroke)
        .where(Keystroke.session_id.in_(session_ids), place > tuple_(*last))
        .order_by(Keystroke.session_id, Keystroke.number)
        .limit(at_once)
    )
    return list(rows)
