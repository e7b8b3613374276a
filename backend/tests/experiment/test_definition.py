"""Experiment files: what they mean, and what is said of faults.

SPDX-License-Identifier: Apache-2.0
"""

import json
from pathlib import Path

import pytest

from thinlab.condition.transport import OFF, Bundling
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.definition import Cell
from thinlab.experiment.file import read
from thinlab.experiment.narrowing import NarrowingError, narrowed
from thinlab.experiment.request import requests
from thinlab.experiment.stream import CAPTURES
from thinlab.located_yaml import FileFaultsError
from thinlab.settings import CHECKOUT

EXPERIMENTS = CHECKOUT / "backend" / "experiments"
SWEEP = EXPERIMENTS / "loss-sweep.yaml"
BUNDLING = "bundling"
MODES = "mode: [off, linear_timeouts, early_fast_retransmit, bundling, all]"
DENSE = "iat_ms: 140\n    iat_spread_ms: 2"


def faults(folder: Path, old: str, new: str) -> list[str]:
    """What is said about the loss sweep after one change."""
    text = SWEEP.read_text()
    assert old in text
    file = folder / "experiment.yaml"
    file.write_text(text.replace(old, new, 1))
    (folder / "published").symlink_to(EXPERIMENTS / "published")
    with pytest.raises(FileFaultsError) as caught:
        read(file)
    return [str(fault).removeprefix(f"{file}:") for fault in caught.value.faults]


