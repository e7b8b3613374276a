"""A made-up game over a real host: what a player sees of a tank that stops follows from the path.

SPDX-License-Identifier: Apache-2.0
"""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.experiment.commands import need_parts
from thinlab.cli import app
from thinlab.experiment import rows as row_files
from thinlab.experiment.tanks.error import STEP_NS

pytestmark = pytest.mark.processes

SPEED = 20.0
HEADERS_BYTES = 66
FIRST_BYTES, STOP_BYTES = 50, 3_000
BIT_PER_S = 1_000_000
ONE_WAY_S = 0.02
LOOPS = 3
EXPERIMENT = f"""
name: small-game
title: Small game
description: A tank drives, and stops; the news is in the third segment of a write.
seed: 3
runs: 1
minutes: {LOOPS * 4 / 60}
grids:
  - mode: "off"
    path:
      rtt_ms: {2 * ONE_WAY_S * 1000}
      backward: {{ rate_kbit_per_s: {BIT_PER_S // 1000}, queue_packets: 50 }}
    flows:
      - name: game
        stream:
          replay: {{ file: game.json, positions: tanks.json, loop_s: 4 }}
figures:
  - {{ figure: distribution, name: error, title: Error, curve: position_error, from_share: 0.5 }}
"""


def made_up(folder: Path, *, there: list[dict[str, int]]) -> Path:
    """A tank that drives from 0 to 1 s, and stands until 3 s."""

    def state(x: float, speed: float, stamp: float) -> list[float]:
        return [1, x, 0.0, 0.0, speed, 0.0, 0.0, 0.0, 0, stamp]

    ends = {"client": "a", "server": "b"}
    back = [
        {"at_ns": 0, "bytes": FIRST_BYTES},
        {"at_ns": 1_000_000_000, "bytes": STOP_BYTES},
        {"at_ns": 3_000_000_000, "bytes": 10},
    ]
    connection = {**ends, "there": there, "back": back}
    (folder / "game.json").write_text(json.dumps({"connections": [connection]}))
    known = {
        "made_by": "hand",
        "states": [state(0, SPEED, 0), state(SPEED, 0.0, 1)],
        # Ahead of the ends of both writes.
        "connections": [{**ends, "ends": [40, 3_000], "states": [0, 1]}],
    }
    (folder / "tanks.json").write_text(json.dumps(known))
    file = folder / "small-game.yaml"
    file.write_text(EXPERIMENT)
    return file


@pytest.mark.parametrize("there", [[], [{"at_ns": 5_000_000, "bytes": 20}]])
def test_a_tank_is_seen_to_drive_on_until_the_last_byte_of_the_news_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: list[dict[str, int]]
) -> None:
    need_parts()
    monkeypatch.setenv("THINLAB_CACHE", str(tmp_path))
    monkeypatch.setenv("THINLAB_LAB", "")
    file = made_up(tmp_path, there=there)
    said = CliRunner().invoke(app, ["experiment", "run", str(file)])
    assert said.exit_code == 0, said.output
    folder = tmp_path / "experiments" / "small-game"
    rows = row_files.read(folder / "small-game.parquet")
    row = _of_the_server(rows)
    # Two segments are full, and the rate holds them up one by one.
    first_s = ONE_WAY_S + _on_the_wire_s(FIRST_BYTES, segments=1)
    stop_s = ONE_WAY_S + _on_the_wire_s(STOP_BYTES, segments=3)
    seconds = LOOPS * (3 - first_s)
    assert row["position_tank_s"] == pytest.approx(seconds, abs=0.005)
    # The last half of a step is not seen.
    step_units = SPEED * STEP_NS / 1e9
    assert row["position_error_max_units"] == pytest.approx(SPEED * stop_s, abs=step_units)
    assert row["position_jump_max_units"] == pytest.approx(SPEED * stop_s, abs=0.02)
    mean = LOOPS * SPEED * stop_s**2 / 2 / seconds
    assert row["position_error_mean_units"] == pytest.approx(mean, rel=0.03)
    # Beyond what the first message took, which is what all could have taken.
    beyond = LOOPS * SPEED * (stop_s**2 - first_s**2) / 2 / seconds
    assert row["position_error_beyond_path_mean_units"] == pytest.approx(beyond, rel=0.03)
    assert row["position_error_cdf_share"][0] == pytest.approx(
        1 - LOOPS * stop_s / seconds, abs=1e-3
    )
    assert (folder / "small-game-error.svg").exists()


def _of_the_server(rows: list[dict[str, Any]]) -> dict[str, Any]:
    told = [row for row in rows if row.get("position_tank_s") is not None]
    assert len(told) == 1
    return told[0]


def _on_the_wire_s(size: int, *, segments: int) -> float:
    return (size + segments * HEADERS_BYTES) * 8 / BIT_PER_S
