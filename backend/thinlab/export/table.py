"""A table as CSV, JSON, Parquet and XLSX: one content, four forms.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import BinaryIO, Protocol

from thinlab.export.column import Cell, Kind

# A spreadsheet takes a text that begins so for a formula, in full width, too; one that reads tables
# with another separator than ours begins anew within a text.
FORMULA = re.compile(r"(^|[;|\t\r\n])([ \xa0]*)(?=[=+\-@＝＋－＠])")  # noqa: RUF001
BLANK_STARTS = ("\t", "\r", "\n")


@dataclass(frozen=True)
class Header:
    """Names and kinds of a table's columns."""

    names: Sequence[str]
    kinds: Sequence[Kind]


Rows = Iterable[Sequence[Cell]]


class Writer(Protocol):
    """Writes a table, some rows at a time."""

    def add(self, rows: Rows) -> None:
        """More rows."""
        ...

    def end(self) -> None:
        """No more rows."""
        ...


class CsvWriter:
    """RFC 4180, UTF-8, CRLF, empty cell for nothing, `true`/`false`, and no cell that runs."""

    def __init__(self, file: BinaryIO, header: Header) -> None:
        self._text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        self._writer = csv.writer(self._text, lineterminator="\r\n")
        self._writer.writerow(header.names)

    def add(self, rows: Rows) -> None:
        """More rows."""
        for row in rows:
            self._writer.writerow([_in_csv(cell) for cell in row])

    def end(self) -> None:
        """No more rows."""
        self._text.flush()
        self._text.detach()


class JsonWriter:
    """A list of one object a row; every name is in every object."""

    def __init__(self, file: BinaryIO, header: Header) -> None:
        self._file = file
        self._names = header.names
        self._between = b"[\n"

    def add(self, rows: Rows) -> None:
        """More rows."""
        for row in rows:
            cells = {name: _in_json(cell) for name, cell in zip(self._names, row, strict=True)}
            text = json.dumps(cells, ensure_ascii=False, allow_nan=False)
            self._file.write(self._between + text.encode())
            self._between = b",\n"

    def end(self) -> None:
        """No more rows."""
        self._file.write(b"\n]\n" if self._between == b",\n" else b"[]\n")


class ParquetWriter:
    """Typed columns: text, int64, double, boolean, timestamp in UTC."""

    def __init__(self, file: BinaryIO, header: Header) -> None:
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
        self._table = pa.Table
        self._array = pa.array
        pairs = zip(header.names, header.kinds, strict=True)
        self._schema = pa.schema([(name, types[kind]) for name, kind in pairs])
        self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")

    def add(self, rows: Rows) -> None:
        """More rows."""
        columns = list(zip(*rows, strict=True))
        if not columns:
            return
        arrays = [
            self._array(column, type=field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        self._writer.write_table(self._table.from_arrays(arrays, schema=self._schema))

    def end(self) -> None:
        """No more rows."""
        self._writer.close()


class XlsxWriter:
    """One sheet, and more where a table is longer than one can be. A text is a text: nothing runs.

    Times are a spreadsheet's own, in UTC; a whole number that it cannot hold exactly is a text.
    """

    SHEET_ROWS = 1_048_576
    CELL_CHARACTERS = 32_767
    EXACT = 2**53

    def __init__(self, file: BinaryIO, header: Header) -> None:
        from xlsxwriter import Workbook  # noqa: PLC0415 (only who exports needs it)

        # Row after row to a file, so that a table of any length takes the same memory.
        self._book = Workbook(file, {"constant_memory": True, "remove_timezone": True})
        self._time = self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss.000"})
        self._names = header.names
        self._begin_sheet()

    def _begin_sheet(self) -> None:
        self._sheet = self._book.add_worksheet()
        self._row = 0
        self._write(self._names)
        self._sheet.freeze_panes(1, 0)

    def _write(self, row: Sequence[Cell]) -> None:
        for column, cell in enumerate(row):
            match cell:
                case None:
                    pass
                case bool():
                    self._sheet.write_boolean(self._row, column, cell)
                case datetime():
                    self._sheet.write_datetime(self._row, column, cell.astimezone(UTC), self._time)
                case int() | float() if abs(cell) <= self.EXACT:
                    self._sheet.write_number(self._row, column, cell)
                case _:
                    text = str(cell)
                    if len(text) > self.CELL_CHARACTERS:
                        text = f"{text[: self.CELL_CHARACTERS - 1]}…"
                    self._sheet.write_string(self._row, column, text)
        self._row += 1

    def add(self, rows: Rows) -> None:
        """More rows."""
        for row in rows:
            if self._row == self.SHEET_ROWS:
                self._begin_sheet()
            self._write(row)

    def end(self) -> None:
        """No more rows."""
        self._book.close()


WRITERS: Mapping[str, Callable[[BinaryIO, Header], Writer]] = {
    "csv": CsvWriter,
    "json": JsonWriter,
    "parquet": ParquetWriter,
    "xlsx": XlsxWriter,
}


def iso(at: datetime) -> str:
    """UTC, to the millisecond."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


def without_formulas(text: str) -> str:
    """A text of which no part runs in a spreadsheet that reads it as CSV."""
    guarded = FORMULA.sub(r"\1'\2", text)
    return f"'{guarded}" if guarded.startswith(BLANK_STARTS) else guarded


def _in_csv(cell: Cell) -> str | int | float:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case datetime():
            return iso(cell)
        case str():
            return without_formulas(cell)
        case _:
            return cell


def _in_json(cell: Cell) -> str | int | float | bool | None:
    return iso(cell) if isinstance(cell, datetime) else cell