def line_of(text: str) -> int:
    """Line of the loss sweep that holds a text first."""
    return SWEEP.read_text().split(text)[0].count("\n") + 1


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is shipped, with captures in place of those that setup makes."""
    folder = tmp_path_factory.mktemp("shipped")
    for beside in EXPERIMENTS.iterdir():
        if beside.name != CAPTURES:
            (folder / beside.name).symlink_to(beside)
    (folder / CAPTURES).mkdir()
    write = {"at_ns": 0, "bytes": 36}
    connection = {"client": "a", "server": "b", "there": [write], "back": [write]}
    for name, connections in (("ssh", 1), ("bzflag", 28)):
        captured = {"connections": [connection] * connections}
        (folder / CAPTURES / f"{name}.json").write_text(json.dumps(captured))
    told = {"client": "a", "server": "b", "ends": [36], "states": [0]}
    positions = {"made_by": "hand", "states": [[1]], "connections": [told]}
    (folder / CAPTURES / "bzflag-positions.json").write_text(json.dumps(positions))
    return folder


@pytest.mark.parametrize("name", sorted(file.stem for file in EXPERIMENTS.glob("*.yaml")))
def test_every_experiment_that_is_shipped_can_be_read(shipped: Path, name: str) -> None:
    experiment, published = read(shipped / f"{name}.yaml")
    assert experiment.name == name
    assert published is not None or experiment.published is None
    keys = {request.key("build") for request in requests(experiment)}
    assert len(keys) == len(experiment.cells()) * experiment.runs


def test_modes_of_a_cell_meet_the_same_losses() -> None:
    experiment, _ = read(SWEEP)
    seeds: dict[tuple[object, ...], set[int]] = {}
    for request in requests(experiment):
        seeds.setdefault((request.cell.surroundings, request.run), set()).add(request.seed)
    assert all(len(mine) == 1 for mine in seeds.values())
    # Five losses, ten runs, each with a seed of its own.
    assert len(set.union(*seeds.values())) == len(seeds) == 50


def test_the_window_response_is_asked_for_only_where_it_was_written() -> None:
    experiment, _ = read(SWEEP)
    responses = {
        (cell.mode, cell.transport.bundling != Bundling()): spec.lane.bundling.hidden_loss_response
        for request in requests(experiment)
        for cell, spec in [(request.cell, request.spec().lanes[0])]
    }
    assert responses[BUNDLING, True] == pb.HIDDEN_LOSS_RESPONSE_REDUCE_WINDOW
    assert responses[BUNDLING, False] == pb.HIDDEN_LOSS_RESPONSE_UNSPECIFIED
    assert (OFF, True) not in responses


def test_settings_of_bundling_make_no_cells_of_modes_without_it(tmp_path: Path) -> None:
    text = SWEEP.read_text().replace("  - mode: bundling\n", "  - mode: [off, bundling]\n")
    (tmp_path / "published").symlink_to(EXPERIMENTS / "published")
    file = tmp_path / "experiment.yaml"
    file.write_text(text)
    changed, _ = read(file)
    shipped, _ = read(SWEEP)
    assert changed.cells() == shipped.cells()


@pytest.mark.parametrize(
    ("old", "new", "at", "field", "says"),
    [
        ("rtt_ms: 100", "rtt: 100", "rtt_ms: 100", "grids[0].rtt", "Did you mean `rtt_ms`?"),
        ("loss_share: [0.005", "loss_share: [5", "loss_share: [", "grids[0].loss_share[0]", "less"),
        (
            "loss_share: [0.005",
            "loss_share: [1.2",
            "loss_share: [",
            "grids[0].loss_share[0]",
            "0.02",
        ),
        (
            "loss_share: [0.005",
            "loss_share: [2 %",
            "loss_share: [",
            "grids[0].loss_share[0]",
            "0.02",
        ),
        ("rtt_ms: 100", "rtt_ms: -5", "rtt_ms: 100", "grids[0].rtt_ms", "is -5. Give milliseconds"),
        ("published/thesis", "../thesis", "published:", "published", "leads out of this file"),
        ("iat_ms: 140", "iat_ms: fast", "iat_ms: 140", "grids[0].iat_ms", "valid number"),
        ("mode: [off,", "mode: [quick,", "mode: [off", "grids[0].mode[0]", "'bundling'"),
        ("mode: [off,", "mode: [off, off,", "  - mode", "grids[0]", "`mode` names a value twice"),
        (MODES, "mode: []", MODES, "grids[0].mode", "Give one value"),
        ("iat_spread_ms: 2", "iat_spread_ms: 71", "  - mode", "grids[0]", "overtake"),
        ("{ hidden_loss_r", "{ hidden_r", "bundling: {", "grids[1].bundling", "_response`?"),
        ("runs: 10", "runs: 0", "runs:", "runs", "greater than or equal to 1"),
        (DENSE, "iat_ms: 1", "", "", "more than 1000000 messages; give fewer minutes"),
        ("seed: 2009\n", "", "name:", "seed", "missing. Add `seed:`"),
        (
            "check: against_off",
            "check: near_off",
            "check: against_off",
            "checks[1]",
            "as_published",
        ),
        ("at_most: 0.2", "at_least: 0.2", "at_most: 0.2", "checks[1].at_least", "`at_most`?"),
        ("within: 2", "within: 0", "within: 2", "checks[0].within", "greater than 0"),
        ("  - packets\n", "  - pakets\n", "  - packets\n", "columns[3]", "`packets`?"),
        (
            "along: ",
            "panels: [paket, packets, packets, packets]\nalong: ",
            "",
            "panels[0]",
            "`packets`?",
        ),
        ("at_most: 0.2", "at_most: 0.2\n    of: pakets", "", "checks[1].of", "`packets`?"),
        ("metric: packet_", "metric: paket_", "metric: packet_", "checks[0].metric", "`packet_"),
        ("thesis-table-4.1", "table-4.1", "published:", "published", "there is no file"),
        ("title: Loss\n", "title: Loss\ntitle: Two\n", "title", "title", "given twice"),
        ("title: Loss", "title: [Loss", "title", "", "not YAML"),
    ],
)
def test_faults_are_named(
    tmp_path: Path, old: str, new: str, at: str, field: str, says: str
) -> None:
    found = faults(tmp_path, old, new)
    assert any(field in fault and says in fault for fault in found), found
    if at and says not in {"not YAML", "given twice"}:
        assert any(fault.startswith(f"{line_of(at)}:") for fault in found), found


def test_a_damaged_file_of_published_figures_is_named_itself(tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text("source: Somebody\nshort: them\nrows: []\n")
    file = tmp_path / "experiment.yaml"
    file.write_text(SWEEP.read_text().replace("published/thesis-table-4.1.yaml", "table.yaml"))
    with pytest.raises(FileFaultsError, match=r"table\.yaml:3: rows"):
        read(file)


def test_an_experiment_can_be_made_smaller() -> None:
    experiment, _ = read(SWEEP)
    small = narrowed(experiment, runs=2, minutes=1, modes=["off", "bundling"])
    assert (small.runs, small.minutes) == (2, 1)
    assert {cell.mode for cell in small.cells()} == {OFF, BUNDLING}
    # Fewer runs are the first of more: nothing is run twice when the rest follows.
    whole = {request.seed for request in requests(experiment)}
    assert {request.seed for request in requests(small)} <= whole
    with pytest.raises(NarrowingError, match="--mode fast: use one of off, all"):
        narrowed(experiment, None, None, ["fast"])
    with pytest.raises(NarrowingError, match=r"minutes: .* less than or equal to 1440"):
        narrowed(experiment, None, 1441, None)


def test_a_key_changes_with_all_that_decides_a_result() -> None:
    experiment, _ = read(SWEEP)
    request = next(requests(experiment))
    assert isinstance(request.cell, Cell)
    longer = next(requests(narrowed(experiment, None, 31, None)))
    keys = {request.key("one"), request.key("two"), longer.key("one")}
    assert len(keys) == 3
    assert request.key("one") == next(requests(experiment)).key("one")
