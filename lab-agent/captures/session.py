"""One application over loopback, in namespaces of its own, with its packets captured.

Usage: session.py SESSION ROOT CAPTURE SECONDS, as `make` starts it within `unshare`.

Nothing can be reached from here but loopback, and all that was started ends with this process, the
first of its namespace.

SPDX-License-Identifier: Apache-2.0
"""

import fcntl
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import bzflag
import ssh
from fault import CapturesError
from stage import Stage

SESSIONS: dict[str, tuple[int, Callable[[Stage, float], None]]] = {
    "ssh": (ssh.PORT, ssh.play),
    "bzflag": (bzflag.PORT, bzflag.play),
}
SIOCSIFFLAGS = 0x8914
IFF_UP_AND_RUNNING = 0x41


def main() -> None:
    """Play one session and write its capture."""
    name, root, capture, seconds = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    port, play = SESSIONS[name]
    stage = Stage(root)
    try:
        prepare(root)
        stage.home.mkdir()
        with captured(stage, port, capture):
            play(stage, float(seconds))
    except CapturesError as error:
        print(f"{name}: {error}\n  remedy: {error.remedy}", file=sys.stderr)
        raise SystemExit(1) from error


def prepare(root: Path) -> None:
    """Loopback up; devices, terminals and a place to write below the root."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        up = struct.pack("16sh", b"lo", IFF_UP_AND_RUNNING)
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, up)
    for arguments in (
        ["--rbind", "/dev", "dev"],
        ["--rbind", "/proc", "proc"],
        # Terminals of its own, whose owner and group are those of who opens them.
        ["-t", "devpts", "-o", "newinstance,ptmxmode=0666,mode=0620", "devpts", "dev/pts"],
        ["-t", "tmpfs", "tmpfs", "tmp"],
    ):
        subprocess.run(["/usr/bin/mount", *arguments], cwd=root, check=True)


@contextmanager
def captured(stage: Stage, port: int, capture: Path) -> Iterator[None]:
    """Every packet of a port, whatever its protocol. Raises `CapturesError` if one was missed."""
    log = stage.root / "tmp" / "tcpdump.log"
    inside = stage.root / "tmp" / "capture.pcap"
    options = ["-i", "lo", "-U", "-B", "16384", "--time-stamp-precision=nano"]
    tcpdump = stage.start(
        ["tcpdump", *options, "-w", "/tmp/capture.pcap", f"port {port}"],
        log=log,
    )
    stage.wait_until(lambda: "listening on" in _text(log), "the capture's beginning")
    yield
    tcpdump.send_signal(signal.SIGINT)
    tcpdump.wait()
    dropped = re.search(r"(\d+) packets? dropped by kernel", _text(log))
    if dropped is None or int(dropped[1]):
        raise CapturesError(
            f"the capture lacks packets: {_text(log).splitlines()[-1:]}",
            "run again on a machine that does less",
        )
    shutil.copyfile(inside, capture)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


if __name__ == "__main__":
    os.umask(0o022)
    main()
