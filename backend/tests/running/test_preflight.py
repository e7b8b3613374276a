"""What is in the way of a start is named, with its remedy.

SPDX-License-Identifier: Apache-2.0
"""

import os
import shutil
import socket
from collections import namedtuple
from pathlib import Path

import pytest

from thinlab.running import preflight
from thinlab.settings import SettingError, Settings

HOST = "127.0.0.1"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings under which a start would succeed."""
    (tmp_path / "artifact").touch()
    variables = ("CLIPS", "PAGES", "AGENT", "KERNEL", "GUEST")
    environment = {f"THINLAB_{name}": str(tmp_path / "artifact") for name in variables}
    environment |= {
        "THINLAB_DATA": str(tmp_path / "data"),
        "THINLAB_CACHE": str(tmp_path / "cache"),
    }
    return Settings.read(environment)


@pytest.fixture
def port() -> int:
    """A port that is free."""
    with socket.create_server((HOST, 0)) as probe:
        number: int = probe.getsockname()[1]
        return number


def test_nothing_is_in_the_way(settings: Settings, port: int) -> None:
    preflight.check(settings, HOST, port)


def test_a_busy_port(settings: Settings) -> None:
    with socket.create_server((HOST, 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SettingError) as caught:
            preflight.check(settings, HOST, port)
    assert f"port {port} is in use by" in str(caught.value)
    assert f"(process {os.getpid()})" in str(caught.value)
    assert f"make run PORT={port + 1}" in str(caught.value)


def test_an_artifact_that_is_missing(port: int) -> None:
    gone = Settings.read({"THINLAB_CLIPS": "/nonexistent"})
    with pytest.raises(
        SettingError, match="THINLAB_CLIPS: /nonexistent does not exist; `make build`"
    ):
        preflight.check(gone, HOST, port)
    with pytest.raises(SettingError, match="THINLAB_CLIPS is not set; `make run` sets it"):
        preflight.check(Settings.read({}), HOST, port)


def test_a_full_disk(settings: Settings, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")  # noqa: PYI024 (as shutil's)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9, 3_000_000))
    with pytest.raises(SettingError, match=r"THINLAB_DATA: 3 MB are free .* make room"):
        preflight.check(settings, HOST, port)


def test_a_folder_that_cannot_be_made(settings: Settings, port: int, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(SettingError, match=r"THINLAB_DATA: .* cannot be made"):
        preflight.check(settings, HOST, port)


def test_two_runs_on_one_folder(tmp_path: Path) -> None:
    said = rf"running already .* \(process {os.getpid()}\)"
    with preflight.take_lock(tmp_path), pytest.raises(SettingError, match=said):
        preflight.take_lock(tmp_path)
    preflight.take_lock(tmp_path).close()
