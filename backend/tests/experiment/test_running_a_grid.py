"""A small grid on a real host: run, killed, resumed, shown.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import csv
import io
import json
import os
import re
import signal
import xml.etree.ElementTree as ET
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
from distributed import LocalCluster
from typer.testing import CliRunner

from tests.experiment.commands import PATIENCE_S, SMALL, finished, kept, start
from thinlab.cli import app
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment import rows as row_files
from thinlab.experiment.file import read
from thinlab.experiment.host import lab_host
from thinlab.experiment.runner import UnavailableError, refuse_what_is_lacking
from thinlab.settings import Settings

pytestmark = pytest.mark.processes

SESSIONS = 12


@pytest_asyncio.fixture(scope="module")
async def resumed(cache: Path) -> tuple[str, str]:
    """A run killed without warning while it worked, and what the run after it said."""
    process = await start(cache, "run", str(SMALL))
    async with asyncio.timeout(PATIENCE_S):
        while len(kept(cache)) < 2:
            assert process.returncode is None, "the run ended before it could be killed"
            await asyncio.sleep(0.02)
    family = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGKILL)
    await process.communicate()
    _, alive = await asyncio.to_thread(psutil.wait_procs, family, PATIENCE_S)
    assert alive == []
    before = kept(cache)
    assert 2 <= len(before) < SESSIONS
    for name in before:
        file = cache / "experiments" / "sessions" / name[:2] / f"{name}.json"
        assert json.loads(file.read_text())["result"]["metrics"]["packets"] > 0
    told = await finished(await start(cache, "run", str(SMALL)))
    after = kept(cache)
    assert len(after) == SESSIONS
    assert {name: after[name] for name in before} == before, "a finished session was run again"
    return told


async def test_a_killed_run_loses_nothing_finished(resumed: tuple[str, str]) -> None:
    found = re.search(rf"{SESSIONS} of {SESSIONS} sessions (\d+) found", resumed[1])
    assert found is not None
    assert 2 <= int(found[1]) < SESSIONS


async def test_verdicts_are_printed_both_ways(resumed: tuple[str, str]) -> None:
    out, _ = resumed
    assert "packet within 5.0 bytes of the published" in out
    held = [line for line in out.splitlines() if line.endswith("| holds |")]
    short = [line for line in out.splitlines() if line.endswith("| **falls short** |")]
    # Linear timeouts are linear; no mechanism makes the longest wait a thousandth.
    assert len([line for line in held if "wait" in line]) == 2
    assert len(short) == 1
    assert "Write to read, highest, above the lowest" in short[0]
    assert "3 of 4 requirements hold" in out


async def test_rows_hold_what_the_sessions_said(resumed: tuple[str, str], cache: Path) -> None:
    assert resumed
    rows = row_files.read(cache / "experiments" / "small" / "small.parquet")
    assert len(rows) == SESSIONS
    assert {row["key"] for row in rows} == set(kept(cache))
    for row in rows:
        lost = row["check_forward_sent_packets"] - row["check_forward_received_packets"]
        assert lost == row["check_forward_dropped_packets"] > 0
        assert row["unique_bytes"] == row["felt_messages"] * 120 == 1200 * 120
        assert row["felt_sojourn_cdf_share"][-1] == 1.0
        assert row["above_lowest_p50_us"] <= row["above_lowest_p99_us"]
        assert row["timeouts"] > 0
        if row["mode"] == "off":
            assert row["packets_against_off_share"] == 0
    heavy = [row for row in rows if row["loss_share"] == 0.2]
    waits = {row["mode"]: row["wait_3_against_1"] for row in heavy}
    assert waits["linear_timeouts"] < 1.2
    assert waits["off"] > 3


async def test_modes_met_the_same_first_loss(resumed: tuple[str, str], cache: Path) -> None:
    assert resumed
    rows = row_files.read(cache / "experiments" / "small" / "small.parquet")
    seeds = {(row["loss_share"], row["run"]): set[int]() for row in rows}
    for row in rows:
        seeds[row["loss_share"], row["run"]].add(row["seed"])
    assert all(len(mine) == 1 for mine in seeds.values())
    assert len(set.union(*seeds.values())) == 6


async def test_table_and_plot_work_from_the_rows_alone(
    resumed: tuple[str, str], cache: Path
) -> None:
    assert resumed
    folder = cache / "experiments" / "small"
    (folder / "small.md").unlink()
    first = {file.name: file.read_bytes() for file in folder.glob("*.svg")}
    out, _ = await finished(await start(cache, "table", str(SMALL), THINLAB_KERNEL="/none"))
    assert "| 20 % | linear_timeouts |" in out
    assert "made up: Made up for the tests" in out
    assert (folder / "small.md").read_text() in out
    cells = list(csv.DictReader(io.StringIO((folder / "small.csv").read_text())))
    mine = [
        row
        for row in cells
        if row["metric"] == "packet_payload_mean_bytes"
        and (row["mode_label"], row["loss_share"]) == ("off", "0.02")
    ]
    assert [(row["runs"], row["published"], row["unit"]) for row in mine] == [
        ("3", "120.0", "bytes")
    ]
    assert float(mine[0]["lowest"]) <= float(mine[0]["mean"]) <= float(mine[0]["highest"])
    out, _ = await finished(await start(cache, "plot", str(SMALL)))
    assert len(out.splitlines()) == len(first) == 3
    for name, content in first.items():
        assert (folder / name).read_bytes() == content, "the same results, another file"
        text = "".join(ET.fromstring(content).itertext())  # noqa: S314 (our own file)
        assert "linear_timeouts" in text


async def test_other_workers_give_the_same_results(
    resumed: tuple[str, str], cache: Path, tmp_path: Path
) -> None:
    """A scheduler that is there already, whose worker has a host of its own."""
    assert resumed
    async with lab_host(Settings.read({**os.environ, "THINLAB_LAB": ""})) as lab:
        os.environ["THINLAB_LAB"] = lab
        try:
            async with LocalCluster(
                n_workers=1, processes=True, asynchronous=True, dashboard_address="127.0.0.1:0"
            ) as cluster:
                address = cluster.scheduler_address
                arguments = ("--runs", "1", "--mode", "off", "--scheduler", address)
                await finished(await start(tmp_path, "run", str(SMALL), *arguments))
        finally:
            del os.environ["THINLAB_LAB"]
    elsewhere = kept(tmp_path)
    assert len(elsewhere) == 2
    for name in elsewhere:
        one, other = (
            (where / "experiments" / "sessions" / name[:2] / f"{name}.json").read_text()
            for where in (cache, tmp_path)
        )
        assert one == other


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["experiment", "run", SMALL, "--mode", "bundling"], "--mode: small has none of bundling"),
        (["experiment", "run", SMALL, "--mode", "quick"], "--mode quick: use one of"),
        (["experiment", "run", "none.yaml"], "none.yaml:0: cannot be read"),
        (
            ["experiment", "run", SMALL, "--out", "/dev/null/here"],
            "--out /dev/null/here: Not a directory",
        ),
        (["experiment", "table", SMALL, "--out", "{folder}"], "`thinlab experiment run` makes it"),
        (["experiment", "plot", SMALL, "--out", "{folder}"], "`thinlab experiment run` makes it"),
        (["experiment", "run", SMALL, "--out", "{folder}"], "THINLAB_KERNEL: /none does not exist"),
    ],
)
def test_what_stands_in_the_way_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[object], says: str
) -> None:
    monkeypatch.setenv("THINLAB_CACHE", str(tmp_path))
    monkeypatch.setenv("THINLAB_KERNEL", "/none")
    monkeypatch.setenv("THINLAB_LAB", "")
    said = CliRunner().invoke(app, [str(one).format(folder=tmp_path) for one in arguments])
    assert said.exit_code == 78
    assert says in said.stderr


@pytest.mark.parametrize("lacking", ["mechanism", "baseline", "clock"])
def test_what_a_host_lacks_is_said_before_anything_runs(lacking: str) -> None:
    experiment, _ = read(SMALL)
    host = pb.HostDescription(
        clock=pb.CLOCK_REAL_TIME if lacking == "clock" else pb.CLOCK_VIRTUAL_TIME,
        mechanisms=[
            pb.MechanismSupport(
                mechanism=pb.MECHANISM_LINEAR_TIMEOUTS,
                available=lacking != "mechanism",
                reason="no such setting",
            )
        ],
        baselines=[
            pb.BaselineSupport(
                baseline=pb.BASELINE_NEWRENO2008, available=lacking != "baseline", reason="no reno"
            )
        ],
    )
    says = {
        "mechanism": r"mode linear_timeouts: .* \(no such setting\); leave the mode out",
        "baseline": r"lacks the baseline newreno2008 \(no reno\)",
        "clock": "boot --clock virtual",
    }
    with pytest.raises(UnavailableError, match=says[lacking]):
        refuse_what_is_lacking(experiment, host)
