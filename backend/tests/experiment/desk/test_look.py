"""What pages are told of experiments: shipped, run, broken, of older versions, and huge.

SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.experiment.commands import SMALL
from tests.experiment.made_up_results import BUILD, SESSIONS, put_results, sha256_of
from thinlab.experiment import page
from thinlab.experiment.desk import look as looks
from thinlab.experiment.desk.digest import CELLS, DIGEST, Cells, Digest, read
from thinlab.experiment.desk.look import look, opened
from thinlab.experiment.desk.places import Places, is_key, is_name
from thinlab.experiment.links import Links


def digest_of(places: Places, name: str = "small") -> Digest:
    digest = read(places.digest_folder(name) / DIGEST, Digest)
    assert digest is not None
    assert digest.stamp == places.stamp(name)
    return digest


def cells_of(places: Places, name: str = "small") -> Cells:
    cells = read(places.digest_folder(name) / CELLS, Cells)
    assert cells is not None
    return cells


@pytest.mark.parametrize(
    "name",
    ["..", ".", "", "a/b", "../small", "small.", "Small", "a b", "a" * 65, "a\0", "sessions", "é"],
)
def test_nothing_but_a_name_is_a_name(places: Places, name: str) -> None:
    assert not is_name(name)
    assert not places.is_known(name)
    assert not is_key(name)


def test_what_is_shipped_and_was_never_run(places: Places) -> None:
    look(places)
    digest = digest_of(places)
    assert (digest.title, digest.cells, digest.runs, digest.minutes) == ("Small", 4, 3, 10)
    assert digest.results is None
    assert digest.problem is None
    # The figures for comparison are no experiment, and say so.
    other = digest_of(places, "small-published")
    assert other.problem is not None


def test_results_are_counted_and_every_session_has_its_cell(places: Places) -> None:
    put_results(places.results)
    look(places)
    results = digest_of(places).results
    assert results is not None
    assert (results.sessions, results.host_build) == (SESSIONS, BUILD)
    assert (results.holding, results.requirements) == (3, 4)
    assert (results.agreeing, results.compared) == (1, 1)
    assert results.broken_checks == 0
    cells = cells_of(places)
    assert [cell.where for cell in cells.cells] == [
        "loss 2 %, off",
        "loss 2 %, linear_timeouts",
        "loss 20 %, off",
        "loss 20 %, linear_timeouts",
    ]
    assert len({cell.address for cell in cells.cells}) == 4
    assert [len(cell.sessions) for cell in cells.cells] == [3] * 4
    session = cells.cells[0].sessions[1]
    assert session.run == 1
    assert session.sender_sha256 == [sha256_of(session.key, "sender")]
    assert len(cells.metrics) == len(cells.cells[0].groups[0].figures)


def test_it_is_read_again_when_it_has_changed_and_only_then(places: Places) -> None:
    folder = put_results(places.results)
    look(places)
    file = places.digest_folder("small") / DIGEST
    first = file.stat().st_mtime_ns
    look(places)
    assert file.stat().st_mtime_ns == first
    os.utime(folder / "small.parquet", (1, 1))
    assert places.stamp("small") != digest_stamp(file)
    look(places)
    assert places.stamp("small") == digest_stamp(file)
    other = Places(places.shipped, places.results, places.own, "another build")
    assert other.stamp("small") != places.stamp("small")


def test_what_was_run_last_is_read_first_also_when_it_comes_last(
    places: Places, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def put(name: str, written_ns: int) -> None:
        file = tmp_path / f"{name}.yaml"
        file.write_text(SMALL.read_text().replace("name: small", f"name: {name}"))
        folder = put_results(places.results, name, file=file)
        os.utime(folder / f"{name}.parquet", ns=(written_ns, written_ns))

    shutil.copy(SMALL.with_name("small-published.yaml"), tmp_path)
    read_in_turn: list[str] = []
    made = looks._made

    def slowly(places: Places, name: str, stamp: str) -> tuple[Digest, Cells]:
        if not read_in_turn:
            put("run-meanwhile", 3)
        read_in_turn.append(name)
        return made(places, name, stamp)

    monkeypatch.setattr(looks, "_made", slowly)
    put("an-old-one", 1)
    put("newer", 2)
    look(places)
    assert read_in_turn[:3] == ["newer", "run-meanwhile", "an-old-one"]
    assert sorted(read_in_turn) == places.names()


def digest_stamp(file: Path) -> str:
    digest = read(file, Digest)
    assert digest is not None
    return digest.stamp


def test_what_is_gone_is_forgotten(places: Places) -> None:
    put_results(places.results)
    look(places)
    for file in places.shipped.iterdir():
        file.unlink()
    (places.results / "small" / "small.parquet").unlink()
    (places.results / "small" / "asked" / "experiment.yaml").unlink()
    (places.results / "small" / "asked" / "options.json").unlink()
    (places.results / "small" / "asked" / "small-published.yaml").unlink()
    (places.results / "small" / "asked").rmdir()
    assert places.names() == []
    look(places)
    assert list((places.own / "digests").iterdir()) == []


def test_an_experiment_of_somebodys_own_is_shown_as_it_was_run(
    places: Places, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text(SMALL.read_text().replace("name: small", "name: mine"))
    published = SMALL.with_name("small-published.yaml")
    (tmp_path / published.name).write_text(published.read_text())
    put_results(places.results, "mine", file=mine)
    mine.unlink()
    look(places)
    assert digest_of(places, "mine").results is not None
    assert not places.is_shipped("mine")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no Parquet at all" * 100])
def test_a_half_written_file_of_rows_is_told_of(places: Places, content: bytes) -> None:
    folder = put_results(places.results)
    (folder / "small.parquet").write_bytes(content)
    look(places)
    digest = digest_of(places)
    assert digest.results is None
    assert "cannot read" in (digest.results_problem or "")
    assert digest.title == "Small"


def test_rows_of_an_older_version_are_shown_or_told_of(places: Places) -> None:
    folder = put_results(places.results)
    file = folder / "small.parquet"
    whole = pq.read_table(file)
    # Before provenance was kept.
    pq.write_table(whole.drop(["sender_capture_sha256", "receiver_capture_sha256"]), file)
    look(places)
    assert digest_of(places).results is not None
    assert cells_of(places).cells[0].sessions[0].sender_sha256 == []
    # Before self-checks were columns.
    pq.write_table(whole.drop(["check_forward_sent_packets"]), file)
    look(places)
    assert "check_forward_sent_packets" in (digest_of(places).results_problem or "")
    pq.write_table(pa.table({"run": [1]}), file)
    look(places)
    assert digest_of(places).results_problem is not None


def test_rows_of_other_options_are_told_of(places: Places) -> None:
    folder = put_results(places.results)
    options = folder / "asked" / "options.json"
    options.write_text('{"runs": null, "minutes": 1, "modes": null}')
    look(places)
    assert "other options" in (digest_of(places).results_problem or "")
    options.write_text("{")
    look(places)
    assert "cannot be read" in (digest_of(places).problem or "")


@pytest.mark.parametrize(
    "content",
    ["", "name: [", "name: small\nruns: many", "&a [*a, *a]", "\0", "name: " + "{" * 5_000],
)
def test_a_broken_file_breaks_no_list(places: Places, content: str) -> None:
    put_results(places.results)
    (places.shipped / "broken.yaml").write_text(content)
    look(places)
    assert digest_of(places, "broken").problem
    assert digest_of(places).results is not None


def test_the_report_leads_to_sessions_from_points_and_from_rows(places: Places) -> None:
    put_results(places.results)
    look(places)
    report = opened(places, "small")
    text = page.linked(report, "small").decode()
    links = Links("small", report.summaries())
    cells = cells_of(places).cells
    for cell in cells:
        way = f'"/researcher/experiments/small/cells/{cell.address}"'
        # In each panel that has the metric a point, in its situation's figure a line, and a row.
        assert text.count(f'<a href={way} tabindex="-1" aria-label="Sessions of ') >= 2
        assert f'<th scope="row"><a href={way} aria-label="Sessions of ' in text
        for session in cell.sessions:
            assert f'"{links.session(session.key)}"' in text
    assert 'xlink:href="/researcher' not in text
    assert "_blank" not in text
    assert 'svg role="group"' in text


def test_a_report_on_the_disk_leads_nowhere(places: Places, tmp_path: Path) -> None:
    put_results(places.results)
    [file, *_] = page.write([opened(places, "small")], tmp_path / "small.html")
    text = file.read_text()
    assert "/researcher" not in text
    assert 'svg role="img"' in text
