"""A folder that is there whole or not at all.

SPDX-License-Identifier: Apache-2.0
"""

import shutil
from pathlib import Path

import pytest

from thinlab.bundle.folder import FolderError, whole


def overtaken(target: Path) -> None:
    """Makes a folder that somebody else makes meanwhile."""
    with whole(target):
        target.mkdir()
        (target / "mine").write_text("mine")


def test_it_takes_its_name_when_all_is_written(tmp_path: Path) -> None:
    target = tmp_path / "study"
    with whole(target) as half_made:
        (half_made / "data").mkdir()
        (half_made / "data" / "votes.csv").write_text("vote\n")
        assert not target.exists()
    assert (target / "data" / "votes.csv").read_text() == "vote\n"
    assert list(tmp_path.iterdir()) == [target]


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with whole(tmp_path / "study") as half_made:
            (half_made / "votes.csv").write_text("vote\n")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("there", ["folder", "file", "link"])
def test_what_is_there_is_left_alone(tmp_path: Path, there: str) -> None:
    target = tmp_path / "study"
    if there == "folder":
        target.mkdir()
    elif there == "file":
        target.write_text("mine")
    else:
        target.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FolderError, match="is there already"), whole(target):
        pytest.fail("nothing is to be written")
    assert list(tmp_path.iterdir()) == [target]


def test_what_appears_meanwhile_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "study"
    with pytest.raises(FolderError, match="meanwhile"):
        overtaken(target)
    assert [place.name for place in target.iterdir()] == ["mine"]
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(FolderError, match="nowhere/study: No such file"),
        whole(tmp_path / "nowhere" / "study"),
    ):
        pytest.fail("nothing is to be written")


def test_leftovers_of_the_killed_are_cleared_and_not_those_of_the_living(tmp_path: Path) -> None:
    left = tmp_path / ".study.half-made-killed"
    left.mkdir()
    (left / "votes.csv").write_text("vote\n")
    with whole(tmp_path / "study") as first:
        assert not left.exists()
        with pytest.raises(FolderError, match="meanwhile"):
            overtaken(tmp_path / "study")
        assert first.exists()
        shutil.rmtree(tmp_path / "study")
    assert list(tmp_path.iterdir()) == [tmp_path / "study"]
