"""A process that is kept running: started again when it ends, stopped with all it started.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import shutil
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 10.0
# A process that ran for so long had started well: its end is news, not a loop.
STARTED_WELL_S = 20.0
PATIENCE_S = 10.0
LOG_LIMIT_BYTES = 5_000_000


class ChildRefusedError(Exception):
    """The process says that starting it again would not help."""


@dataclass(frozen=True)
class Recipe:
    """How to start a process, and how to ask it to end."""

    name: str
    command: Sequence[str]
    log: Path
    stop_signal: signal.Signals = signal.SIGTERM
    environment: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[], Awaitable[None]] | None = None
    """What must be cleared away before each start."""
    pass_fds: tuple[int, ...] = ()
    refuses_with: int | None = None
    """The exit code that means: do not start me again."""


class Child:
    """Keeps one process running until told to stop."""

    def __init__(self, recipe: Recipe, say: Callable[[str], None]) -> None:
        self.recipe = recipe
        self._say = say
        self._process: asyncio.subprocess.Process | None = None
        self._stopping = asyncio.Event()

    async def keep(self) -> None:
        """Runs until `stop`. Raises `ChildRefusedError`."""
        pause_s = FIRST_PAUSE_S
        clock = asyncio.get_running_loop().time
        while not self._stopping.is_set():
            started = clock()
            code = await self._run_once()
            if self._stopping.is_set():
                return
            if code == self.recipe.refuses_with:
                raise ChildRefusedError(self._last_words())
            if clock() - started > STARTED_WELL_S:
                pause_s = FIRST_PAUSE_S
            self._say(
                f"{self.recipe.name} ended ({self._ending(code)}) and is started again; "
                f"log: {self.recipe.log}"
            )
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    async def _run_once(self) -> int:
        if self.recipe.prepare is not None:
            await self.recipe.prepare()
        with _open_log(self.recipe.log) as log:
            self._process = await asyncio.create_subprocess_exec(
                *dying_with_us(self.recipe.stop_signal),
                *self.recipe.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env={**os.environ, **self.recipe.environment},
                start_new_session=True,
                pass_fds=self.recipe.pass_fds,
            )
        if self._stopping.is_set():
            self._signal(self.recipe.stop_signal)
        code = await self._process.wait()
        # What it started goes with it, however it ended.
        self._signal(signal.SIGKILL)
        return code

    async def stop(self) -> None:
        """Asks the process to end, then makes it."""
        self._stopping.set()
        if self._process is None or self._process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            self._process.send_signal(self.recipe.stop_signal)
        try:
            await asyncio.wait_for(self._process.wait(), PATIENCE_S)
        except TimeoutError:
            self._say(f"{self.recipe.name} does not end and is killed")
        self._signal(signal.SIGKILL)

    def _signal(self, what: signal.Signals) -> None:
        """To the whole group: the process leads one of its own."""
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, what)

    def _ending(self, code: int) -> str:
        if code < 0:
            return f"killed by {signal.Signals(-code).name}"
        # A process that cannot start says why in its last line; nobody looks into a log first.
        why = self._last_words().rpartition("\n")[2] if code else ""
        return f"exit code {code}: {why}" if why else f"exit code {code}"

    def _last_words(self) -> str:
        lines = self.recipe.log.read_text(errors="replace").strip().splitlines()
        return "\n".join(lines[-20:])


def dying_with_us(how: signal.Signals = signal.SIGKILL) -> list[str]:
    """Makes the kernel end the process when we are killed without a chance to."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", how.name.removeprefix("SIG"), "--"] if setpriv else []


def _open_log(path: Path) -> IO[bytes]:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size > LOG_LIMIT_BYTES:
        path.replace(path.with_suffix(".log.1"))
    return path.open("ab")
