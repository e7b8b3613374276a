"""Memory, descriptors, processes and files left behind, every few seconds; and whether they grow.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.running.thinlab_process import ThinlabProcess
from tests.soak.orphans import Orphans
from tests.soak.victims import by_kind

EVERY_S = 5.0
LEAST_SAMPLES = 12
MB = 1_000_000
# What is no growth: caches that fill, a recorder that happens to be there.
MORE_MB, MORE_DESCRIPTORS, MORE_FILES = 25.0, 12, 25


@dataclass(frozen=True)
class Sample:
    """One look."""

    at_s: float
    calm: bool
    """Nobody is killed: what lives now lives on."""
    memory_mb: dict[str, float]
    """By kind, of all its processes."""
    descriptors: dict[str, int]
    processes: int
    left_files: int
    """In the folder for temporary files."""


class Growth:
    """All that was seen."""

    def __init__(self, thinlab: ThinlabProcess, temporary: Path, orphans: Orphans) -> None:
        self._thinlab = thinlab
        self._orphans = orphans
        self._temporary = temporary
        self._began_s = time.monotonic()
        self.calm = False
        self.samples: list[Sample] = []

    async def keep_looking(self) -> None:
        """Until it is cancelled."""
        while True:
            with suppress(psutil.Error):
                self.samples.append(await asyncio.to_thread(self._look))
            await asyncio.sleep(EVERY_S)

    def _look(self) -> Sample:
        self._orphans.look()
        kinds = by_kind(self._thinlab) | {"supervisor": [psutil.Process(self._thinlab.pid)]}
        memory_mb = dict.fromkeys(kinds, 0.0)
        descriptors = dict.fromkeys(kinds, 0)
        for kind, processes in kinds.items():
            for process in processes:
                with suppress(psutil.Error):
                    # What several share is counted once, divided among them.
                    memory_mb[kind] += process.memory_full_info().pss / MB
                    descriptors[kind] += process.num_fds()
        return Sample(
            time.monotonic() - self._began_s,
            self.calm,
            memory_mb,
            descriptors,
            len(self._thinlab.descendants()),
            sum(1 for _ in self._temporary.iterdir()),
        )

    def last_mb(self) -> float:
        """Of everything together."""
        return sum(self.samples[-1].memory_mb.values()) if self.samples else 0.0

    def grown(self) -> list[str]:
        """What is more at the end than at the beginning, in words."""
        killing = [one for one in self.samples if not one.calm]
        calm = [one for one in self.samples if one.calm]
        found = _grown(killing, ["supervisor"], "beside kills")
        # Here every process has lived since the last kill.
        found += _grown(calm, ["web server", "database", "lab agent", "live lab agent"], "without")
        found += _more(
            "files in the folder for temporary ones",
            [float(one.left_files) for one in self.samples],
            MORE_FILES,
        )
        return found


def _grown(samples: Sequence[Sample], kinds: Sequence[str], when: str) -> list[str]:
    found = []
    for kind in kinds:
        found += _more(
            f"MB of the {kind}, {when}", [one.memory_mb[kind] for one in samples], MORE_MB
        )
        found += _more(
            f"descriptors of the {kind}, {when}",
            [float(one.descriptors[kind]) for one in samples],
            MORE_DESCRIPTORS,
        )
    return found


def _more(what: str, values: Sequence[float], tolerated: float) -> list[str]:
    """By the medians of the second and the last quarter: the first warms up."""
    quarter = len(values) // 4
    if len(values) < LEAST_SAMPLES:
        return []
    before = statistics.median(values[quarter : 2 * quarter])
    after = statistics.median(values[-quarter:])
    if after - before <= max(tolerated, 0.1 * before):
        return []
    return [f"{what}: {before:.0f} in the second quarter, {after:.0f} in the last"]
