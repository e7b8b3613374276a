"""The data of a bundle: CSV files named as Psych-DS asks, each with the meaning of its columns.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thinlab.bundle.psych_ds import data_name, write_sidecar
from thinlab.database.engine import Transactions
from thinlab.database.schema import Recording
from thinlab.export import rows
from thinlab.export.codebook import columns_of_tables
from thinlab.export.column import Column
from thinlab.export.entry import Experienced, VoteEntry
from thinlab.export.journal import events
from thinlab.export.kind import Kinds
from thinlab.export.participant_columns import COMPLETION_CODE
from thinlab.export.place_columns import CONDITION
from thinlab.export.table import CsvWriter, Header
from thinlab.export.tidy_columns import of_members
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.study.question import TextQuestion

# Whoever pays by codes knows a name for each.
SECRET = frozenset({COMPLETION_CODE.name})
# What people wrote themselves may name them, and what was written about them, too.
WORDS = frozenset({"final_text", "data", "excluded_by_researcher"})
# Of what was presented; which member it was is the vote's to say.
OF_VOTE = frozenset({"member"})
MEANINGS = {
    "votes": "one row a vote, with all that is known of it and of what was presented",
    "tidy": "one row for each vote and member, by condition and not by place: what the analysis "
    "reads",
    "journal": "one row for each thing that happened on the page before a vote",
    "participants": "one row for everybody who joined, with their answers to the questionnaire",
    "recordings": "one row for each recording that a vote is about, with all that was measured",
}


@dataclass(frozen=True)
class Content:
    """What was written, as far as others have to know."""

    columns: Mapping[str, Sequence[Column[Any]]]
    """By table, as they are in the files."""
    recordings: Mapping[str, str]
    """Keys of the recordings that votes are about, by the SHA-256 of their bytes."""


class Table:
    """One CSV file, written lot by lot."""

    def __init__(self, folder: Path, slug: str, name: str, columns: Sequence[Column[Any]]) -> None:
        self._columns = columns
        self._file = (folder / data_name(slug, name, "csv")).open("wb")
        header = Header([one.name for one in columns], [one.kind for one in columns])
        self._writer = CsvWriter(self._file, header)

    def add(self, entries: Iterable[Any]) -> None:
        """More rows."""
        self._writer.add([column.cell(entry) for column in self._columns] for entry in entries)

    def close(self) -> None:
        """No more rows."""
        self._writer.end()
        self._file.close()


async def write(
    folder: Path, database: Transactions, study: StoredStudy, kinds: Kinds, *, words: bool
) -> Content:
    """Every table of a study into a folder. Without `words` nothing that people wrote is in it."""
    async with database.transaction() as session:
        definitions = await rows.definitions(session, study.slug)
        people = await rows.attendances(session, study)
    left_out = SECRET if words else SECRET | WORDS | _free_answers(definitions)
    columns = {
        name: [column for column in its if column.name not in left_out]
        for name, its in columns_of_tables(definitions, kinds).items()
    }
    recordings = await _votes(folder, database, study, kinds, columns)
    for name, lots in _others(database, study, kinds, columns).items():
        await _all(Table(folder, study.slug, name, columns[name]), lots)
    people_table = Table(folder, study.slug, "participants", columns["participants"])
    people_table.add(people.values())
    people_table.close()
    for name, its in columns.items():
        write_sidecar(folder, study.slug, name, _meaning(name, kinds), its)
    return Content(columns, recordings)


def _free_answers(definitions: Iterable[StudyDefinition]) -> frozenset[str]:
    return frozenset(
        f"answer_{question.id}"
        for definition in definitions
        for question in definition.questionnaire
        if isinstance(question, TextQuestion)
    )


def _meaning(name: str, kinds: Kinds) -> str:
    own = {table: one.meaning for kind in kinds.values() for table, one in kind.tables.items()}
    return MEANINGS.get(name) or own[name]


def _others(
    database: Transactions,
    study: StoredStudy,
    kinds: Kinds,
    columns: Mapping[str, Sequence[Column[Any]]],
) -> dict[str, AsyncIterator[list[Any]]]:
    own = {
        name: table.lots(database, study)
        for kind in kinds.values()
        for name, table in kind.tables.items()
        if name in columns
    }
    return {"journal": events(database, study), **own}


async def _all(table: Table, lots: AsyncIterator[list[Any]]) -> None:
    async for lot in lots:
        table.add(lot)
    table.close()


async def _votes(
    folder: Path,
    database: Transactions,
    study: StoredStudy,
    kinds: Kinds,
    columns: dict[str, list[Column[Any]]],
) -> dict[str, str]:
    """Votes by place and by member, and the recordings behind them."""
    votes = Table(folder, study.slug, "votes", columns["votes"])
    tidy = Table(folder, study.slug, "tidy", columns["tidy"])
    heard: dict[tuple[str, int, str], Experienced] = {}
    async for lot in rows.votes(database, study, kinds):
        votes.add(lot)
        tidy.add(of_members(lot))
        for entry in lot:
            _note(heard, entry)
    votes.close()
    tidy.close()
    if not heard:
        return {}
    media = dict.fromkeys(medium for medium, _, _ in heard)
    columns["recordings"] = [
        *(column for column in CONDITION if column.name not in OF_VOTE),
        *(column for medium in media for column in kinds[medium].place_columns),
    ]
    recordings = Table(folder, study.slug, "recordings", columns["recordings"])
    recordings.add(heard[place] for place in sorted(heard))
    recordings.close()
    found = (one.row for one in heard.values())
    return {row.audio_sha256: row.key for row in found if isinstance(row, Recording)}


def _note(heard: dict[tuple[str, int, str], Experienced], entry: VoteEntry) -> None:
    """Each recording once, however many votes are about it."""
    for one in (entry.first, entry.second):
        if one is not None and one.content is not None:
            place = (entry.presentation.medium, one.row.id, one.condition_name)
            heard.setdefault(place, one)
