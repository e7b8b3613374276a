"""What must hold before anything is started; each fault names its remedy.

SPDX-License-Identifier: Apache-2.0
"""

import errno
import fcntl
import os
import shutil
import socket
from pathlib import Path
from typing import IO

import psutil

from thinlab.settings import SettingError, Settings

# The database starts at 40 MB; a pair's recordings and captures are 20 MB.
FREE_MB_NEEDED = 500
HOST_ARTIFACTS = ("agent", "kernel", "guest")


def check(settings: Settings, host: str, port: int) -> None:
    """Raises `SettingError` for the first thing that is in the way."""
    for name in ("clips", *(() if settings.lab else HOST_ARTIFACTS)):
        settings.need(name)
    if settings.terminal is not None and not settings.live_lab:
        for name in (*HOST_ARTIFACTS, "terminal"):
            settings.need(name)
    # Where the lab runs elsewhere, another server may have the pages, too.
    if settings.pages is not None or settings.lab is None:
        settings.need("pages")
    _check_folder("THINLAB_DATA", settings.data)
    _check_folder("THINLAB_RECORDINGS", settings.recordings)
    check_port(host, port)


def _check_folder(variable: str, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingError(
            f"{variable}: {folder} cannot be made ({error.strerror}); set {variable} to a folder "
            "that you may write to"
        ) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SettingError(
            f"{variable}: {folder} cannot be written to; was it made by another user? "
            f"Set {variable} to a folder of your own"
        )
    free_mb = shutil.disk_usage(folder).free // 1_000_000
    if free_mb < FREE_MB_NEEDED:
        raise SettingError(
            f"{variable}: {free_mb} MB are free at {folder}, {FREE_MB_NEEDED} MB are needed; "
            f"make room, or set {variable} to a folder on another disk"
        )


def check_port(host: str, port: int) -> None:
    """Raises `SettingError` where nobody else may listen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As the server will: a port that only waits for late packets is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise SettingError(f"--host {host} --port {port}: {error.strerror}") from error
            raise SettingError(
                f"port {port} is in use{_user_of(port)}; stop that, or choose another port: "
                f"make run PORT={port + 1}"
            ) from error


def _user_of(port: int) -> str:
    """Which process listens there, where we may see it."""
    try:
        for connection in psutil.net_connections("tcp"):
            if connection.laddr and connection.laddr.port == port and connection.pid:
                return f" by {psutil.Process(connection.pid).name()} (process {connection.pid})"
    except psutil.Error:
        pass
    return ""


def take_lock(data: Path) -> IO[str]:
    """The lock on the data folder, held while the file is open. Raises `SettingError`.

    The kernel drops it with the process: no earlier run, however it ended,
    can leave it behind.
    """
    file = (data / "lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.seek(0)
        owner = file.read().strip() or "?"
        file.close()
        raise SettingError(
            f"Thinlab is running already on {data} (process {owner}); stop it with Ctrl-C there "
            f"or `kill {owner}`, or give this one a folder of its own: THINLAB_DATA=…"
        ) from error
    file.seek(0)
    file.truncate()
    file.write(str(os.getpid()))
    file.flush()
    return file
