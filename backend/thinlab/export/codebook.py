"""The data dictionary beside an export: one row a column.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from thinlab.export.column import Cell, Column
from thinlab.export.table import Header

HEADER = Header(
    names=("table", "name", "type", "unit", "meaning", "source"),
    kinds=("text", "text", "text", "text", "text", "text"),
)


def codebook(columns: Mapping[str, Sequence[Column[Any]]]) -> Iterator[Sequence[Cell]]:
    """A row for each column of each table, in the exports' order."""
    for table, its_columns in columns.items():
        for column in its_columns:
            yield (table, column.name, column.kind, column.unit, column.meaning, column.source)
