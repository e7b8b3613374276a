"""Backup and restore: everything comes back byte for byte, or nothing is touched.

SPDX-License-Identifier: Apache-2.0
"""

import io
import resource
import signal
import stat
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

import asyncpg
import pyarrow as pa
import pytest
from sqlalchemy import func, select, text

from tests.backup.conftest import Backup
from tests.made_up import Participant
from thinlab.backup import restoring, tables
from thinlab.backup.contents import BackupError, KeptTable
from thinlab.database.schema import Demo, Recording, WebSession


def tree(folder: Path) -> dict[str, bytes]:
    """All files under a folder."""
    return {
        str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()
    }


async def test_every_export_and_every_file_comes_back(backup: Backup) -> None:
    before = await backup.exports()
    made = await backup.make()
    assert made.seal.missing == []
    assert stat.S_IMODE(backup.file.stat().st_mode) == 0o600
    await backup.restore()
    assert await backup.restored_exports() == before
    assert tree(backup.elsewhere.recordings) == tree(backup.place.recordings)
    for kind in ("typing", "demos", "tls"):
        assert tree(backup.elsewhere.data / kind) == tree(backup.place.data / kind) != {}
    modes = {one.stat().st_mode & 0o077 for one in backup.elsewhere.data.rglob("*")}
    assert modes == {0}


async def test_numbers_go_on_and_sessions_do_not_come_back(backup: Backup) -> None:
    assert backup.researcher.cookies
    await backup.make()
    await backup.restore()
    async with backup.empty_database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(WebSession)) == 0
        demo = Demo(title="Next", settings={}, build="b")
        session.add(demo)
        await session.flush()
        # The second number had been drawn, and may have files somewhere.
        assert demo.id == 3


async def test_who_takes_part_meanwhile_is_in_it_whole_or_not_at_all(
    backup: Backup, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await backup.exports()
    write_rows = tables.write_rows
    came: list[Participant] = []

    async def somebody_comes(
        connection: asyncpg.Connection, table: KeptTable, file: IO[bytes]
    ) -> int:
        if not came:
            came.append(await Participant.join(backup.researcher))
            await came[0].take_all()
        return await write_rows(connection, table, file)

    monkeypatch.setattr(tables, "write_rows", somebody_comes)
    await backup.make()
    assert came
    assert await backup.exports() != before
    await backup.restore()
    assert await backup.restored_exports() == before


async def test_a_folder_that_is_gone_is_told(backup: Backup) -> None:
    async with backup.services.database.transaction() as session:
        key = await session.scalar(select(Recording.key).order_by(Recording.id))
    backup.services.store.forget(str(key))
    made = await backup.make()
    assert made.seal.missing == [f"recordings/{key}"]


def cut(content: bytes) -> bytes:
    return content[: len(content) * 2 // 3]


def foreign(_: bytes) -> bytes:
    return b"\x7fELF and so on" * 1000


def flipped(content: bytes) -> bytes:
    """Another tar file, sealed as before, in which one byte of a vote is another."""
    plain = pa.CompressedInputStream(pa.BufferReader(content), "zstd").read()
    at = plain.index(b"database/vote.copy")
    at = plain.index(b"second", at)
    return packed(plain[:at] + b"x" + plain[at + 1 :])


def strange(content: bytes) -> bytes:
    """A member that leads out of the place."""
    plain = pa.CompressedInputStream(pa.BufferReader(content), "zstd").read()
    out = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(plain)) as old, tarfile.open(fileobj=out, mode="w") as new:
        for number, entry in enumerate(old):
            new.addfile(entry, old.extractfile(entry))
            if number == 0:
                bad = tarfile.TarInfo("typing/../../etc/cron.d/x")
                new.addfile(bad)
    return packed(out.getvalue())


def newer(content: bytes) -> bytes:
    plain = pa.CompressedInputStream(pa.BufferReader(content), "zstd").read()
    out = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(plain)) as old, tarfile.open(fileobj=out, mode="w") as new:
        for entry in old:
            body = old.extractfile(entry)
            assert body is not None
            text_ = body.read()
            if entry.name == "contents.json":
                text_ = text_.replace(b'"form": 1', b'"form": 2')
            entry.size = len(text_)
            new.addfile(entry, io.BytesIO(text_))
    return packed(out.getvalue())


def packed(plain: bytes) -> bytes:
    return bytes(pa.compress(plain, codec="zstd", asbytes=True))


WRONG = {
    cut: "breaks off|damaged",
    foreign: "not a backup of Thinlab",
    flipped: "database/vote.copy is not what was backed up",
    strange: "does not belong",
    newer: "can read",
}


async def test_a_damaged_or_foreign_file_is_refused_before_anything_is_touched(
    backup: Backup,
) -> None:
    await backup.make()
    whole = backup.file.read_bytes()
    for wrong, said in WRONG.items():
        backup.file.write_bytes(wrong(whole))
        with pytest.raises(BackupError, match=said):
            restoring.check(backup.file, backup.elsewhere)
    assert not backup.elsewhere.data.exists()
    assert not backup.elsewhere.recordings.exists()


async def test_a_place_that_is_not_empty_is_left_alone(backup: Backup) -> None:
    before = await backup.exports()
    files = tree(backup.place.data / "typing")
    await backup.make()
    with pytest.raises(BackupError, match=r"typing is not empty"):
        restoring.check(backup.file, backup.place)
    with pytest.raises(BackupError, match="database is not empty"):
        await backup.restore(backup.services.database)
    assert list(backup.elsewhere.data.iterdir()) == []
    with pytest.raises(BackupError, match="already exists"):
        await backup.make()
    assert await backup.exports() == before
    assert tree(backup.place.data / "typing") == files
    # Another recording under a name that says what it is.
    recordings = sorted(backup.place.recordings.iterdir())
    other = backup.elsewhere.recordings / recordings[0].name
    other.parent.mkdir(parents=True, exist_ok=True)
    recordings[1].rename(other)
    with pytest.raises(BackupError, match="another recording of the same name"):
        await backup.restore()


@contextmanager
def nearly_full_disk(size_bytes: int) -> Iterator[None]:
    """No file may grow beyond this, as where the disk is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


async def test_a_full_disk_leaves_nothing_half(backup: Backup) -> None:
    folder = backup.file.parent / "backups"
    folder.mkdir()
    backup = replace(backup, file=folder / backup.file.name)
    with nearly_full_disk(10_000), pytest.raises(OSError, match="File too large"):
        await backup.make()
    assert list(folder.iterdir()) == []
    await backup.make()
    with nearly_full_disk(5_000), pytest.raises(OSError, match="File too large"):
        await backup.restore()
    assert tree(backup.elsewhere.data) == tree(backup.elsewhere.recordings) == {}
    async with backup.empty_database.transaction() as session:
        assert await session.scalar(text("select to_regclass('vote')")) is None
    # What failed can be done again.
    await backup.restore()
    assert tree(backup.elsewhere.recordings) == tree(backup.place.recordings)
