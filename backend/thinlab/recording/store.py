"""The recordings' files: one folder a recording, complete or absent.

    recordings/<key>/recording.wav  sender.pcapng  receiver.pcapng  result.json

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

FILES = ("recording.wav", "sender.pcapng", "receiver.pcapng", "result.json")


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
    result: SessionResult


@dataclass(frozen=True)
class Made:
    """A session's yield, before it is stored."""

    samples: bytes
    sender_capture: bytes
    receiver_capture: bytes
    host: Host
    result: SessionResult


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
            result=made.result,
        )
        fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
        try:
            fresh.chmod(0o755)
            durable.write(fresh / "recording.wav", audio)
            durable.write(fresh / "sender.pcapng", made.sender_capture)
            durable.write(fresh / "receiver.pcapng", made.receiver_capture)
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
        captures = all((folder / f"{side}.pcapng").is_file() for side in ("sender", "receiver"))
        whole = hashlib.sha256(audio).hexdigest() == sheet.audio_sha256
        return sheet if captures and whole else None

    def is_whole(self, key: str) -> bool:
        """Whether all files are there and the audio is what it was."""
        return self.read_sheet(key) is not None

    def is_there(self, key: str) -> bool:
        """Whether the files are there; cheaper than `is_whole`, and blind to damage."""
        return all((self.folder / key / name).is_file() for name in FILES)

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
