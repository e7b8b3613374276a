"""The recordings' files: one folder a recording, complete or absent.

    recordings/<key>/recording.wav  sender.pcapng  receiver.pcapng  result.json

A reference has no captures: nothing was sent.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import hashlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from thinlab import durable
from thinlab.clips import wav
from thinlab.contract.generated.results import SessionResult
from thinlab.recording.audio_file import AudioFile

FILES = ("recording.wav", "result.json")
CAPTURES = ("sender.pcapng", "receiver.pcapng")


class StoreError(Exception):
    """A recording's files are missing or damaged; the text names file and remedy."""

    def __init__(self, text: str, key: str | None = None) -> None:
        super().__init__(text)
        self.key = key


class OtherRecordingError(Exception):
    """The same session came out differently than before."""


class Host(BaseModel):
    """On which host a recording was made."""

    build: str
    agent_version: str
    kernel_release: str


class Sheet(BaseModel):
    """`result.json`: what belongs to the files beside it."""

    audio_sha256: str
    duration_ms: int
    host: Host
    result: SessionResult | None
    """None of a reference."""


@dataclass(frozen=True)
class Sent:
    """What a session yields besides the sound."""

    sender_capture: bytes
    receiver_capture: bytes
    result: SessionResult


@dataclass(frozen=True)
class Made:
    """What a recording was made of, before it is stored."""

    samples: bytes
    host: Host
    sent: Sent | None
    """None of a reference."""


class RecordingStore:
    """Recordings under one folder of the cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def clear_half_made(self) -> None:
        """Removes what an interrupted writer left behind."""
        for left in self.folder.glob(".new-*"):
            shutil.rmtree(left, ignore_errors=True)

    def write(self, key: str, made: Made) -> Sheet:
        """Stores a recording: the folder appears whole, by renaming."""
        self.folder.mkdir(parents=True, exist_ok=True)
        audio = wav.encode(made.samples)
        sheet = Sheet(
            audio_sha256=hashlib.sha256(audio).hexdigest(),
            duration_ms=wav.duration_ms(made.samples),
            host=made.host,
            result=None if made.sent is None else made.sent.result,
        )
        fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
        try:
            fresh.chmod(0o755)
            durable.write(fresh / "recording.wav", audio)
            if made.sent is not None:
                durable.write(fresh / "sender.pcapng", made.sent.sender_capture)
                durable.write(fresh / "receiver.pcapng", made.sent.receiver_capture)
            durable.write(fresh / "result.json", sheet.model_dump_json().encode())
            final = self.folder / key
            if final.exists():
                # Only a damaged one is written again.
                shutil.rmtree(final)
            fresh.rename(final)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        return sheet

    def read_sheet(self, key: str) -> Sheet | None:
        """What is known of a stored recording; none if it is absent or damaged."""
        folder = self.folder / key
        try:
            sheet = Sheet.model_validate_json((folder / "result.json").read_bytes())
            audio = (folder / "recording.wav").read_bytes()
        except (OSError, ValueError):
            return None
        captures = sheet.result is None or self._has(key, CAPTURES)
        whole = hashlib.sha256(audio).hexdigest() == sheet.audio_sha256
        return sheet if captures and whole else None

    def is_whole(self, key: str) -> bool:
        """Whether all files are there and the audio is what it was."""
        return self.read_sheet(key) is not None

    def is_there(self, key: str) -> bool:
        """Whether the files are there; cheaper than `is_whole`, and blind to damage."""
        if not self._has(key, FILES):
            return False
        # Only a reference has no captures; all others need no look into a file.
        return self._has(key, CAPTURES) or self._is_reference(key)

    def _is_reference(self, key: str) -> bool:
        try:
            sheet = Sheet.model_validate_json((self.folder / key / "result.json").read_bytes())
        except (OSError, ValueError):
            return False
        return sheet.result is None

    def _has(self, key: str, names: tuple[str, ...]) -> bool:
        return all((self.folder / key / name).is_file() for name in names)

    def forget(self, key: str) -> None:
        """Removes what is left of a damaged recording, to be made again."""
        shutil.rmtree(self.folder / key, ignore_errors=True)

    async def samples(self, key: str) -> bytes:
        """A recording's samples. Raises `StoreError`."""
        return await asyncio.to_thread(self._samples, key)

    def _samples(self, key: str) -> bytes:
        try:
            return wav.read(self.folder / key / "recording.wav")
        except (OSError, wav.WavError) as error:
            raise StoreError(f"{error}; have it recorded again", key) from error

    async def audio(self, key: str) -> AudioFile:
        """A recording's WAV file, to be sent as it is. Raises `StoreError`."""
        try:
            return await AudioFile.of(self.folder / key / "recording.wav")
        except (OSError, wav.WavError) as error:
            raise StoreError(f"{error}; have it recorded again", key) from error

    def capture(self, key: str, side: str) -> Path:
        """The packets as `sender` or `receiver` saw them."""
        return self.folder / key / f"{side}.pcapng"
