"""Losses by a list of packets on a real host, and a bundle that has the list with it.

SPDX-License-Identifier: Apache-2.0
"""

import json
import zipfile
from pathlib import Path

import pytest

from tests.experiment.commands import finished, start
from thinlab.experiment import rows as row_files

pytestmark = pytest.mark.processes

LOST = (2, 40, 41, 42, 90)
EXPERIMENT = """
name: listed
title: Listed
description: Both modes lose the same packets.
seed: 3
runs: 1
minutes: 0.5
grids:
  - mode: [off, bundling]
    path: { rtt_ms: 100 }
    over_time: { forward: { lost_packets: lost.txt } }
    message_bytes: 120
    iat_ms: 200
"""


async def test_the_listed_packets_are_lost_here_and_elsewhere(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "asked"
    folder.mkdir()
    file = folder / "listed.yaml"
    file.write_text(EXPERIMENT)
    (folder / "lost.txt").write_text(f"# of 150\n{' '.join(map(str, LOST))}\n")
    await finished(await start(cache, "run", str(file)))
    rows = row_files.read(cache / "experiments" / "listed" / "listed.parquet")
    assert {row["mode"] for row in rows} == {"off", "bundling"}
    for row in rows:
        assert row["check_forward_dropped_packets"] == len(LOST)
        assert row["check_backward_dropped_packets"] == 0
    off, bundling = (
        next(row for row in rows if row["mode"] == mode) for mode in ("off", "bundling")
    )
    # What is lost was sent once alike: only the one has to send it again.
    assert off["retransmitted_packet_share"] > bundling["retransmitted_packet_share"]

    bundle = tmp_path / "listed.zip"
    await finished(await start(cache, "bundle", str(file), "--out", str(bundle)))
    with zipfile.ZipFile(bundle) as opened:
        assert opened.read("lost.txt") == (folder / "lost.txt").read_bytes()
        told = json.loads(opened.read("ro-crate-metadata.json"))["@graph"]
    (described,) = [one for one in told if one["@id"] == "lost.txt"]
    assert described["name"].startswith("What the experiment is read with")
    again = ("replicate", str(bundle), "--out", str(tmp_path / "again"))
    out, _ = await finished(await start(tmp_path / "elsewhere", *again))
    assert "hashes of captures: 2 same" in out
