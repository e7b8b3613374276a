"""Who is killed: one process of all, every few seconds, each kind about as often.

Most kills wait until the server takes votes again: on a busy machine it would else be killed as it
starts each time, and nothing would ever be acknowledged that could be lost. Some do not wait.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress

import httpx
import psutil

from tests.running.thinlab_process import ThinlabProcess


def _agent(clock: str) -> Callable[[str], bool]:
    return lambda command: "lab-agent boot" in command and f"--clock {clock}" in command


def _recorder(command: str) -> bool:
    return "-m thinlab record" in command


# A guest is told by whose child it is, as a worker is.
ROOTS: Mapping[str, Callable[[str], bool]] = {
    "database": lambda command: "bin/postgres -D" in command,
    "web server": lambda command: "-m thinlab serve" in command,
    "recorder": _recorder,
    "lab agent": _agent("virtual"),
    "live lab agent": _agent("real"),
}
BELOW: Mapping[str, str] = {
    "database's process": "database",
    "recorder's process": "recorder",
    "guest": "lab agent",
    "live guest": "live lab agent",
}
KINDS = (*ROOTS, *BELOW)


def by_kind(thinlab: ThinlabProcess) -> dict[str, list[psutil.Process]]:
    """All processes of a run that live at this moment."""
    found: dict[str, list[psutil.Process]] = {kind: [] for kind in KINDS}
    with suppress(psutil.Error):
        for process in thinlab.descendants():
            with suppress(psutil.Error):
                command = " ".join(process.cmdline())
                for kind, matches in ROOTS.items():
                    if matches(command) and process.status() != psutil.STATUS_ZOMBIE:
                        found[kind].append(process)
    for kind, above in BELOW.items():
        for process in found[above]:
            with suppress(psutil.Error):
                roots = {one.pid for these in ROOTS for one in found[these]}
                found[kind] += [
                    one for one in process.children(recursive=True) if one.pid not in roots
                ]
    return found


OK = 200
HASTY_SHARE = 0.2
RECOVERY_PATIENCE_S = 60.0
LOOK_S = 0.2


class Killer:
    """Kills, and counts."""

    def __init__(self, thinlab: ThinlabProcess, every_s: float, seed: int) -> None:
        self._thinlab = thinlab
        self._every_s = every_s
        self._chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
        self.kills: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
        self.last: str | None = None

    async def keep_killing(self, at_most: int | None) -> None:
        """Until it is cancelled, or has killed so often."""
        while at_most is None or self.kills.total() < at_most:
            await asyncio.sleep(self._chance.uniform(0.5, 1.5) * self._every_s)
            if self._chance.random() > HASTY_SHARE:
                await self._recovered()
            await asyncio.to_thread(self._kill_one)

    async def _recovered(self) -> None:
        with suppress(TimeoutError):
            async with (
                asyncio.timeout(RECOVERY_PATIENCE_S),
                httpx.AsyncClient(base_url=self._thinlab.address, timeout=5) as client,
            ):
                while True:
                    with suppress(httpx.TransportError):
                        if (await client.get("/api/health")).status_code == OK:
                            return
                    await asyncio.sleep(LOOK_S)

    def _kill_one(self) -> None:
        alive = {kind: these for kind, these in by_kind(self._thinlab).items() if these}
        if not alive:
            return
        fewest = min(self.kills[kind] for kind in alive)
        kind = self._chance.choice([one for one in alive if self.kills[one] == fewest])
        with suppress(psutil.Error):
            self._chance.choice(alive[kind]).kill()
            self.kills[kind] += 1
            self.last = kind
