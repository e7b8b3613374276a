"""The files of demos: they grow while a demo runs, and stay as far as they got.

    demos/<id>/take-<n>/lane-<m>-sender.pcapng  lane-<m>-receiver.pcapng
                        lane-<m>-message-ends.txt   for `lab-agent analyze --message-ends`
                        lane-<m>-sound.opus         what was heard of a clip
    demos/<id>/feed/<minute>.ndjson.gz          what was sent to those who watched
    demos/<id>/events.ndjson                    what happened, line by line, at once

The feed is cut into minutes of the demo, each a gzip file of its own: whoever
wants a part reads no more than that, and a server that was killed leaves one
file without an end, not a whole demo. Events are rows of the database; their file
is for the moment between a presenter's being told "done" and the row, in which the
server may be killed.

SPDX-License-Identifier: Apache-2.0
"""

import json
import shutil
import threading
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TypeVar

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo import kept_sound
from thinlab.demo.kept_sound import GrowingSound, KeptSound
from thinlab.private_folder import NumberedFolders, private_folder

NAMES = {
    pb.FILE_KIND_SENDER_CAPTURE: "sender.pcapng",
    pb.FILE_KIND_RECEIVER_CAPTURE: "receiver.pcapng",
    pb.FILE_KIND_MESSAGE_ENDS: "message-ends.txt",
}
SOUND = "sound.opus"
MINUTE_MS = 60_000
# The fastest: a demo leaves the processor to its lanes.
LEVEL = 1
GZIP = 16 + zlib.MAX_WBITS
READ_BYTES = 256 * 1024
EVENTS = "events.ndjson"
Piece = TypeVar("Piece")


class DemoStore(NumberedFolders):
    """Demos' folders under one."""

    def file(self, demo_id: int, take: int, lane: int, name: str) -> Path:
        """A lane's file, by one of `NAMES`."""
        return self.of(demo_id) / f"take-{take}" / f"lane-{lane}-{name}"

    def files(self, demo_id: int, take: int) -> list[str]:
        """Names of a take's files that hold anything."""
        folder = self.of(demo_id) / f"take-{take}"
        return sorted(one.name for one in folder.glob("lane-*") if one.stat().st_size)

    def sound(self, demo_id: int, take: int) -> KeptSound | None:
        """What is kept of what was heard of a take, as its first lane has it; none: nothing."""
        return kept_sound.kept_in(self.file(demo_id, take, 0, SOUND))

    def sound_piece(self, demo_id: int, take: int, lane: int, number: int) -> bytes | None:
        """Ten seconds of what was heard of a lane, as a file; none: there are none."""
        return kept_sound.piece_of(self.file(demo_id, take, lane, SOUND), number)

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

    def events(self, demo_id: int) -> list[str]:
        """Lines of what happened, as far as they are whole."""
        try:
            text = (self.of(demo_id) / EVENTS).read_text(errors="replace")
        except FileNotFoundError:
            return []
        return text.split("\n")[:-1]

    def free_bytes(self) -> int:
        """What the disk has left."""
        private_folder(self.folder)
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

    def __init__(self, store: DemoStore, demo_id: int) -> None:
        self._store = store
        self._demo_id = demo_id
        self._captured: list[tuple[tuple[int, int, str], bytes]] = []
        self._sounds: dict[int, GrowingSound] = {}
        self._lines: list[tuple[int, str]] = []
        self._minute: _Minute | None = None
        self._events: IO[bytes] | None = None
        self._written_bytes = self._events_bytes = 0
        # A write goes on in its thread when whoever waited for it is cancelled: the end would
        # otherwise meet a minute that is half open, and leave its file without an end.
        self._one_at_a_time = threading.Lock()

    @property
    def size_bytes(self) -> int:
        """Written so far."""
        return self._written_bytes + self._events_bytes

    def happened(self, text: str) -> None:
        """A line of what happened: with the system, whatever becomes of us, when this returns."""
        if self._events is None:
            folder = self._store.of(self._demo_id)
            folder.mkdir(parents=True, exist_ok=True)
            self._events = (folder / EVENTS).open("ab", buffering=0)
        self._events_bytes += self._events.write(text.encode() + b"\n") or 0

    def captured(self, take: int, lane: int, kind: pb.FileKind.ValueType, data: bytes) -> None:
        """A capture's next bytes."""
        if kind in NAMES:
            self._captured.append(((take, lane, NAMES[kind]), data))

    def keep_sound(self, take: int, credit: str) -> None:
        """From now on what is heard of a take is kept: it names `credit`."""
        self._sounds[take] = GrowingSound(credit)

    def heard(self, take: int, number: int, at_ms: float, lanes: Sequence[bytes]) -> None:
        """20 ms of a take, which are kept where `keep_sound` was asked for it."""
        if (sound := self._sounds.get(take)) is not None:
            sound.heard(number, at_ms, lanes)

    def told(self, at_ms: float, text: str) -> None:
        """A line of the feed."""
        self._lines.append((max(int(at_ms // MINUTE_MS), 0), text))

    def write(self) -> None:
        """Writes what came since the last time. Any thread may ask; one is served at a time."""
        with self._one_at_a_time:
            self._write()

    def _write(self) -> None:
        captures: defaultdict[tuple[int, int, str], list[bytes]] = defaultdict(list)
        for key, data in _taken(self._captured):
            captures[key].append(data)
        lines = _taken(self._lines)
        for (take, lane, name), pieces in captures.items():
            self._append(take, lane, name, b"".join(pieces))
        for take, sound in list(self._sounds.items()):
            for lane, content in enumerate(sound.grown()):
                self._append(take, lane, SOUND, content)
        for minute, text in lines:
            self._open(minute).add(text)
        if self._minute is not None:
            self._written_bytes += self._minute.flush()

    def _append(self, take: int, lane: int, name: str, content: bytes) -> None:
        path = self._store.file(self._demo_id, take, lane, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(content)
        self._written_bytes += len(content)

    def _open(self, minute: int) -> "_Minute":
        # An event may be told after a moment that is younger: it stays in the minute that is open.
        if self._minute is None or self._minute.number < minute:
            if self._minute is not None:
                self._written_bytes += self._minute.close()
            folder = self._store.of(self._demo_id) / "feed"
            folder.mkdir(parents=True, exist_ok=True)
            self._minute = _Minute(minute, folder)
        return self._minute

    def close(self) -> None:
        """Writes the rest, and lets go of the files even where the disk takes no more."""
        with self._one_at_a_time:
            try:
                self._write()
            finally:
                minute, self._minute = self._minute, None
                events, self._events = self._events, None
                if events is not None:
                    events.close()
                if minute is not None:
                    self._written_bytes += minute.close()


def _taken(waiting: list[Piece]) -> list[Piece]:
    """What waits so far, which waits no more."""
    # More may come meanwhile, from another thread: to a list that was put in another's place, it
    # would come too late.
    count = len(waiting)
    taken = waiting[:count]
    del waiting[:count]
    return taken


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
        with self._file:
            return self._write(self._packer.flush(zlib.Z_FINISH))

    def _write(self, last: bytes) -> int:
        content = b"".join(self._packed) + last
        self._packed = []
        self._file.write(content)
        self._file.flush()
        return len(content)
