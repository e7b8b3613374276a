"""The data dictionary beside an export: one row a column.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from thinlab.export.column import Cell, Column
from thinlab.export.journal import JOURNAL
from thinlab.export.kind import Kinds
from thinlab.export.participant_columns import participant_columns
from thinlab.export.table import Header
from thinlab.export.tidy_columns import tidy_columns
from thinlab.export.vote_columns import vote_columns
from thinlab.study.definition import StudyDefinition

HEADER = Header(
    names=("table", "name", "type", "unit", "meaning", "source"),
    kinds=("text", "text", "text", "text", "text", "text"),
)


def codebook(columns: Mapping[str, Sequence[Column[Any]]]) -> Iterator[Sequence[Cell]]:
    """A row for each column of each table, in the exports' order."""
    for table, its_columns in columns.items():
        for column in its_columns:
            yield (table, column.name, column.kind, column.unit, column.meaning, column.source)


def columns_of_tables(
    definitions: Iterable[StudyDefinition], kinds: Kinds
) -> dict[str, Sequence[Column[Any]]]:
    """Every table that a study's exports have, by name."""
    definitions = list(definitions)
    columns: dict[str, Sequence[Column[Any]]] = {
        "votes": vote_columns(definitions, kinds),
        "tidy": tidy_columns(definitions, kinds),
        "journal": JOURNAL,
        "participants": participant_columns(definitions),
    }
    used = {medium for definition in definitions for medium in definition.media}
    for kind in kinds.values():
        if kind.medium in used:
            columns |= {name: own.columns for name, own in kind.tables.items()}
    return columns
