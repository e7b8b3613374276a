"""What was heard of a take: kept as it was sent, and given again piece by piece.

SPDX-License-Identifier: Apache-2.0
"""

import io
import math
import resource
from contextlib import suppress
from pathlib import Path

import av
import numpy as np
import pytest
from httpx import AsyncClient
from numpy.typing import NDArray

from tests.demo import marked_sound
from tests.demo.conftest import Stage
from tests.demo.kept_sounds import decoded
from tests.running.thinlab_process import PATIENCE_S
from thinlab.demo import kept_sound, ogg_opus
from thinlab.demo.kept_sound import PACKET_MS, PIECE_MS, PIECE_PACKETS
from thinlab.demo.rtp_stream import SAMPLES_PER_PACKET, SAMPLES_PER_S
from thinlab.demo.store import DemoFiles, DemoStore

CREDIT = "“Speech” by nobody, CC BY 0."
BEGAN_MS = 1_234.5
LOOP_S = 2
SECONDS = 24
# Chirps half a second apart are found to the sample; a codec moves their peak by one or two.
MARK_SAMPLES = 4
QUIET = 0.01


def marks(sound: NDArray[np.float64]) -> list[int]:
    """Where chirps begin, in samples."""
    found = np.correlate(sound, marked_sound.chirp())
    whole = marked_sound.CHIRP_SHARE * float(np.sum(marked_sound.chirp() ** 2))
    begins: list[int] = []
    at = 0
    while at < len(found):
        if found[at] < marked_sound.FOUND_SHARE * whole:
            at += 1
            continue
        begins.append(at + int(np.argmax(found[at : at + marked_sound.CHIRP_SAMPLES])))
        at = begins[-1] + marked_sound.CHIRP_SAMPLES
    return begins


def kept(folder: Path, seconds: float, *, hole: range = range(0)) -> DemoStore:
    """A take of two lanes that was heard; of some packets nothing came."""
    store = DemoStore(folder)
    files = DemoFiles(store, 7)
    files.keep_sound(1, CREDIT)
    lanes = [marked_sound.packets(lane, LOOP_S) for lane in range(2)]
    for number in range(round(seconds * 1_000 / PACKET_MS)):
        if number in hole:
            continue
        of_all = [lane[number % len(lane)] for lane in lanes]
        files.heard(1, number, BEGAN_MS + number * PACKET_MS, of_all)
        if number % 50 == 7:
            files.write()
    files.close()
    return store


def test_the_file_plays_as_it_is_and_says_whose_it_is(tmp_path: Path) -> None:
    store = kept(tmp_path, SECONDS)
    found = store.sound(7, 1)
    assert found == kept_sound.KeptSound(BEGAN_MS, SECONDS * 1_000, CREDIT)
    for lane in range(2):
        content = store.file(7, 1, lane, "sound.opus").read_bytes()
        sound = decoded(content)
        # Without an end of its own, what the encoder's way swallows is missing.
        assert len(sound) == SECONDS * SAMPLES_PER_S - ogg_opus.ENCODER_SAMPLES
        begins = marks(sound)
        assert len(begins) == 2 * SECONDS
        wanted = np.arange(2 * SECONDS) * SAMPLES_PER_S // 2
        assert np.abs(np.array(begins) - wanted).max() <= MARK_SAMPLES
        with av.open(io.BytesIO(content), "r") as file:
            assert CREDIT in file.streams.audio[0].metadata.values()


def test_pieces_lie_beside_each_other_as_if_they_were_one(tmp_path: Path) -> None:
    store = kept(tmp_path, SECONDS)
    whole = decoded(store.file(7, 1, 1, "sound.opus").read_bytes())
    pieces: list[NDArray[np.float64]] = []
    while (content := store.sound_piece(7, 1, 1, len(pieces))) is not None:
        pieces.append(decoded(content))
    assert [len(piece) for piece in pieces] == [
        10 * SAMPLES_PER_S,
        10 * SAMPLES_PER_S,
        4 * SAMPLES_PER_S,
    ]
    joined = np.concatenate(pieces)[: len(whole)]
    # A decoder that begins in the middle is right after what is decoded and not heard.
    assert np.abs(joined - whole).max() < QUIET


