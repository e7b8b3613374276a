"""What a run tells while it works, when it has ended, and when nobody is there any more.

SPDX-License-Identifier: Apache-2.0
"""

import os
import time
from pathlib import Path

import pytest

from tests.experiment.commands import SMALL
from thinlab.experiment import run_state
from thinlab.experiment.file import read
from thinlab.experiment.run_state import FILE, GONE_AFTER_S, seen, telling
from thinlab.experiment.runner import Progress


def test_a_run_tells_how_far_it_is_and_that_it_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_state, "RENEWED_EVERY_S", 0.005)
    experiment, _ = read(SMALL)
    assert seen(tmp_path) is None
    with telling(tmp_path, experiment) as tell:
        tell(Progress(wanted=12, found=4, done=2))
        now = None
        while now is None or not now.state.wanted:
            time.sleep(0.005)
            now = seen(tmp_path)
        assert now.is_running
        assert (now.state.title, now.state.wanted, now.state.found, now.state.done) == (
            *("Small", 12),
            *(4, 2),
        )
        assert now.state.left_s is not None
    ended = seen(tmp_path)
    assert ended is not None
    assert not ended.is_running
    assert (ended.state.stage, ended.state.done, ended.state.left_s) == ("ended", 2, None)
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


def test_what_ends_a_run_early_is_told(tmp_path: Path) -> None:
    experiment, _ = read(SMALL)
    with pytest.raises(ValueError, match="no host"), telling(tmp_path, experiment):
        raise ValueError("no host")
    told = seen(tmp_path)
    assert told is not None
    assert (told.state.stage, told.state.problem) == ("stopped", "no host")
    with pytest.raises(KeyboardInterrupt), telling(tmp_path, experiment):
        raise KeyboardInterrupt
    told = seen(tmp_path)
    assert told is not None
    assert (told.state.stage, told.state.problem) == ("stopped", None)


@pytest.mark.parametrize("age_s", [GONE_AFTER_S + 1, -GONE_AFTER_S - 1, 10**8])
def test_a_run_that_nobody_renews_is_gone(tmp_path: Path, age_s: float) -> None:
    experiment, _ = read(SMALL)
    with telling(tmp_path, experiment):
        pass
    file = tmp_path / FILE
    file.write_text(file.read_text().replace('"ended"', '"running"'))
    now = seen(tmp_path)
    assert now is not None
    assert now.is_running
    at_s = time.time() - age_s
    os.utime(file, (at_s, at_s))
    gone = seen(tmp_path)
    assert gone is not None
    assert not gone.is_running


@pytest.mark.parametrize("content", ["", "{", "[]", '{"stage": "asleep"}', "\0" * 100_000])
def test_what_cannot_be_read_tells_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    assert seen(tmp_path) is None


def test_a_full_disk_ends_no_run(tmp_path: Path) -> None:
    experiment, _ = read(SMALL)
    folder = tmp_path / "away"
    with telling(folder, experiment) as tell:
        tell(Progress(wanted=1))
    assert not folder.exists()
