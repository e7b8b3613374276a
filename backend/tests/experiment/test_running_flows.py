"""Flows at one bottleneck on a real host: rows of each group and of all together.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.experiment.commands import need_parts
from thinlab.cli import app
from thinlab.experiment import rows as row_files

pytestmark = pytest.mark.processes

FLOWS = Path(__file__).parent / "small-flows.yaml"
TOGETHER = "typists + thin + transfers"
GROUPS = {"typists", "typists, back", "thin", "thin, back", "transfers", TOGETHER}


def test_rows_tell_what_each_group_got(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_parts()
    monkeypatch.setenv("THINLAB_CACHE", str(tmp_path))
    monkeypatch.setenv("THINLAB_LAB", "")
    said = CliRunner().invoke(app, ["experiment", "run", str(FLOWS)])
    assert said.exit_code == 0, said.output
    rows = row_files.read(tmp_path / "experiments" / "small-flows" / "small-flows.parquet")
    assert len(rows) == 2 * 2 * len(GROUPS)
    assert {row["group"] for row in rows} == GROUPS
    for row in rows:
        assert 1 / row["flow_count"] <= row["jain_index"] <= 1 + 1e-9
        assert len(row["flow_goodput_bit_per_s"]) == row["flow_count"]
        assert row["check_forward_dropped_packets"] > 0
        if row["mode"] == "off":
            assert row["harm_goodput_share"] == row["packets_against_off_share"] == 0
    of_session = {(row["mode"], row["run"]): 0.0 for row in rows}
    for row in rows:
        if row["group"] in {"typists", "thin", "transfers"}:
            of_session[row["mode"], row["run"]] += row["goodput_share"]
    assert list(of_session.values()) == pytest.approx([1.0] * 4)
    typists = [row for row in rows if row["group"].startswith("typists")]
    # Each key is answered.
    for there in (row for row in typists if row["group"] == "typists"):
        back = next(
            row for row in typists if row["key"] == there["key"] and row["group"] != "typists"
        )
        assert back["felt_messages"] == there["felt_messages"] > 10
    # The transfers have a sender of their own: no mode bundles there.
    bundled = {(row["group"], row["mode"] == "off"): row["copies_bundled_bytes"] for row in rows}
    assert bundled["transfers", False] == 0
    table = (tmp_path / "experiments" / "small-flows" / "small-flows.md").read_text()
    assert "| thin, back |" in table
    _expect_a_report(tmp_path / "experiments" / "small-flows", sessions=2 * 2)


def _expect_a_report(folder: Path, *, sessions: int) -> None:
    said = CliRunner().invoke(app, ["experiment", "report", str(FLOWS)])
    assert said.exit_code == 0, said.output
    page = (folder / "small-flows.html").read_text()
    assert "Flows “typists”" in page
    # A session has a row a group, and is one session all the same.
    assert f"of {sessions} of {sessions} sessions" in page
    assert "broken" not in page.partition("Self-checks")[0]
