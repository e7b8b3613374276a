"""Making a backup beside a running server: one snapshot's rows, then the files that they name.

Sound because files are written before their rows and appear whole, by renaming: what the snapshot
names is there, unless it was deleted since (somebody withdrew, a demo was removed). Then it is
told as missing. A running demo's files only grow, and may end anywhere.

SPDX-License-Identifier: Apache-2.0
"""

import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import asyncpg

from thinlab import __version__
from thinlab.backup import archive, tables
from thinlab.backup.archive import ArchiveWriter
from thinlab.backup.contents import CONTENTS, SEAL, BackupError, Contents, Seal
from thinlab.backup.place import Place


@dataclass(frozen=True)
class Made:
    """A finished backup."""

    file: Path
    size_bytes: int
    seal: Seal
    made_at: datetime


async def make(url: str, place: Place, target: Path) -> Made:
    """Writes a backup, whole or not at all. Raises `BackupError`."""
    async with tables.snapshot(url) as connection:
        version = await tables.schema_version(connection)
        if version is None:
            raise BackupError("the database holds nothing of Thinlab's yet: nothing to back up")
        made_at = datetime.now(UTC)
        contents = Contents(
            version=__version__,
            schema_version=version,
            made_at=made_at,
            tables=await tables.kept_tables(connection),
        )
        with archive.writing(target) as writer:
            seal = await _write(connection, place, contents, writer, target.parent)
    return Made(target, _size_bytes(target), seal, made_at)


async def _write(
    connection: asyncpg.Connection,
    place: Place,
    contents: Contents,
    writer: ArchiveWriter,
    beside: Path,
) -> Seal:
    writer.add_text(CONTENTS, contents.model_dump_json(indent=2))
    rows = {}
    for table in contents.tables:
        # In a tar file a member's length comes first.
        with tempfile.TemporaryFile(dir=beside) as file:
            rows[table.name] = await tables.write_rows(connection, table, file)
            file.seek(0)
            writer.add(f"database/{table.name}.copy", file)
    missing = [
        folder.name
        for folder in await place.named_by(connection)
        if not _add_folder(writer, folder.name, place.path(folder.name)) and folder.has_files
    ]
    seal = Seal(members=writer.members, rows=rows, missing=missing)
    writer.add_text(SEAL, seal.model_dump_json())
    return seal


def _size_bytes(file: Path) -> int:
    return file.stat().st_size


def _add_folder(writer: ArchiveWriter, name: str, folder: Path) -> bool:
    """Adds what lies in a folder; whether anything did."""
    added = False
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with suppress(FileNotFoundError), path.open("rb") as file:
                writer.add(f"{name}/{path.relative_to(folder).as_posix()}", file)
                added = True
    return added
