"""A table as CSV, JSON and Parquet: one content, three forms.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thinlab.export.column import Column, Kind

Cell = str | int | float | bool | datetime | None

# A spreadsheet takes a text that begins so for a formula, in full width, too.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001


@dataclass(frozen=True)
class Table:
    """Names, kinds and cells."""

    names: Sequence[str]
    kinds: Sequence["Kind"]
    rows: Sequence[Sequence[Cell]]

    @classmethod
    def of(cls, columns: Sequence["Column[Any]"], entries: Sequence[object]) -> "Table":
        """One row an entry."""
        return cls(
            [column.name for column in columns],
            [column.kind for column in columns],
            [[column.cell(entry) for column in columns] for entry in entries],
        )


def csv_of(table: Table) -> bytes:
    """RFC 4180, UTF-8, CRLF, empty cell for nothing, `true`/`false`, and no cell that runs."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(table.names)
    for row in table.rows:
        writer.writerow([_in_csv(cell) for cell in row])
    return buffer.getvalue().encode()


def json_of(table: Table) -> bytes:
    """A list of one object a row; every name is in every object."""
    rows = (
        json.dumps(
            {name: _in_json(cell) for name, cell in zip(table.names, row, strict=True)},
            ensure_ascii=False,
            allow_nan=False,
        )
        for row in table.rows
    )
    return ("[\n" + ",\n".join(rows) + "\n]\n").encode()


def parquet_of(table: Table) -> bytes:
    """Typed columns: text, int64, double, boolean, timestamp in UTC."""
    # Takes a third of a second to load, and only who exports needs it.
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    types = {
        "text": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "time": pa.timestamp("ms", tz="UTC"),
    }
    columns = [
        pa.array([row[index] for row in table.rows], type=types[kind])
        for index, kind in enumerate(table.kinds)
    ]
    schema = pa.schema(
        [(name, types[kind]) for name, kind in zip(table.names, table.kinds, strict=True)]
    )
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(columns, schema=schema), buffer, compression="zstd")
    return buffer.getvalue()


def iso(at: datetime) -> str:
    """UTC, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


def _in_csv(cell: Cell) -> str | int | float:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case datetime():
            return iso(cell)
        case str() if cell.startswith(FORMULA_STARTS):
            return f"'{cell}"
        case _:
            return cell


def _in_json(cell: Cell) -> str | int | float | bool | None:
    return iso(cell) if isinstance(cell, datetime) else cell
