"""`thinlab run` starts the live lab host, and another when it dies.

SPDX-License-Identifier: Apache-2.0
"""

import os
from pathlib import Path

import pytest
from httpx import AsyncClient

from tests.live.real_agent import NEEDED
from tests.live.test_killed_server import environment_with_two_trials, open_again
from tests.running.thinlab_process import ThinlabProcess, free_port, still_running
from tests.stand_in import StandIn, serving
from thinlab.running import preflight
from thinlab.settings import SettingError, Settings


async def test_a_run_keeps_a_live_lab(data_folder: Path, tmp_path: Path) -> None:
    agent = StandIn()  # type: ignore[abstract]  # nobody asks for a live run
    async with serving(agent, tmp_path / "lab.sock") as lab:
        settings = environment_with_two_trials(data_folder, tmp_path, lab)
        parts = {name: os.environ[name] for name in NEEDED}
        thinlab = ThinlabProcess(settings | parts | {"THINLAB_LIVE_LAB": ""}, free_port())
        await thinlab.start()
        try:
            async with AsyncClient(base_url=thinlab.address, timeout=30) as browser:
                await open_again(browser)
                thinlab.child("--clock real").kill()
                await thinlab.line("The live lab host ended .* started again")
                await open_again(browser)
        finally:
            started = thinlab.descendants()
            await thinlab.stop()
        assert await still_running(started) == []


def test_addresses_of_live_labs_are_separated_by_blanks_or_commas() -> None:
    settings = Settings.read({"THINLAB_LIVE_LAB": "unix:/a, one:7000 two:7000"})
    assert settings.live_lab == ("unix:/a", "one:7000", "two:7000")
    assert Settings.read({}).live_lab == ()


def test_a_terminal_that_is_not_there_is_named_before_anything_starts(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    parts = {f"THINLAB_{name}": str(there) for name in ("CLIPS", "AGENT", "KERNEL", "GUEST")}
    folders = {"THINLAB_DATA": str(tmp_path / "data"), "THINLAB_CACHE": str(tmp_path / "cache")}
    gone = {"THINLAB_TERMINAL": str(tmp_path / "gone"), "THINLAB_PAGES": str(there)}
    with pytest.raises(SettingError, match=r"THINLAB_TERMINAL: .*gone does not exist"):
        preflight.check(Settings.read(parts | folders | gone), "127.0.0.1", free_port())
    elsewhere = Settings.read(parts | folders | gone | {"THINLAB_LIVE_LAB": "one:7000"})
    preflight.check(elsewhere, "127.0.0.1", free_port())
