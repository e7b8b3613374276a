"""`thinlab run` by root: as the system user, who may read what is needed and write the data.

Nothing that answers strangers has root's rights. What this takes while the process still has
them is here: the data handed over, a view of the machine in which the user reaches the checkout
and the parts although they may lie in root's own folder, and a place before ordinary processes.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes
import os
import pwd
import resource
import stat
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from thinlab.running.embedded_postgres import system_user
from thinlab.settings import CHECKOUT, SettingError, Settings

# Limits that Python has no names for, and what people who type wait for may ask by them:
# the agents' SCHED_FIFO (lab-agent/src/punctual.rs) and the web server's niceness of -15.
RLIMIT_NICE, RLIMIT_RTPRIO = 13, 14
HIGHEST_PRIORITY = 3
PLACES = {RLIMIT_RTPRIO: HIGHEST_PRIORITY, RLIMIT_NICE: 20 + 15}
# linux/capability.h
CAP_NET_BIND_SERVICE, CAP_SYS_NICE = 10, 23
FIRST_FREE_PORT = 1024
PRIVATE, OPEN = 0o077, 0o022
# In each data folder that Thinlab has used, and in each recordings folder.
MARKS = ("lock", "postgres", "*/recording.wav")

# linux/mount.h and linux/sched.h
CLONE_NEWNS = 0x0002_0000
MS_RDONLY, MS_NOSUID, MS_REMOUNT, MS_BIND = 0x1, 0x2, 0x20, 0x1000
MS_REC, MS_SLAVE = 0x4000, 0x8_0000


def become_own_user(settings: Settings, arguments: list[str], ports: Iterable[int]) -> None:
    """Starts `thinlab` again as that user; returns where nobody is root. Raises `SettingError`."""
    if os.geteuid() != 0:
        return
    user = pwd.getpwnam(system_user())
    # What is made on the way to a folder is for everybody to pass through.
    os.umask(OPEN)
    for variable, folder in (
        ("THINLAB_DATA", settings.data),
        ("THINLAB_RECORDINGS", settings.recordings),
    ):
        # What cannot be made is told by the checks that follow.
        with suppress(FileExistsError, NotADirectoryError):
            folder.mkdir(parents=True, exist_ok=True)
            check_ours(variable, folder, user)
            hand_over(folder, user)
    needed = _needed(settings)
    for path in needed:
        if not _may(path, user, read=True):
            raise SettingError(
                f"the user {user.pw_name}, as which Thinlab runs, cannot read {path}; allow it "
                f"(chgrp -R {user.pw_name} {path} && chmod -R g+rX {path}), or start Thinlab as "
                "an ordinary user"
            )
    # What experiments have left there is shown, and missed by nobody who has run none.
    results = settings.cache / "experiments"
    shown = [*needed, results.resolve()] if results.is_dir() else needed
    show(shown, [settings.data, settings.recordings], user)
    os.umask(PRIVATE)
    capabilities = [*_for_places(), *_for_ports(ports)]
    command = [*_as(user, capabilities), sys.executable, "-m", "thinlab", *arguments]
    os.execvpe(command[0], command, environment(settings, os.environ, user))  # noqa: S606


def _for_places() -> list[str]:
    """The capability that people who type need us to keep, where a limit does not do."""
    try:
        for limit, most in PLACES.items():
            resource.setrlimit(limit, (most, most))
    except (OSError, ValueError):
        # Refused in some containers. Without either, agents and web server say what follows.
        return ["sys_nice"] if _has(CAP_SYS_NICE) else []
    return []


def _for_ports(ports: Iterable[int]) -> list[str]:
    privileged = min(ports) < FIRST_FREE_PORT
    return ["net_bind_service"] if privileged and _has(CAP_NET_BIND_SERVICE) else []


def _has(capability: int) -> bool:
    status = Path("/proc/self/status").read_text()
    effective = next(line for line in status.splitlines() if line.startswith("CapEff:"))
    return bool(int(effective.split()[1], 16) >> capability & 1)


def _as(user: pwd.struct_passwd, capabilities: list[str]) -> list[str]:
    kept = ",".join(["-all", *(f"+{name}" for name in capabilities)])
    return [
        *("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"),
        *(f"--inh-caps={kept}", f"--ambient-caps={kept}", f"--bounding-set={kept}"),
        *("--no-new-privs", "--"),
    ]


def environment(
    settings: Settings, own: Mapping[str, str], user: pwd.struct_passwd
) -> dict[str, str]:
    """The places are root's defaults, which another user would look for elsewhere."""
    passed_on = {
        **own,
        "HOME": str(settings.data),
        "THINLAB_DATA": str(settings.data),
        "THINLAB_CACHE": str(settings.cache),
        "THINLAB_RECORDINGS": str(settings.recordings),
    }
    temporary = Path(own.get("TMPDIR") or tempfile.gettempdir())
    if closed_ancestor(temporary, user) or not _may(temporary, user, write=True):
        passed_on.pop("TMPDIR", None)
    return passed_on


