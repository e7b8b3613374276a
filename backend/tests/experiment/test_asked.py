"""An experiment's file is kept as it was run, with what it names and its options.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

from tests.experiment.commands import SMALL
from thinlab.experiment import asked


def test_what_was_run_outlives_its_file(tmp_path: Path) -> None:
    source, folder = tmp_path / "source", tmp_path / "results"
    source.mkdir()
    folder.mkdir()
    mine = source / "mine.yaml"
    mine.write_text(SMALL.read_text())
    published = SMALL.with_name("small-published.yaml")
    (source / published.name).write_text(published.read_text())
    (source / "beside.yaml").write_text("of nobody's concern")
    options = {"runs": 1, "minutes": 2.0, "modes": ["off"]}
    files = asked.taken(mine, options)
    assert sorted(files) == ["experiment.yaml", "options.json", "small-published.yaml"]
    mine.write_text("changed while it ran")
    asked.keep(folder, files)
    asked.keep(folder, files)
    kept = asked.file_of(folder)
    assert kept is not None
    experiment, figures = asked.read_of(kept)
    assert (experiment.name, experiment.runs, experiment.minutes) == ("small", 1, 2.0)
    assert {cell.mode for cell in experiment.cells()} == {"off"}
    assert figures is not None
    assert figures.short == "made up"
    assert sorted(path.name for path in folder.iterdir()) == ["asked"]


def test_only_files_beside_an_experiment_are_taken(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("somebody's")
    folder = tmp_path / "folder"
    folder.mkdir()
    mine = folder / "mine.yaml"
    names = ["../secret", str(tmp_path / "secret"), "x" * 5_000, ".", "", "mine.yaml"]
    mine.write_text("a: [" + ", ".join(f'"{name}"' for name in names) + "]")
    assert set(asked.taken(mine, {})) == {"experiment.yaml", "options.json", "mine.yaml"}
