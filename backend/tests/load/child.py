"""The processes that a benchmark's listeners run in, and how long it listens to them.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.demo.sound_room import stay_on_this_machine

# So many share the listeners.
PROCESSES = 2
NICE = 15
PATIENCE_S = 120.0
MEASURE_S = 30.0


class Child:
    """A process that says what it found in lines of JSON."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def said(self) -> Any:  # noqa: ANN401 (whatever it says)
        """Its next line."""
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            line = await self._process.stdout.readline()
        assert line, "it ended"
        return json.loads(line)

    async def tell(self) -> None:
        """Its time has come."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        await self._process.stdin.drain()

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    async def over(self) -> None:
        """Ends it."""
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()


def be_child() -> None:
    """In such a process, first: it disturbs nobody who is measured."""
    os.nice(NICE)
    stay_on_this_machine()


def say(found: Any) -> None:  # noqa: ANN401 (whatever it says)
    """In such a process: a line of what `said` reads."""
    print(json.dumps(found), flush=True)


async def told() -> None:
    """In such a process: waits for `tell`."""
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)


@asynccontextmanager
async def child(*command: str) -> AsyncIterator[Child]:
    """Runs as long as it is wanted."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**28,
    )
    started = Child(process)
    try:
        yield started
    finally:
        await started.over()
