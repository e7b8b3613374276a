"""Processes that a run leaves behind, and that are no longer its descendants.

Whoever loses its parent is init's child: a look at what the supervisor has below it misses them.

SPDX-License-Identifier: Apache-2.0
"""

from contextlib import suppress

import psutil

from tests.running.thinlab_process import ThinlabProcess


class Orphans:
    """By user and program: other runs of the same machine have processes of the same names."""

    def __init__(self, thinlab: ThinlabProcess) -> None:
        self._thinlab = thinlab
        self._began_at = psutil.Process(thinlab.pid).create_time()
        self._seen: set[tuple[int, str]] = set()

    def look(self) -> None:
        """Notes who belongs to the run at this moment."""
        with suppress(psutil.Error):
            for process in self._thinlab.descendants():
                with suppress(psutil.Error):
                    self._seen.add(_known_by(process))

    def alive(self) -> list[str]:
        """Each in words, once the run has ended."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.ppid() != 1 or process.create_time() < self._began_at:
                    continue
                if _known_by(process) in self._seen:
                    found.append(f"{process.name()} {' '.join(process.cmdline())}"[:80])
        return found


def _known_by(process: psutil.Process) -> tuple[int, str]:
    return process.uids().real, process.exe()
