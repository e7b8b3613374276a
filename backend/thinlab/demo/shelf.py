"""The files of demos: they grow while a demo runs, and stay as far as they got.

    demos/<id>/take-<n>/lane-<m>-sender.pcapng  lane-<m>-receiver.pcapng
                        lane-<m>-message-ends.txt   for `lab-agent analyze --message-ends`
    demos/<id>/feed/<minute>.ndjson.gz          what was sent to those who watched

The feed is cut into minutes of the demo, each a gzip file of its own: whoever
wants a part reads no more than that, and a server that was killed leaves one
file without an end, not a whole demo.

SPDX-License-Identifier: Apache-2.0
"""

import json
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from thinlab.lab.generated import lab_pb2 as pb

NAMES = {
    pb.FILE_KIND_SENDER_CAPTURE: "sender.pcapng",
    pb.FILE_KIND_RECEIVER_CAPTURE: "receiver.pcapng",
    pb.FILE_KIND_MESSAGE_ENDS: "message-ends.txt",
}
MINUTE_MS = 60_000
# The fastest: a demo leaves the processor to its lanes.
LEVEL = 1
GZIP = 16 + zlib.MAX_WBITS
READ_BYTES = 256 * 1024


class DemoShelf:
    """Demos' folders under one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of(self, demo_id: int) -> Path:
        """The folder of a demo."""
        return self.folder / str(demo_id)

    def file(self, demo_id: int, take: int, lane: int, name: str) -> Path:
        """A lane's file, by one of `NAMES`."""
        return self.of(demo_id) / f"take-{take}" / f"lane-{lane}-{name}"

    def files(self, demo_id: int, take: int) -> list[str]:
        """Names of a take's files that hold anything."""
        folder = self.of(demo_id) / f"take-{take}"
        return sorted(one.name for one in folder.glob("lane-*") if one.stat().st_size)

    def size_bytes(self, demo_id: int) -> int:
        """All that a demo has."""
        return sum(one.stat().st_size for one in self.of(demo_id).rglob("*") if one.is_file())

    def told_until_ms(self, demo_id: int) -> float | None:
        """The instant of the last line of a demo's feed; none: it has no line."""
        for path in sorted((self.of(demo_id) / "feed").glob("*.ndjson.gz"), reverse=True):
            lines = b"".join(_unpacked(path)).splitlines()
            if lines:
                at_ms: float = json.loads(lines[-1])["at_ms"]
                return at_ms
        return None

    def free_bytes(self) -> int:
        """What the disk has left."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return shutil.disk_usage(self.folder).free

    def remove(self, demo_id: int) -> None:
        """Deletes a demo's files."""
        shutil.rmtree(self.of(demo_id), ignore_errors=True)

    def feed(self, demo_id: int, from_ms: float, until_ms: float) -> Iterator[bytes]:
        """Lines of the feed between two instants, in pieces, about as it was sent."""
        folder = self.of(demo_id) / "feed"
        for path in sorted(folder.glob("*.ndjson.gz")):
            minute = int(path.name.split(".")[0])
            if minute * MINUTE_MS <= until_ms and (minute + 1) * MINUTE_MS > from_ms:
                yield from _unpacked(path)


def _unpacked(path: Path) -> Iterator[bytes]:
    """Whole lines of a file that may lack its end."""
    unpacker = zlib.decompressobj(GZIP)
    rest = b""
    with path.open("rb") as file:
        while packed := file.read(READ_BYTES):
            try:
                content = rest + unpacker.decompress(packed)
            except zlib.error:
                return
            whole, line_feed, rest = content.rpartition(b"\n")
            if line_feed:
                yield whole + line_feed


class DemoFiles:
    """What one running demo writes. Kept in memory until `write`, which may wait for the disk."""

    def __init__(self, shelf: DemoShelf, demo_id: int) -> None:
        self._shelf = shelf
        self._demo_id = demo_id
        self._captures: dict[tuple[int, int, str], list[bytes]] = {}
        self._lines: list[tuple[int, str]] = []
        self._minute: _Minute | None = None
        self.size_bytes = 0

    def captured(self, take: int, lane: int, kind: pb.FileKind.ValueType, data: bytes) -> None:
        """A capture's next bytes."""
        if kind in NAMES:
            self._captures.setdefault((take, lane, NAMES[kind]), []).append(data)

    def told(self, at_ms: float, text: str) -> None:
        """A line of the feed."""
        self._lines.append((max(int(at_ms // MINUTE_MS), 0), text))

    def write(self) -> None:
        """Writes what came since the last time; one caller at a time."""
        captures, self._captures = self._captures, {}
        lines, self._lines = self._lines, []
        for (take, lane, name), pieces in captures.items():
            path = self._shelf.file(self._demo_id, take, lane, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            content = b"".join(pieces)
            with path.open("ab") as file:
                file.write(content)
            self.size_bytes += len(content)
        for minute, text in lines:
            self._open(minute).add(text)
        if self._minute is not None:
            self.size_bytes += self._minute.flush()

    def _open(self, minute: int) -> "_Minute":
        # An event may be told after a moment that is younger: it stays in the minute that is open.
        if self._minute is None or self._minute.number < minute:
            if self._minute is not None:
                self.size_bytes += self._minute.close()
            folder = self._shelf.of(self._demo_id) / "feed"
            folder.mkdir(parents=True, exist_ok=True)
            self._minute = _Minute(minute, folder)
        return self._minute

    def close(self) -> None:
        """Writes the rest."""
        self.write()
        if self._minute is not None:
            self.size_bytes += self._minute.close()
            self._minute = None


class _Minute:
    """One file of the feed."""

    def __init__(self, number: int, folder: Path) -> None:
        self.number = number
        self._file: IO[bytes] = (folder / f"{number:05}.ndjson.gz").open("wb")
        self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
        self._packed: list[bytes] = []

    def add(self, text: str) -> None:
        self._packed.append(self._packer.compress(text.encode() + b"\n"))

    def flush(self) -> int:
        """To the disk's cache, so that all of it can be read; how much that was."""
        return self._write(self._packer.flush(zlib.Z_SYNC_FLUSH))

    def close(self) -> int:
        written = self._write(self._packer.flush(zlib.Z_FINISH))
        self._file.close()
        return written

    def _write(self, last: bytes) -> int:
        content = b"".join(self._packed) + last
        self._packed = []
        self._file.write(content)
        self._file.flush()
        return len(content)
