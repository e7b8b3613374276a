"""A zip file that says the same bytes for the same files, and that a stranger's may be opened.

SPDX-License-Identifier: Apache-2.0
"""

import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from thinlab import durable

# The earliest that the format knows: what a file is about has no time of day.
NO_TIME = (1980, 1, 1, 0, 0, 0)
READABLE = stat.S_IFREG | 0o644
UNIX = 3
ENCRYPTED = 0x1

MOST_FILES = 2_000
MOST_BYTES = 1 << 30
MOST_PART_BYTES = 1 << 29
CHUNK_BYTES = 1 << 20


class ArchiveError(Exception):
    """A zip file that is damaged, or that nobody of good will has made."""


def pack(target: Path, files: Mapping[str, bytes]) -> None:
    """Writes the files, in the order of their names; the archive appears whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".new-{target.name}")
    try:
        with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in sorted(files):
                entry = zipfile.ZipInfo(name, NO_TIME)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.create_system = UNIX
                entry.external_attr = READABLE << 16
                archive.writestr(entry, files[name])
        durable.sync(fresh)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def unpack(source: Path, folder: Path) -> list[str]:
    """Writes an archive's files into an empty folder and nowhere else; returns their names.

    What an archive says of its sizes is not believed: bytes are counted as they
    come. Raises `ArchiveError` and `OSError`.
    """
    try:
        with zipfile.ZipFile(source) as archive:
            entries = [one for one in archive.infolist() if not one.is_dir()]
            _check(entries)
            left = MOST_BYTES
            for entry in entries:
                left -= _extract(archive, entry, folder, min(left, MOST_PART_BYTES))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ArchiveError(f"{source}: not a zip file that can be read ({error})") from error
    return [one.filename for one in entries]


def _check(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MOST_FILES:
        raise ArchiveError(f"{len(entries)} files; a bundle has at most {MOST_FILES}")
    seen: set[str] = set()
    for entry in entries:
        name = entry.filename
        if fault := _fault(entry):
            raise ArchiveError(f"{name[:200]!r}: {fault}")
        # Of two that differ in case alone, some file systems keep one.
        if name.casefold() in seen:
            raise ArchiveError(f"{name!r} is there twice")
        seen.add(name.casefold())


def _fault(entry: zipfile.ZipInfo) -> str | None:
    """Why an entry is not to be extracted."""
    name = entry.filename
    # zipfile cuts a name at a zero byte; what it was is in `orig_filename`.
    if entry.orig_filename != name or "\\" in name or ":" in name or not name.isprintable():
        return "not a plain name"
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or str(path) != name:
        return "leads out of the archive"
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in {0, stat.S_IFREG}:
        return "a link or a device, not a file"
    if entry.flag_bits & ENCRYPTED:
        return "encrypted"
    return None


def _extract(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, most: int) -> int:
    """Returns how many bytes it had."""
    target = folder / entry.filename
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise ArchiveError(f"{entry.filename!r} lies in a file") from error
    written = 0
    with archive.open(entry) as packed, target.open("xb") as plain:
        while chunk := packed.read(CHUNK_BYTES):
            written += len(chunk)
            if written > most:
                raise ArchiveError(
                    f"{entry.filename!r}: more than a bundle may hold ({MOST_PART_BYTES} bytes a "
                    f"file, {MOST_BYTES} in all)"
                )
            plain.write(chunk)
    return written
