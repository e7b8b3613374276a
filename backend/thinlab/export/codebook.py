"""The data dictionary beside the export: one row a column.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.export.columns import COLUMNS
from thinlab.export.table import csv_text


def csv() -> str:
    """Name, type, unit, meaning and source of every column, in the export's order."""
    return csv_text(
        ["name", "type", "unit", "meaning", "source"],
        [[c.name, c.kind, c.unit, c.meaning, c.source] for c in COLUMNS],
    )
