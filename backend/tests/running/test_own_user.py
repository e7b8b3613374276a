"""`thinlab run` by root runs nothing as root, and reaches what it needs all the same.

SPDX-License-Identifier: Apache-2.0
"""

import contextlib
import os
import pwd
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.running.thinlab_process import ThinlabProcess
from thinlab.running import own_user
from thinlab.running.embedded_postgres import system_user
from thinlab.settings import SettingError, Settings
from thinlab.web.priority import NICENESS

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(os.geteuid() != 0, reason="for root alone"),
]

# In a process of its own: there is no way back. Prints what the user may do with each path.
SEES = """
import os, pwd, sys
from pathlib import Path
from thinlab.running import own_user
user = pwd.getpwnam(sys.argv[1])
shown, writable = Path(sys.argv[2]), Path(sys.argv[3])
own_user.show([shown, writable], [writable], user)
os.setgroups([]); os.setresgid(*[user.pw_gid] * 3); os.setresuid(*[user.pw_uid] * 3)
for path in map(Path, sys.argv[2:]):
    print(os.access(path, os.R_OK), os.access(path, os.W_OK))
"""


@pytest.fixture
def user() -> pwd.struct_passwd:
    return pwd.getpwnam(system_user())


async def test_nothing_runs_as_root(thinlab: ThinlabProcess) -> None:
    await thinlab.start()
    started = [psutil.Process(thinlab.pid), *thinlab.descendants()]
    assert users_of(started) == {system_user()}
    # A place before others is not lost with root's rights, and nothing else is kept of them.
    assert thinlab.child("thinlab serve").nice() == NICENESS
    assert kept_capabilities(thinlab.pid) <= {0, 1 << own_user.CAP_SYS_NICE}
    data = Path(thinlab.environment["THINLAB_DATA"])
    assert owners(data) == {system_user()}
    # What root's commands leave is handed over by the next start.
    assert await thinlab.stop() == 0
    os.chown(data / "log" / "web.log", 0, 0)
    await thinlab.start()
    assert owners(data) == {system_user()}


def users_of(started: list[psutil.Process]) -> set[str]:
    """Whose these are, as far as they still run."""
    found = set()
    for process in started:
        with contextlib.suppress(psutil.NoSuchProcess):
            found.add(process.username())
    return found


def kept_capabilities(pid: int) -> set[int]:
    """Sets of them: inheritable, permitted, effective, bounding, ambient."""
    status = Path(f"/proc/{pid}/status").read_text()
    return {int(line.split()[1], 16) for line in status.splitlines() if line.startswith("Cap")}


def owners(folder: Path) -> set[str]:
    """Of all that is in a folder which nobody else can enter."""
    assert folder.stat().st_mode & 0o077 == 0
    found = set()
    for path in folder.rglob("*"):
        # A database removes files at any time.
        with contextlib.suppress(FileNotFoundError):
            found.add(path.owner())
    return found


def test_what_is_needed_is_seen_where_it_is_and_nothing_beside_it(
    tmp_path: Path, user: pwd.struct_passwd
) -> None:
    tmp_path.chmod(0o700)
    checkout, recordings, secret = (tmp_path / n for n in ("deep/checkout", "recordings", "key"))
    checkout.mkdir(parents=True)
    recordings.mkdir()
    own_user.hand_over(recordings, user)
    secret.write_text("secret")
    secret.chmod(0o644)
    paths = [checkout, recordings, secret]
    said = subprocess.run(
        [sys.executable, "-c", SEES, user.pw_name, *map(str, paths)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    assert said == ["True False", "True True", "False False"]
    # Only that process saw it so.
    assert secret.read_text() == "secret"


def test_what_was_roots_is_handed_over_and_links_are_not_followed(
    tmp_path: Path, user: pwd.struct_passwd
) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    (data / "log").mkdir(parents=True)
    (data / "log" / "web.log").touch()
    elsewhere.touch()
    (data / "link").symlink_to(elsewhere)
    os.chown(data, 65534, 65534)
    for _ in range(2):
        own_user.hand_over(data, user)
    assert (data / "log" / "web.log").owner() == user.pw_name
    assert (data / "link").lstat().st_uid == user.pw_uid
    assert elsewhere.stat().st_uid == 0
    # Somebody else's stays theirs.
    assert data.stat().st_uid == 65534


def test_a_folder_of_others_is_refused(tmp_path: Path, user: pwd.struct_passwd) -> None:
    (tmp_path / "theirs").touch()
    settings = Settings.read({"THINLAB_DATA": str(tmp_path)})
    with pytest.raises(SettingError, match=f"THINLAB_DATA: .* chown -R {user.pw_name}"):
        own_user.become_own_user(settings, [], [8000])
    assert (tmp_path / "theirs").stat().st_uid == 0


def test_certificates_that_the_user_cannot_read_are_named(
    tmp_path: Path, user: pwd.struct_passwd
) -> None:
    certificates = tmp_path / "certificates"
    certificates.mkdir()
    key = certificates / "key.pem"
    key.touch(mode=0o600)
    named = {"THINLAB_DATA": str(tmp_path / "data"), "THINLAB_CERTIFICATES": str(certificates)}
    named["THINLAB_RECORDINGS"] = str(tmp_path / "recordings")
    with pytest.raises(SettingError, match=f"cannot read {key}; allow it .chgrp -R {user.pw_name}"):
        own_user.become_own_user(Settings.read(named), [], [8000])


def test_a_closed_folder_for_temporary_files_is_not_passed_on(
    tmp_path: Path, user: pwd.struct_passwd
) -> None:
    settings = Settings.read({"THINLAB_DATA": str(tmp_path / "data")})

    def environment(folder: Path) -> dict[str, str]:
        return own_user.environment(settings, {"TMPDIR": str(folder)}, user)

    assert environment(Path("/tmp"))["TMPDIR"] == "/tmp"  # noqa: S108
    assert "TMPDIR" not in environment(tmp_path)
    assert environment(tmp_path)["THINLAB_DATA"] == str(tmp_path / "data")


def test_recordings_of_earlier_runs_are_known_wherever_they_lie(
    tmp_path: Path, user: pwd.struct_passwd
) -> None:
    (tmp_path / "key").mkdir()
    with pytest.raises(SettingError, match="THINLAB_RECORDINGS"):
        own_user.check_ours("THINLAB_RECORDINGS", tmp_path, user)
    (tmp_path / "key" / "recording.wav").touch()
    own_user.check_ours("THINLAB_RECORDINGS", tmp_path, user)
