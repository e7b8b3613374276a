"""Where a game's tanks were, as `lab-agent/captures/game/positions` reads it, of made-up games.

SPDX-License-Identifier: Apache-2.0
"""

import itertools
import json
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from thinlab.experiment.tanks.known import known_in
from thinlab.settings import CHECKOUT

POSITIONS = CHECKOUT / "lab-agent" / "captures" / "game" / "positions"
CLIENT, SERVER = ("127.0.0.1", 40000), ("127.0.0.1", 5154)
SYN, ACK, PSH = 0x02, 0x10, 0x08
FIRST = 0xFFFF_FFF0
"""The number of the first byte: soon after it they begin again."""
ALIVE, FALLS = 1, 1 << 6
GREETING = b"BZFS0221\x07"


def message(code: bytes, body: bytes) -> bytes:
    return struct.pack(">H2s", len(body), code) + body


def small(player: int, stamp: float, numbers: Sequence[int], status: int = ALIVE) -> bytes:
    return message(b"ps", struct.pack(">fBih8h", stamp, player, 1, status, *numbers))


def whole(player: int, stamp: float, numbers: Sequence[float], status: int = ALIVE) -> bytes:
    return message(b"pu", struct.pack(">fBih8f", stamp, player, 1, status, *numbers))


def alive(player: int, *position: float) -> bytes:
    return message(b"al", struct.pack(">B4f", player, *position, 0.5))


def killed(player: int) -> bytes:
    return message(b"kl", struct.pack(">BBh", player, 2, 1))


def segment(offset: int, payload: bytes, flags: int = ACK | PSH, *, first: bool = False) -> bytes:
    """Of what the server sends, as loopback has it; `first`: instead of it, its SYN."""
    number = (FIRST + offset - first) % (1 << 32)
    head = struct.pack(
        ">HHIIBBHHH", SERVER[1], CLIENT[1], number, 0, 5 << 4, SYN if first else flags, 0, 0, 0
    )
    address = bytes(int(part) for part in SERVER[0].split("."))
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 40 + len(payload), 0, 0, 64, 6, 0, address, address)
    return bytes(12) + b"\x08\x00" + ip + head + payload


def played(folder: Path, stream: bytes, frames: Sequence[bytes]) -> None:
    """A folder as `make` leaves it behind."""
    records = (
        struct.pack("<IIII", at, 0, len(frame), len(frame)) + frame
        for at, frame in enumerate(frames)
    )
    head = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1)
    (folder / "bzflag.pcap").write_bytes(head + b"".join(records))
    connection = {
        "client": "127.0.0.1:40000",
        "server": "127.0.0.1:5154",
        "there": [],
        "back": [{"at_ns": 0, "bytes": len(stream)}],
    }
    (folder / "bzflag.json").write_text(json.dumps({"connections": [connection]}))


def as_one(stream: bytes) -> list[bytes]:
    return [segment(0, b"", first=True), segment(0, stream)]


