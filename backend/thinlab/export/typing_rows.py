"""Sessions and keys of a study to be typed, read from the database lot by lot.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator, Iterable

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.engine import Database
from thinlab.database.schema import Keystroke, Participant, Presentation, Study
from thinlab.export.entry import Attendance, KeyEntry, SessionEntry
from thinlab.export.rows import attendances
from thinlab.export.typed import TypedSessions
from thinlab.study.catalogue import StoredStudy

# Each has two sessions and more, each with the curves of two directions.
PRESENTATIONS_AT_ONCE = 50


async def sessions(
    database: Database, study: StoredStudy, at_once: int = PRESENTATIONS_AT_ONCE
) -> AsyncIterator[list[SessionEntry]]:
    """Every session of every version of a study, trial by trial, void ones too."""
    async for lot, _ in _lots(database, study, at_once, with_keys=False):
        yield lot


async def keys(
    database: Database, study: StoredStudy, at_once: int = PRESENTATIONS_AT_ONCE
) -> AsyncIterator[Iterable[KeyEntry]]:
    """Every key of these, session by session."""
    async for _, found in _lots(database, study, at_once, with_keys=True):
        yield found


async def _lots(
    database: Database, study: StoredStudy, at_once: int, *, with_keys: bool
) -> AsyncIterator[tuple[list[SessionEntry], list[KeyEntry]]]:
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
            pressed = await _keys_of(session, found) if with_keys else []
        if found:
            yield found, pressed
        if len(presentations) < at_once:
            return
        last = presentations[-1].id


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


async def _keys_of(session: AsyncSession, entries: list[SessionEntry]) -> list[KeyEntry]:
    by_id = {entry.typed.row.id: entry for entry in entries}
    rows = await session.scalars(
        select(Keystroke)
        .where(Keystroke.session_id.in_(by_id))
        .order_by(Keystroke.session_id, Keystroke.number)
    )
    return [KeyEntry(by_id[row.session_id], row) for row in rows]
