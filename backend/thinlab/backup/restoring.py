"""Restoring a backup into a place where nothing is yet: all of it, or nothing.

The rows go in by one transaction, on the schema that they had, which is then upgraded as a running
installation's would be. The files are unpacked beside where they belong and renamed last.

SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import asyncpg
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from thinlab import durable
from thinlab.backup import archive, tables
from thinlab.backup.contents import SEAL, STORED, BackupError, Contents, KeptTable, Seal
from thinlab.backup.place import Place
from thinlab.database.engine import async_url, ensure_database
from thinlab.database.migrations import known, newest, upgrade_to
from thinlab.private_folder import private_folder
from thinlab.recording.store import RecordingStore

UNREADY = ".restoring"
SPARE_SHARE = 1.1


@dataclass(frozen=True)
class Checked:
    """A whole backup, and a place that can take it."""

    source: Path
    place: Place
    contents: Contents
    seal: Seal
    shared: frozenset[str]
    """Names of recordings that lie there already, the same."""


def check(source: Path, place: Place) -> Checked:
    """Reads all of a backup and changes nothing. Raises `BackupError`."""
    contents, seal = archive.checked(source)
    if contents.schema_version not in known():
        raise BackupError(
            f"the backup was made by a newer Thinlab (schema {contents.schema_version}, this one "
            f"knows {newest()}); restore it with Thinlab {contents.version} or later"
        )
    return Checked(source, place, contents, seal, _check_folders(place, seal))


async def restore(checked: Checked, url: str) -> None:
    """Fills a place and an empty database.

    Raises `BackupError`, and then nothing is there that was not.
    """
    await ensure_database(url)
    # No limit to how long a command takes: rows by the million, and indexes over them.
    engine = create_async_engine(async_url(url), connect_args={"timeout": 10})
    placed: list[Path] = []
    try:
        with _unready(checked.place) as unready:
            async with engine.begin() as connection:
                await _enter(connection, checked, unready)
                _into_place(checked.place, unready, placed)
    except BaseException:
        # Without its rows no file belongs here.
        for folder in placed:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    finally:
        await engine.dispose()


def _check_folders(place: Place, seal: Seal) -> frozenset[str]:
    """That nothing is overwritten. Returns which recordings lie there already, the same."""
    for kind in ("typing", "demos", "tls"):
        folder = place.data / kind
        if folder.is_dir() and any(folder.iterdir()):
            raise BackupError(
                f"{folder} is not empty; restore into another THINLAB_DATA, or remove it"
            )
    store = RecordingStore(place.recordings)
    shared = set()
    keys = {name.split("/")[1] for name in seal.members if name.startswith("recordings/")}
    for key in keys:
        if (sheet := store.read_sheet(key)) is not None:
            # Recordings may be shared: their key says what they are.
            if sheet.audio_sha256 != seal.members[f"recordings/{key}/recording.wav"].sha256:
                raise BackupError(
                    f"{place.path(f'recordings/{key}')} holds another recording of the same name; "
                    "set THINLAB_RECORDINGS to an empty folder"
                )
            shared.add(f"recordings/{key}")
    _check_space(place, seal, shared)
    return frozenset(shared)


def _check_space(place: Place, seal: Seal, shared: set[str]) -> None:
    """Before anything is written; another who fills the disk meanwhile is found out later."""
    needed: dict[Path, int] = {}
    for name, member in seal.members.items():
        if _folder_of(name) not in shared:
            folder = place.recordings if name.startswith("recordings/") else place.data
            needed[folder] = needed.get(folder, 0) + member.size_bytes
    for folder, size_bytes in needed.items():
        free = shutil.disk_usage(_there(folder)).free
        if free < size_bytes * SPARE_SHARE:
            raise BackupError(
                f"{folder}: {free // 1_000_000} MB are free, "
                f"{int(size_bytes * SPARE_SHARE) // 1_000_000} MB are needed; make room"
            )


def _folder_of(name: str) -> str:
    return "/".join(name.split("/")[:2])


def _there(folder: Path) -> Path:
    return next(one for one in (folder, *folder.parents) if one.is_dir())


@contextmanager
def _unready(place: Place) -> Iterator[Place]:
    """Folders beside the right ones, gone at the end."""
    unready = Place(place.data / UNREADY, place.recordings / UNREADY)
    folders = (unready.data, unready.recordings)
    for folder in folders:
        # One that was killed left it.
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700, parents=True)
    try:
        yield unready
    finally:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


async def _enter(connection: AsyncConnection, checked: Checked, unready: Place) -> None:
    driver: asyncpg.Connection = (await connection.get_raw_connection()).driver_connection  # type: ignore[assignment]
    if not await tables.is_empty(driver):
        raise BackupError("the database is not empty; give THINLAB_DATA or the address of another")
    await connection.run_sync(upgrade_to, checked.contents.schema_version)
    by_name = {f"database/{table.name}.copy": table for table in checked.contents.tables}
    with archive.reading(checked.source) as members:
        for name, content in members:
            if table := by_name.get(name):
                await _enter_rows(driver, table, content, checked.seal)
            elif STORED.fullmatch(name) and _folder_of(name) not in checked.shared:
                _unpack(unready.path(name), content)
            elif name == SEAL:
                break
    await connection.run_sync(upgrade_to, newest())


async def _enter_rows(
    driver: asyncpg.Connection, table: KeptTable, content: IO[bytes], seal: Seal
) -> None:
    entered = await tables.enter_rows(driver, table, content)
    if entered != seal.rows[table.name]:
        raise BackupError(f"{table.name}: {entered} rows of {seal.rows[table.name]} were entered")


def _unpack(path: Path, content: IO[bytes]) -> None:
    for folder in [one for one in path.parents if not one.exists()][::-1]:
        private_folder(folder)
    # Some are keys, and answers are in others.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        shutil.copyfileobj(content, file)
        file.flush()
        os.fsync(file.fileno())


def _into_place(place: Place, unready: Place, placed: list[Path]) -> None:
    """The last step but the commit; tells what is there now, also when it fails."""
    for folder in sorted(unready.recordings.iterdir()):
        final = place.recordings / folder.name
        # A damaged one: a whole one was kept.
        shutil.rmtree(final, ignore_errors=True)
        folder.rename(final)
        placed.append(final)
    for folder in sorted(unready.data.iterdir()):
        final = place.data / folder.name
        if final.is_dir():
            final.rmdir()
        folder.rename(final)
        placed.append(final)
    for changed in (place.data, place.recordings):
        durable.sync(changed)