def run(folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([POSITIONS, folder], capture_output=True, text=True, check=False)


def positions(folder: Path) -> dict[str, Any]:
    done = run(folder)
    assert (done.returncode, done.stderr) == (0, "")
    text = (folder / "bzflag-positions.json").read_text()
    # What the experiments read it with.
    assert list(known_in(text)) == [("127.0.0.1:40000", "127.0.0.1:5154")]
    told: dict[str, Any] = json.loads(text)
    return told


def test_every_form_of_a_message_says_where_its_tank_is(tmp_path: Path) -> None:
    messages = [
        alive(3, 1.5, -2.0, 0.0),
        message(b"sb", b"a shot begins"),
        small(3, 1.25, [100, -100, 50, 2500, -1250, 10, 12345, -785]),
        whole(3, 2.5, [700.0, -2.0, 0.5, 20.0, 0.0, 9.0, 3.0, 0.25], ALIVE | FALLS),
        killed(3),
    ]
    stream = GREETING + b"".join(messages)
    played(tmp_path, stream, as_one(stream))
    told = positions(tmp_path)
    assert told["states"] == [
        [3, 1.5, -2.0, 0.0],
        [3, 2.0, -2.0, 1.0, 25.0, -12.5, 0.1, -0.785, 0, 1.25],
        [3, 700.0, -2.0, 0.5, 20.0, 0.0, 9.0, 0.25, 1, 2.5],
        [3],
    ]
    (one,) = told["connections"]
    assert one["states"] == [0, 1, 2, 3]
    after = list(itertools.accumulate(map(len, messages), initial=len(GREETING)))[1:]
    del after[1]
    assert list(itertools.accumulate(one["ends"])) == after


def test_who_is_dead_by_his_own_word_is_nowhere(tmp_path: Path) -> None:
    stream = GREETING + small(3, 1, [1] * 8) + small(3, 2, [1] * 8, status=1 << 2)
    played(tmp_path, stream, as_one(stream))
    assert positions(tmp_path)["states"][1:] == [[3]]


def test_a_players_own_tank_is_left_out(tmp_path: Path) -> None:
    stream = GREETING + alive(7, 0, 0, 0) + small(3, 1, [1] * 8) + killed(7)
    played(tmp_path, stream, as_one(stream))
    assert [state[0] for state in positions(tmp_path)["states"]] == [3]


def test_what_was_told_twice_is_there_once(tmp_path: Path) -> None:
    stream = GREETING + small(3, 1, [1] * 8) * 2
    played(tmp_path, stream, as_one(stream))
    told = positions(tmp_path)
    assert len(told["states"]) == 1
    assert told["connections"][0]["states"] == [0, 0]


def test_segments_in_any_order_and_cut_messages_are_the_same_stream(tmp_path: Path) -> None:
    stream = GREETING + small(3, 1, [1] * 8) + small(3, 2, [2] * 8) + killed(3)
    played(tmp_path, stream, as_one(stream))
    straight = positions(tmp_path)["connections"]
    (tmp_path / "bzflag-positions.json").unlink()
    parts = [segment(at, stream[at : at + 7]) for at in range(0, len(stream), 7)]
    # Late, twice, and together with what comes next; and a probe for the byte before the first.
    again = [segment(7, stream[7:30]), segment(-1, b"x")]
    played(tmp_path, stream, [segment(0, b"", first=True), *reversed(parts), *again])
    assert positions(tmp_path)["connections"] == straight


def test_what_is_there_is_read_anew_only_by_another_version(tmp_path: Path) -> None:
    stream = GREETING + small(3, 1, [1] * 8)
    played(tmp_path, stream, as_one(stream))
    made = positions(tmp_path)
    target = tmp_path / "bzflag-positions.json"
    target.write_text(json.dumps({**made, "states": [[9]], "connections": made["connections"]}))
    assert positions(tmp_path)["states"] == [[9]]
    # As one of an older version, or half a file.
    for old in (json.dumps({**made, "made_by": "older"}), "{"):
        target.write_text(old)
        assert positions(tmp_path) == made


@pytest.mark.parametrize(
    ("stream", "frames", "says"),
    [
        (b"HTTP/1.1 200", None, "it begins with b'HTTP/1.1'"),
        (GREETING + message(b"ps", b"short"), None, "b'ps' of 5 bytes is too short"),
        (GREETING + killed(1), [(0, 5), (7, 17)], "bytes 5 to 7 were not captured"),
        (GREETING + killed(1), [(0, 9)], "is not what bzflag.json says"),
    ],
)
def test_a_capture_that_cannot_be_read_is_refused(
    tmp_path: Path, stream: bytes, frames: list[tuple[int, int]] | None, says: str
) -> None:
    cut = frames or [(0, len(stream))]
    parts = [segment(begin, stream[begin:end]) for begin, end in cut]
    played(tmp_path, stream, [segment(0, b"", first=True), *parts])
    done = run(tmp_path)
    assert done.returncode == 1
    assert says in done.stderr
    assert "\n  remedy: " in done.stderr
    assert not (tmp_path / "bzflag-positions.json").exists()
