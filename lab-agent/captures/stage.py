"""Where an application's programs are started, and waited for.

SPDX-License-Identifier: Apache-2.0
"""

import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from fault import CapturesError

LISTENS = "0A"
LONGEST_WAIT_S = 60.0
POLL_S = 0.02


class Stage:
    """A root that holds the packages' files and nothing of the machine's.

    Programs, libraries and accounts are the manifest's. What they write goes to a file system in
    memory.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "tmp" / "home"

    def command(self, words: Sequence[str]) -> list[str]:
        """A program of the packages, as a command of this machine."""
        return ["/usr/sbin/chroot", str(self.root), *words]

    def start(
        self,
        words: Sequence[str],
        *,
        log: Path | None = None,
        extra: Mapping[str, str] | None = None,
        before: Callable[[], None] | None = None,
    ) -> subprocess.Popen[bytes]:
        """A program beside this one; it ends with the namespace at the latest."""
        out: IO[bytes] | int = log.open("wb") if log is not None else subprocess.DEVNULL
        return subprocess.Popen(
            self.command(words),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            env=self.environment(extra),
            preexec_fn=before,  # noqa: PLW1509 (there are no threads)
        )

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The same on every machine."""
        return {
            "PATH": "/usr/games:/usr/sbin:/usr/bin:/bin",
            "HOME": "/tmp/home",
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
            **(extra or {}),
        }

    def run(self, words: Sequence[str]) -> None:
        """A program to its end."""
        subprocess.run(self.command(words), env=self.environment(), check=True)

    def wait_until(self, holds: Callable[[], bool], what: str) -> None:
        """Looks again until it holds. Raises `CapturesError` after a minute."""
        give_up = time.monotonic() + LONGEST_WAIT_S
        while not holds():
            if time.monotonic() > give_up:
                raise CapturesError(f"{what} did not happen within a minute", "run again")
            time.sleep(POLL_S)

    def wait_for_listener(self, port: int) -> None:
        """Until somebody listens there; no connection is made to find out."""
        local = f"0100007F:{port:04X}"

        def listens() -> bool:
            lines = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()
            return any(local in line and line.split()[3] == LISTENS for line in lines[1:])

        self.wait_until(listens, f"listening on port {port}")

    def say(self, line: str) -> None:
        """What is under way."""
        print(f"captures: {line}", file=sys.stderr, flush=True)