def test_each_piece_of_a_long_take_is_found(tmp_path: Path) -> None:
    store = DemoStore(tmp_path)
    files = DemoFiles(store, 7)
    files.keep_sound(1, CREDIT)
    minutes = 10
    # Each packet says which it is: of 20 ms, and of other lengths than its neighbours.
    for number in range(minutes * 60_000 // PACKET_MS):
        packet = b"\xf8" + number.to_bytes(4, "big") + bytes(number % 300)
        files.heard(1, number, BEGAN_MS + number * PACKET_MS, [packet])
        if number % 50 == 0:
            files.write()
    files.close()
    found = store.sound(7, 1)
    assert found is not None
    assert found.length_ms == minutes * 60_000
    path = store.file(7, 1, 0, "sound.opus")
    assert path.stat().st_size > 20 * ogg_opus.NEAR_BYTES
    with path.open("rb") as file:
        for first in range(0, minutes * 60_000 // PACKET_MS, 137):
            some = ogg_opus.packets_between(file, first, first + 3)
            assert [int.from_bytes(one[1:5], "big") for one in some] == [
                first,
                first + 1,
                first + 2,
            ]


def test_what_was_not_heard_is_silence_in_its_place(tmp_path: Path) -> None:
    hole = range(100, 150)
    store = kept(tmp_path, 6, hole=hole)
    sound = decoded(store.file(7, 1, 0, "sound.opus").read_bytes())
    loud = np.abs(sound).reshape(-1)[: 5 * SAMPLES_PER_S]
    inside = loud[(hole.start + 1) * SAMPLES_PER_PACKET : (hole.stop - 1) * SAMPLES_PER_PACKET]
    assert inside.max() < QUIET
    # One second of two chirps is missing, and what comes after it is where it was.
    begins = marks(sound)
    assert len(begins) == 2 * 6 - 2
    assert abs(begins[-1] - (2 * 6 - 1) * SAMPLES_PER_S // 2) <= MARK_SAMPLES


@pytest.mark.parametrize("torn", [1, 30, 400, 5_000])
def test_a_file_whose_writer_was_killed_is_whole_up_to_its_last_page(
    tmp_path: Path, torn: int
) -> None:
    store = kept(tmp_path, 5)
    path = store.file(7, 1, 0, "sound.opus")
    path.write_bytes(path.read_bytes()[:-torn])
    found = store.sound(7, 1)
    assert found is not None
    assert 3_000 < found.length_ms < 5_000
    piece = store.sound_piece(7, 1, 0, 0)
    assert piece is not None
    assert len(decoded(piece)) == found.length_ms * SAMPLES_PER_S // 1_000


def test_on_a_disk_that_was_full_stays_what_came_before(tmp_path: Path) -> None:
    store = DemoStore(tmp_path)
    files = DemoFiles(store, 7)
    files.keep_sound(1, CREDIT)
    lane = marked_sound.packets(0, LOOP_S)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Room for the first seconds, and for a part of a page.
    resource.setrlimit(resource.RLIMIT_FSIZE, (sum(map(len, lane)) + 2_000, usual[1]))
    try:
        for second in range(4):
            for number in range(second * 50, second * 50 + 50):
                files.heard(1, number, BEGAN_MS + number * PACKET_MS, [lane[number % len(lane)]])
            with suppress(OSError):
                files.write()
        with suppress(OSError):
            files.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    piece = store.sound_piece(7, 1, 0, 0)
    assert piece is not None
    sound = decoded(piece)
    assert 1 <= len(sound) / SAMPLES_PER_S < 3
    assert len(marks(sound)) == len(sound) // (SAMPLES_PER_S // 2)


def test_what_is_no_sound_is_told_from_it(tmp_path: Path) -> None:
    store = kept(tmp_path, 5)
    path = store.file(7, 1, 0, "sound.opus")
    whole = path.read_bytes()
    for damaged in (b"", b"OggS", whole[:60], b"RIFF" + whole, bytes(5_000)):
        path.write_bytes(damaged)
        assert store.sound(7, 1) is None
        assert store.sound_piece(7, 1, 0, 0) is None
    # A page that was written half, with others after it: what comes before it is heard.
    path.write_bytes(whole[:20_000] + whole[20_500:])
    piece = store.sound_piece(7, 1, 0, 0)
    assert piece is not None
    assert 0 < len(decoded(piece)) < 3 * SAMPLES_PER_S
    assert store.sound(7, 2) is None
    assert store.sound_piece(7, 1, 3, 0) is None


def test_nothing_is_kept_of_a_take_that_nobody_asked_it_for(tmp_path: Path) -> None:
    store = DemoStore(tmp_path)
    files = DemoFiles(store, 7)
    files.keep_sound(1, CREDIT)
    for number in range(10):
        files.heard(2, number, number * PACKET_MS, [ogg_opus.SILENCE])
    files.close()
    assert store.sound(7, 1) is None
    assert store.sound(7, 2) is None


async def heard_for_a_second(stage: Stage, **changes: object) -> int:
    """A demo that has ended after a second at least; its number."""
    summary, console = await stage.running(**changes)
    await console.until(lambda one: one["type"] == "moment" and "whole" in one["lanes"][0])
    return await stage.end(console, summary["demo_id"])


async def test_a_replay_has_the_sound_of_each_lane(stage: Stage) -> None:
    demo_id = await heard_for_a_second(stage)
    path = f"/api/demos/{demo_id}"
    (take,) = (await stage.browser.get(path)).json()["takes"]
    sound = take["sound"]
    # The stand-in's first sample is heard when its take is ready.
    assert sound["began_at_ms"] == pytest.approx(take["ready_at_ms"], abs=0.01)
    assert sound["length_ms"] >= 1_000
    assert sound["piece_ms"] == PIECE_MS
    assert sound["credit"] == "Made up, number 1. CC0-1.0."
    for lane in range(2):
        piece = await stage.browser.get(f"{path}/takes/1/lanes/{lane}/sound/0")
        assert piece.headers["content-type"] == "audio/ogg"
        in_it_ms = min(sound["length_ms"], PIECE_MS)
        assert len(decoded(piece.content)) == in_it_ms * SAMPLES_PER_S // 1_000
        whole = await stage.browser.get(f"{path}/takes/1/lanes/{lane}/sound.opus")
        assert "attachment" in whole.headers["content-disposition"]
        part = await stage.browser.get(
            f"{path}/takes/1/lanes/{lane}/sound.opus", headers={"Range": "bytes=10-29"}
        )
        assert (part.status_code, part.content) == (206, whole.content[10:30])
    # However long the take was: the pieces are numbered from zero.
    after_last = math.ceil(sound["length_ms"] / PIECE_MS)
    for missing in (
        f"takes/1/lanes/0/sound/{after_last}",
        "takes/1/lanes/2/sound/0",
        "takes/2/lanes/0/sound/0",
    ):
        assert (await stage.browser.get(f"{path}/{missing}")).status_code == 404
    for wrong in ("takes/1/lanes/0/sound/-1", "takes/1/lanes/9/sound/0", "takes/1/lanes/0/sound/x"):
        assert (await stage.browser.get(f"{path}/{wrong}")).status_code == 422


async def test_the_sound_is_shared_and_deleted_with_the_replay(stage: Stage) -> None:
    demo_id = await heard_for_a_second(stage)
    path, piece = f"/api/demos/{demo_id}", "takes/1/lanes/0/sound/0"
    own = (await stage.browser.get(f"{path}/{piece}")).content
    async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as other:
        assert (await other.get(f"{path}/{piece}")).status_code == 401
        assert (await other.get(f"/api/shared-demos/guessed/{piece}")).status_code == 404
        shared = f"/api/shared-demos/{await stage.share(demo_id)}"
        assert (await other.get(f"{shared}/{piece}")).content == own
        assert (await other.get(shared)).json()["takes"][0]["sound"]["length_ms"] >= 1_000
        await stage.browser.delete(f"{path}/share")
        assert (await other.get(f"{shared}/{piece}")).status_code == 404
    assert (await stage.browser.delete(path)).status_code == 204
    assert (await stage.browser.get(f"{path}/{piece}")).status_code == 404
    assert not stage.services.demos.store.of(demo_id).exists()


@pytest.mark.parametrize(
    "stream",
    [
        {"kind": "microphone"},
        {"kind": "synthetic", "payload_bytes": 120, "iat_ms": 20},
        {"kind": "terminal", "editor": "vi", "text": ""},
    ],
    ids=lambda stream: stream["kind"],
)
async def test_of_what_is_no_clip_no_sound_is_kept(stage: Stage, stream: dict[str, object]) -> None:
    demo_id = await heard_for_a_second(stage, stream=stream)
    path = f"/api/demos/{demo_id}"
    (take,) = (await stage.browser.get(path)).json()["takes"]
    assert take["sound"] is None
    assert (await stage.browser.get(f"{path}/takes/1/lanes/0/sound/0")).status_code == 404
    assert not [name for name in take["captures"] if "sound" in name]


def test_piece_and_packet_fit() -> None:
    assert PIECE_PACKETS * PACKET_MS == PIECE_MS
