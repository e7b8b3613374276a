"""Packets on a session's own time, from what the analyser tells.

SPDX-License-Identifier: Apache-2.0
"""

import json
from pathlib import Path

import pytest

from tests.made_up import made_up_terminal_result
from thinlab.contract.generated.results import ClockComparison
from thinlab.lab.packets import UnreadableError, packets_of

pytestmark = pytest.mark.processes

MS = 1_000_000
READY_NS = 1_700_000_000_000_000_000


def analyser(folder: Path, script: str) -> Path:
    """A program in the analyser's place."""
    program = folder / "analyser"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


async def test_packets_stand_on_the_machines_clock(tmp_path: Path) -> None:
    # The guest's clock is 5 ms ahead, and 2 ms more after the session's 10 s.
    result = made_up_terminal_result("any").model_copy(
        update={
            "ready_ns": READY_NS,
            "end_ns": READY_NS + 10_000 * MS,
            "clock": ClockComparison(offset_ns=5 * MS, round_trip_ns=MS, drift_ns=2 * MS),
        }
    )
    bytes_ = {"start": 0, "end": 36, "new_from": 0}
    packets = [
        {"forward": True, "kind": "new", "sent_ns": READY_NS + 5 * MS, "arrived_ns": None},
        {
            "forward": False,
            "kind": "bundle",
            "sent_ns": READY_NS + 5_006 * MS,
            "arrived_ns": READY_NS + 10_007 * MS,
        },
    ]
    told = tmp_path / "told.json"
    told.write_text(json.dumps({"packets": [packet | bytes_ for packet in packets]}))
    program = analyser(tmp_path, f'[ "$1 $2 $3" = "analyze --json --packets" ] && cat {told}')
    lost, bundle = await packets_of(program, tmp_path / "s", tmp_path / "r", result)
    assert (lost.sent_us, lost.arrived_us, lost.forward) == (0, None, True)
    assert (bundle.sent_us, bundle.arrived_us, bundle.kind) == (5_000_000, 10_000_000, "bundle")


async def test_a_program_that_fails_is_told_of(tmp_path: Path) -> None:
    program = analyser(tmp_path, "echo 'cut short' >&2; exit 1")
    with pytest.raises(UnreadableError, match="cut short"):
        await packets_of(program, tmp_path, tmp_path, made_up_terminal_result("any"))


async def test_packets_are_moved_to_where_their_keys_left(tmp_path: Path) -> None:
    result = made_up_terminal_result("any").model_copy(
        update={"ready_ns": READY_NS, "end_ns": READY_NS + 10_000 * MS, "clock": None}
    )
    leaving_ms = [100, 310, 455, 600, 790]
    # SSH sends more than keys; and the server heard of the start 23 ms late.
    others_ms = [150, 500]
    packets = [
        {"forward": True, "kind": "new", "sent_ns": READY_NS + at * MS, "arrived_ns": None}
        | {"start": at, "end": at + 36, "new_from": at}
        for at in sorted([*leaving_ms, *others_ms])
    ]
    told = tmp_path / "told.json"
    told.write_text(json.dumps({"packets": packets}))
    keys_sent_us = [1_000 * (at - 23) + 40 for at in leaving_ms]
    program = analyser(tmp_path, f"cat {told}")
    found = await packets_of(program, tmp_path, tmp_path, result, keys_sent_us)
    assert found[0].sent_us == keys_sent_us[0]
    unmoved = await packets_of(program, tmp_path, tmp_path, result)
    assert unmoved[0].sent_us == 100_000
