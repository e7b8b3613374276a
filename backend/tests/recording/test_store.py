"""Files of recordings and clips: whole or absent, and damage is noticed.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.made_up import HOST, made_up_clips, made_up_result, noise
from thinlab.clips import wav
from thinlab.clips.manifest import ClipError, Clips
from thinlab.recording.audio_file import CHUNK_BYTES
from thinlab.recording.store import Made, RecordingStore, Sent, StoreError

MADE = Made(noise(1), HOST, Sent(b"sender", b"receiver", made_up_result(1)))
REFERENCE = replace(MADE, sent=None)


async def test_what_is_written_is_read(store: RecordingStore) -> None:
    sheet = store.write("key", MADE)
    assert store.read_sheet("key") == sheet
    assert await store.samples("key") == MADE.samples
    assert store.capture("key", "sender").read_bytes() == b"sender"


def test_a_writer_that_dies_leaves_nothing(
    store: RecordingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "rename", full)
    with pytest.raises(OSError, match="No space left"):
        store.write("key", MADE)
    assert store.read_sheet("key") is None
    assert list(store.folder.iterdir()) == []


def test_what_a_killed_writer_left_is_cleared(store: RecordingStore) -> None:
    (store.folder / ".new-abc").mkdir(parents=True)
    (store.folder / ".new-abc" / "recording.wav").write_bytes(b"half")
    store.clear_half_made()
    assert list(store.folder.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["recording.wav", "sender.pcapng", "receiver.pcapng", "result.json"]
)
def test_a_recording_that_lost_a_file_is_absent_and_can_be_made_again(
    store: RecordingStore, name: str
) -> None:
    store.write("key", MADE)
    (store.folder / "key" / name).unlink()
    assert store.read_sheet("key") is None
    store.write("key", MADE)
    assert store.read_sheet("key") is not None


def test_a_reference_has_no_captures_and_is_whole(store: RecordingStore) -> None:
    sheet = store.write("key", REFERENCE)
    assert sheet.result is None
    assert store.read_sheet("key") == sheet
    assert store.is_there("key")
    assert {file.name for file in (store.folder / "key").iterdir()} == {
        "recording.wav",
        "result.json",
    }
    # What was sent is not taken for a reference once its captures are gone.
    store.write("sent", MADE)
    (store.folder / "sent" / "sender.pcapng").unlink()
    assert not store.is_there("sent")


def test_a_damaged_recording_is_absent(store: RecordingStore) -> None:
    store.write("key", MADE)
    path = store.folder / "key" / "recording.wav"
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    assert store.read_sheet("key") is None


def test_equal_lengths_have_equal_headers() -> None:
    assert wav.encode(noise(1))[:44] == wav.encode(noise(2))[:44]
    assert len(wav.encode(noise(1))) == 44 + len(noise(1))


async def test_a_file_is_sent_as_it_lies(store: RecordingStore) -> None:
    store.write("key", MADE)
    audio = await store.audio("key")
    content = (store.folder / "key" / "recording.wav").read_bytes()
    assert b"".join([chunk async for chunk in audio.chunks()]) == content
    assert audio.size_bytes == len(content)


@pytest.mark.parametrize("cut", [lambda whole: whole[:-2], lambda whole: whole[:30], lambda _: b""])
async def test_a_file_that_is_cut_short_is_not_sent(
    store: RecordingStore, cut: Callable[[bytes], bytes]
) -> None:
    store.write("key", MADE)
    path = store.folder / "key" / "recording.wav"
    path.write_bytes(cut(path.read_bytes()))
    with pytest.raises(StoreError, match=r"recording\.wav: .*; have it recorded again"):
        await store.audio("key")
    path.unlink()
    with pytest.raises(StoreError, match="No such file"):
        await store.audio("key")


async def test_listeners_take_turns(store: RecordingStore) -> None:
    """Nobody waits for another's whole file."""
    store.write("key", replace(MADE, samples=noise(1, CHUNK_BYTES * 4)))
    audio = await store.audio("key")
    heard: list[str] = []

    async def listen(name: str) -> None:
        async for _ in audio.chunks():
            heard.append(name)  # noqa: PERF401 (the order of both matters)

    await asyncio.gather(listen("one"), listen("other"))
    assert heard[:4] == ["one", "other", "one", "other"]


def test_only_our_wav_is_read(tmp_path: Path) -> None:
    whole = wav.encode(noise(1))
    for name, content, says in (
        ("not.wav", b"hello", "not a WAV file"),
        ("cut.wav", whole[:-100], "cut short"),
        ("rate.wav", whole[:24] + (44_100).to_bytes(4, "little") + whole[28:], "44100"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(wav.WavError, match=says):
            wav.read(tmp_path / name)


def test_a_clip_is_the_one_that_the_manifest_names(tmp_path: Path) -> None:
    clips = made_up_clips(tmp_path)
    assert clips.samples("speech") == noise("speech")
    (tmp_path / "speech.wav").write_bytes(wav.encode(noise("other")))
    with pytest.raises(ClipError, match="clips/fetch"):
        clips.samples("speech")
    (tmp_path / "speech.wav").unlink()
    with pytest.raises(ClipError, match="No such file"):
        clips.samples("speech")
    with pytest.raises(ClipError, match="manifest"):
        Clips.open(tmp_path / "manifest.yaml", tmp_path)
