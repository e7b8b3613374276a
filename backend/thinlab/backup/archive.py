"""A backup's file: written under another name until it is whole, read to its seal before use.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import io
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pyarrow as pa
from pydantic import ValidationError

from thinlab import durable
from thinlab.backup.contents import (
    CONTENTS,
    ROWS,
    SEAL,
    STORED,
    BackupError,
    Contents,
    Member,
    Seal,
)

# Enough for any table of contents; a foreign file must not fill the memory.
LONGEST_JSON_BYTES = 256 * 1024**2
READ_BYTES = 1024**2


class _Hashing(io.RawIOBase):
    """Reads from another file and adds up what was read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self.digest.update(data)
        return data


class ArchiveWriter:
    """The members of a backup that is being made."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.members: dict[str, Member] = {}

    def add(self, name: str, file: IO[bytes]) -> None:
        """A file as long as it is at this moment; it may grow meanwhile."""
        size_bytes = os.fstat(file.fileno()).st_size
        self._add(name, file, size_bytes)

    def add_text(self, name: str, text: str) -> None:
        """A member made of text."""
        content = text.encode()
        self._add(name, io.BytesIO(content), len(content))

    def _add(self, name: str, file: IO[bytes], size_bytes: int) -> None:
        entry = tarfile.TarInfo(name)
        entry.size = size_bytes
        entry.mode = 0o600
        reader = _Hashing(file)
        self._tar.addfile(entry, reader)
        self.members[name] = Member(sha256=reader.digest.hexdigest(), size_bytes=size_bytes)


@contextmanager
def writing(target: Path) -> Iterator[ArchiveWriter]:
    """A new file, which appears under its name when the block has ended without an error.

    Nobody but its owner may read it. Raises `BackupError` where the name is taken.
    """
    if target.exists():
        raise BackupError(f"{target} already exists; name a new file")
    if not target.parent.is_dir():
        raise BackupError(f"{target.parent} is not a folder; create it, or name another")
    # Made by mkstemp: for its owner alone, whatever the umask.
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    unready = Path(name)
    try:
        # It closes what it is given.
        with (
            pa.CompressedOutputStream(os.fdopen(descriptor, "wb"), "zstd") as packed,
            tarfile.open(fileobj=packed, mode="w|") as tar,
        ):
            yield ArchiveWriter(tar)
        durable.sync(unready)
        unready.rename(target)
        durable.sync(target.parent)
    finally:
        unready.unlink(missing_ok=True)


@contextmanager
def reading(source: Path) -> Iterator[Iterator[tuple[str, IO[bytes]]]]:
    """Names and contents, in order; each to be read before the next is asked for.

    Raises `BackupError` for what is no backup.
    """
    try:
        with (
            source.open("rb") as file,
            pa.CompressedInputStream(file, "zstd") as unpacked,
            tarfile.open(fileobj=unpacked, mode="r|") as tar,
        ):
            yield _members(tar)
    except (tarfile.TarError, EOFError) as error:
        raise BackupError(f"{source} is not a backup of Thinlab, or is damaged: {error}") from error
    except FileNotFoundError as error:
        if error.filename != str(source):
            raise
        raise BackupError(f"{source} is not there") from error
    except OSError as error:
        # zstd tells its faults so, without a number.
        if error.errno is not None:
            raise
        raise BackupError(f"{source} is not a backup of Thinlab, or is damaged: {error}") from error


def _members(tar: tarfile.TarFile) -> Iterator[tuple[str, IO[bytes]]]:
    for entry in tar:
        content = tar.extractfile(entry) if entry.isreg() else None
        if content is None:
            raise BackupError(f"{entry.name!r} does not belong in a backup of Thinlab")
        yield entry.name, content


def checked(source: Path) -> tuple[Contents, Seal]:
    """What a backup holds, after all of it was read once and found whole. Raises `BackupError`."""
    contents: Contents | None = None
    found: dict[str, Member] = {}
    with reading(source) as members:
        for name, content in members:
            if contents is None:
                contents = _contents(source, name, content, found)
            elif name == SEAL:
                seal = _seal(source, content)
                _compare(source, contents, seal, found)
                return contents, seal
            elif not (ROWS.fullmatch(name) or STORED.fullmatch(name)) or name in found:
                raise BackupError(f"{source}: {name!r} does not belong in a backup of Thinlab")
            else:
                found[name] = _measured(content)
    raise BackupError(f"{source} is not a backup of Thinlab, or breaks off before its end")


def _contents(source: Path, name: str, content: IO[bytes], found: dict[str, Member]) -> Contents:
    text = content.read(LONGEST_JSON_BYTES)
    try:
        contents = Contents.model_validate_json(text) if name == CONTENTS else None
    except ValidationError:
        contents = None
    if contents is None or contents.form != 1:
        raise BackupError(f"{source} is not a backup of Thinlab that this version can read")
    found[name] = Member(sha256=hashlib.sha256(text).hexdigest(), size_bytes=len(text))
    return contents


def _seal(source: Path, content: IO[bytes]) -> Seal:
    try:
        return Seal.model_validate_json(content.read(LONGEST_JSON_BYTES))
    except ValidationError as error:
        raise BackupError(f"{source}: its seal is damaged; use another backup") from error


def _compare(source: Path, contents: Contents, seal: Seal, found: dict[str, Member]) -> None:
    for name in sorted(seal.members.keys() | found.keys()):
        if seal.members.get(name) != found.get(name):
            raise BackupError(f"{source}: {name} is not what was backed up; use another backup")
    tables = {f"database/{table.name}.copy" for table in contents.tables}
    if tables != {name for name in found if ROWS.fullmatch(name)}:
        raise BackupError(f"{source}: its tables are not those that it names; use another backup")


def _measured(content: IO[bytes]) -> Member:
    digest, size_bytes = hashlib.sha256(), 0
    while data := content.read(READ_BYTES):
        digest.update(data)
        size_bytes += len(data)
    return Member(sha256=digest.hexdigest(), size_bytes=size_bytes)
