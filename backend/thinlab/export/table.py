"""CSV as other programs should meet it: RFC 4180 quoting, and no cell that a spreadsheet runs.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import io
from collections.abc import Iterable, Sequence

Cell = str | int | float | bool | None

# A spreadsheet takes a text that begins so for a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table as CSV: UTF-8, CRLF, empty cell for nothing, `true`/`false`."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([_plain(cell) for cell in row])
    return buffer.getvalue()


def _plain(cell: Cell) -> str | int | float:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, str) and cell.startswith(FORMULA_STARTS):
        return f"'{cell}"
    return cell