def _needed(settings: Settings) -> list[Path]:
    parts = (settings.clips, settings.digits, settings.pages, settings.docs, settings.terminal)
    host = (settings.agent, settings.kernel, settings.guest)
    sockets = [
        Path(address.removeprefix("unix:")).parent
        for address in (settings.lab, *settings.live_lab)
        if address and address.startswith("unix:")
    ]
    prefixes = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve()]
    asked = (settings.survey, settings.experiments, settings.manifest)
    named = (*asked, settings.data, settings.recordings)
    known = settings.certificates
    papers = (settings.tls_cert, settings.tls_key, known, *(known.glob("*.pem") if known else ()))
    optional = (*parts, *host, *papers)
    found = [*prefixes, CHECKOUT, *named, *sockets, *(path for path in optional if path)]
    return [path.resolve() for path in found if path.exists()]


def check_ours(variable: str, folder: Path, user: pwd.struct_passwd) -> None:
    """A folder that is named by mistake keeps its owners."""
    marked = any(path for mark in MARKS for path in folder.glob(mark))
    known = marked or folder.name == "recordings"
    if known or folder.stat().st_uid == user.pw_uid or not any(folder.iterdir()):
        return
    raise SettingError(
        f"{variable}: {folder} holds what is not Thinlab's, which runs as the user {user.pw_name}; "
        f"choose a folder of its own, or hand it over: chown -R {user.pw_name} {folder}"
    )


def hand_over(folder: Path, user: pwd.struct_passwd) -> None:
    """What root made in it, now or in earlier runs, becomes the user's; nobody else may enter."""
    for _, folders, files, at in os.fwalk(folder, follow_symlinks=False):
        for name in ("", *folders, *files):
            # A link or a file that appears meanwhile is never followed.
            status = os.stat(name, dir_fd=at, follow_symlinks=False) if name else os.fstat(at)
            if status.st_uid != 0:
                continue
            if name:
                os.chown(name, user.pw_uid, user.pw_gid, dir_fd=at, follow_symlinks=False)
            else:
                os.fchown(at, user.pw_uid, user.pw_gid)
    folder.chmod(stat.S_IRWXU)


def hand_over_places(settings: Settings) -> None:
    """What a command of root's has put there, so that `thinlab run` finds it its own."""
    if os.geteuid() != 0:
        return
    user = pwd.getpwnam(system_user())
    for folder in (settings.data, settings.recordings):
        if folder.is_dir():
            hand_over(folder, user)


def closed_ancestor(path: Path, user: pwd.struct_passwd) -> Path | None:
    """The first folder on the way, from the root on, that the user cannot pass through."""
    return next((step for step in reversed(path.parents) if not _may(step, user)), None)


def _may(path: Path, user: pwd.struct_passwd, *, read: bool = False, write: bool = False) -> bool:
    """Whether the user may pass through a folder; and read and write it, or a file."""
    status = path.stat()
    folder = stat.S_ISDIR(status.st_mode)
    wanted = (stat.S_IXOTH if folder else 0) | (stat.S_IROTH if read else 0)
    wanted |= stat.S_IWOTH if write else 0
    if status.st_uid == user.pw_uid:
        wanted <<= 6
    elif status.st_gid == user.pw_gid:
        wanted <<= 3
    return status.st_mode & wanted == wanted


def show(paths: Iterable[Path], writable: Iterable[Path], user: pwd.struct_passwd) -> None:
    """Lets the user reach these paths where they are, and nothing beside them that was closed.

    In a mount namespace of this process: a closed folder on the way is covered by an empty one,
    in which only these paths are shown, read-only but for the writable.
    """
    closed: dict[Path, list[Path]] = {}
    for path in sorted(set(paths), key=lambda path: len(path.parts)):
        if ancestor := closed_ancestor(path, user):
            closed.setdefault(ancestor, []).append(path)
    if not closed:
        return
    mine = {path.resolve() for path in writable}
    try:
        _call("unshare", CLONE_NEWNS)
        _mount(None, "/", MS_REC | MS_SLAVE)
        for ancestor, below in closed.items():
            _cover(ancestor, below, mine)
    except OSError as error:
        where = ", ".join(str(ancestor) for ancestor in closed)
        raise SettingError(
            f"the user {user.pw_name}, as which Thinlab runs, cannot enter {where}, and it cannot "
            f"be shown what it needs of that ({error.strerror}); start Thinlab as an ordinary "
            "user, or from a checkout elsewhere, such as /opt/thinlab"
        ) from error


def _cover(ancestor: Path, below: list[Path], writable: set[Path]) -> None:
    with ExitStack() as open_ones:
        originals: dict[Path, int] = {}
        for path in below:
            originals[path] = os.open(path, os.O_PATH | os.O_CLOEXEC)
            open_ones.callback(os.close, originals[path])
        _mount("none", str(ancestor), MS_NOSUID, kind="tmpfs", options="mode=0711,size=256k")
        for path, original in originals.items():
            _make(path, is_folder=stat.S_ISDIR(os.fstat(original).st_mode))
            _mount(f"/proc/self/fd/{original}", str(path), MS_BIND | MS_REC)
            if path not in writable:
                _mount(None, str(path), MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID)


def _make(path: Path, *, is_folder: bool) -> None:
    """Something to mount over; inside what is shown already, it is there."""
    if path.exists():
        return
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    if is_folder:
        path.mkdir(mode=0o755)
    else:
        path.touch()


def _mount(
    source: str | None, target: str, flags: int, *, kind: str | None = None, options: str = ""
) -> None:
    words = (source, target, kind)
    encoded = [None if word is None else word.encode() for word in words]
    _call("mount", *encoded, ctypes.c_ulong(flags), options.encode())


def _call(name: str, *arguments: object) -> None:
    """A function of the C library that Python 3.11 does not have."""
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
