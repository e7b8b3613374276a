"""The data dictionary beside an export: one row a column.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from typing import Any

from thinlab.export.column import Column
from thinlab.export.table import Table

NAMES = ("table", "name", "type", "unit", "meaning", "source")


def codebook(tables: Sequence[tuple[str, Sequence[Column[Any]]]]) -> Table:
    """Table, name, type, unit, meaning and source of every column, in the exports' order."""
    return Table(
        NAMES,
        ["text"] * len(NAMES),
        [
            [table, column.name, column.kind, column.unit, column.meaning, column.source]
            for table, columns in tables
            for column in columns
        ],
    )
