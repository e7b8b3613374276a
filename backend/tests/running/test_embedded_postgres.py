"""Where the embedded database's files may lie.

SPDX-License-Identifier: Apache-2.0
"""

import os
import pwd
import tempfile
from pathlib import Path

import pytest

from thinlab.running import embedded_postgres
from thinlab.settings import SettingError, Settings

ME = pwd.getpwuid(os.geteuid()).pw_name


def test_a_socket_fits_however_deep_the_data_lies(tmp_path: Path) -> None:
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    folder = embedded_postgres.socket_folder(deep, "test", ME)
    try:
        assert len(str(folder / ".s.PGSQL.5432.lock")) < 107
        assert folder.stat().st_mode & 0o777 == 0o700
        assert embedded_postgres.socket_folder(deep, "test", ME) == folder
    finally:
        folder.rmdir()


def test_a_socket_folder_that_is_a_link_is_refused() -> None:
    # Not in pytest's own folder, which is too deep for a socket beside other workers.
    with tempfile.TemporaryDirectory(prefix="thinlab-") as data:
        (Path(data) / "test-socket").symlink_to(tempfile.gettempdir())
        with pytest.raises(SettingError, match="remove it"):
            embedded_postgres.socket_folder(Path(data), "test", ME)


# On a new machine this makes the user.
@pytest.mark.processes
@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts it as another user")
def test_data_that_its_user_cannot_reach_is_named(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    settings = Settings.read({"THINLAB_DATA": str(closed / "data")})
    with pytest.raises(SettingError, match="the user thinlab, which runs PostgreSQL, cannot enter"):
        embedded_postgres.prepare(settings)
