"""A process that is kept running: started again when it ends, stopped with all it started.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from thinlab.pdeathsig import dying_with_us
from thinlab.private_folder import private_folder

FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 10.0
# A process that served for so long, or of which that cannot be told ran for so long, had started
# well: its end is news, not a loop.
SERVED_WELL_S, RAN_WELL_S = 3.0, 20.0
PATIENCE_S = 10.0
LOG_LIMIT_BYTES = 5_000_000
PRIVATE_FILE = 0o600
# Whatever is in the way of a first start mostly stays there: three seconds of tries, and what they
# take.
STARTS_LIMIT = 5
READY_LOOK_S = 0.05
LAST_LINES = 20


class ChildRefusedError(Exception):
    """The process says that starting it again would not help."""


class ChildNeverReadyError(Exception):
    """The process ended each time before it was ready."""


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
    is_ready: Callable[[int], bool] | None = None
    """Whether the process of this number serves by now; who cannot tell is started for ever."""
    remedy: str = "fix what it says and start again"
    """What to do when it never is."""


class Pauses:
    """How long to wait before a process is started again: ever longer while it starts badly."""

    def __init__(self) -> None:
        self._next_s = FIRST_PAUSE_S

    def after(self, ran_s: float, served_s: float | None) -> float:
        """After a run of such a length. `served_s`: none of who cannot tell when it serves."""
        well = ran_s > RAN_WELL_S if served_s is None else served_s > SERVED_WELL_S
        pause_s = FIRST_PAUSE_S if well else self._next_s
        self._next_s = min(pause_s * 2, LONGEST_PAUSE_S)
        return pause_s


class Child:
    """Keeps one process running until told to stop."""

    def __init__(self, recipe: Recipe, say: Callable[[str], None]) -> None:
        self.recipe = recipe
        self._say = say
        self._process: asyncio.subprocess.Process | None = None
        self._stopping = asyncio.Event()
        self._was_ready = False
        self._ready_at: float | None = None
        """In this run."""
        self._log_from = 0

    @property
    def pid(self) -> int | None:
        """Of the process that runs; none before the first start."""
        return None if self._process is None else self._process.pid

    async def keep(self) -> None:
        """Runs until `stop`. Raises `ChildRefusedError` and `ChildNeverReadyError`."""
        pauses, starts = Pauses(), 0
        clock = asyncio.get_running_loop().time
        while not self._stopping.is_set():
            started = clock()
            code = await self._run_once()
            if self._stopping.is_set():
                return
            if code == self.recipe.refuses_with:
                raise ChildRefusedError("\n".join(self._last_words()))
            starts += 1
            # Once it was ready people may be there, and nobody to start it by hand.
            if self.recipe.is_ready and not self._was_ready and starts == STARTS_LIMIT:
                raise ChildNeverReadyError(self._obituary(code))
            self._say(
                f"{self.recipe.name} ended ({self._ending(code)}) and is started again; "
                f"log: {self.recipe.log}"
            )
            await asyncio.sleep(pauses.after(clock() - started, self._served_s(clock())))

    def _served_s(self, now: float) -> float | None:
        if self.recipe.is_ready is None:
            return None
        return 0.0 if self._ready_at is None else now - self._ready_at

    async def _run_once(self) -> int:
        self._ready_at = None
        if self.recipe.prepare is not None:
            await self.recipe.prepare()
        with _open_log(self.recipe.log) as log:
            self._log_from = log.seek(0, os.SEEK_END)
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
        looking = asyncio.create_task(self._look(self._process.pid))
        try:
            code = await self._process.wait()
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
        await self._look_once_more(self._process.pid)
        # What it started goes with it, however it ended.
        self._signal(signal.SIGKILL)
        return code

    async def _look(self, pid: int) -> None:
        """Returns once the process is ready."""
        if self.recipe.is_ready is None:
            return
        while not self.recipe.is_ready(pid):  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(READY_LOOK_S)
        self._was_ready = True
        self._ready_at = asyncio.get_running_loop().time()

    async def _look_once_more(self, pid: int) -> None:
        """One that served and died at once: what it told last may still be on its way."""
        if self.recipe.is_ready is None or self._was_ready:
            return
        await asyncio.sleep(READY_LOOK_S)
        self._was_ready = self.recipe.is_ready(pid)

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

    def _obituary(self, code: int) -> str:
        how = f"killed by {_signal_name(code)}" if code < 0 else f"exit code {code}"
        fault = f"it ended {STARTS_LIMIT} times before it was ready, the last time with {how}"
        lines = [
            f"{self.recipe.name} cannot be started: {fault}.",
            *(f"    {line}" for line in self._last_words() or ["(It said nothing.)"]),
            f"Remedy: {self.recipe.remedy}.",
            f"Log: {self.recipe.log}",
        ]
        return "\n".join(lines)

    def _ending(self, code: int) -> str:
        if code < 0:
            return f"killed by {_signal_name(code)}"
        # A process that cannot start says why in its last line; nobody looks into a log first.
        said = self._last_words()
        return f"exit code {code}: {said[-1]}" if code and said else f"exit code {code}"

    def _last_words(self) -> list[str]:
        """What it wrote last; nothing of what was written before it was started."""
        with self.recipe.log.open("rb") as log:
            log.seek(self._log_from)
            said = log.read().decode(errors="replace")
        return said.strip().splitlines()[-LAST_LINES:]


def _signal_name(code: int) -> str:
    return signal.Signals(-code).name


def _open_log(path: Path) -> IO[bytes]:
    private_folder(path.parent)
    if path.exists() and path.stat().st_size > LOG_LIMIT_BYTES:
        path.replace(path.with_suffix(".log.1"))
    log = path.open("ab")
    os.fchmod(log.fileno(), PRIVATE_FILE)
    return log
