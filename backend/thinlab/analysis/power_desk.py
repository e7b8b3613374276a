"""Works out the power of studies for the web server, in a process beside it.

Simulations take a core for a minute or two: whoever types or votes meanwhile waits for nothing.
What was worked out is kept by the hash of what the study says, until the server ends.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import logging
import os
import signal
import sys
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, Field

from thinlab.analysis.simulated.curve_findings import PowerCurve
from thinlab.pdeathsig import dying_with_us
from thinlab.study.catalogue import StoredStudy

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "thinlab", "study", "power-curve")
STUDIES = 500
KEPT = 16
# A line is a curve at most.
MOST_SAID_BYTES = 4 * 1024 * 1024


class PowerState(BaseModel):
    """Where the power of a study stands."""

    state: Literal["none", "waiting", "computing", "ready", "failed"] = Field(
        description="`none`: not asked for, or cancelled. `waiting`: another study's is being "
        "worked out."
    )
    share: float = Field(default=0.0, description="That is done, while computing.")
    problem: str | None = Field(default=None, description="Why it failed.")
    curve: PowerCurve | None = Field(default=None, description="Once it is ready.")


@dataclass
class _Work:
    task: "asyncio.Task[None]"
    state: PowerState


class PowerDesk:
    """One simulation at a time; each can be cancelled."""

    def __init__(self, command: Sequence[str] = COMMAND, studies: int = STUDIES) -> None:
        self._command = (*command, "--studies", str(studies))
        self._turn = asyncio.Lock()
        self._work: dict[str, _Work] = {}
        self._done: OrderedDict[str, PowerState] = OrderedDict()

    def state(self, study: StoredStudy) -> PowerState:
        """Of the study as it is now."""
        key = study.content_hash
        if key in self._work:
            return self._work[key].state
        return self._done.get(key) or PowerState(state="none")

    def start(self, study: StoredStudy) -> None:
        """Begins, unless it is under way or done; what failed is tried again."""
        key = study.content_hash
        known = self._done.get(key)
        if key in self._work or (known is not None and known.state == "ready"):
            return
        self._done.pop(key, None)
        said = study.definition.model_dump_json()
        task = asyncio.create_task(self._run(key, said.encode()))
        self._work[key] = _Work(task, PowerState(state="waiting"))

    async def cancel(self, study: StoredStudy) -> None:
        """Ends it; nothing is kept of what was not finished."""
        work = self._work.get(study.content_hash)
        if work is not None:
            work.task.cancel()
            await asyncio.gather(work.task, return_exceptions=True)

    async def close(self) -> None:
        """Ends everything, with the server."""
        tasks = [work.task for work in self._work.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, key: str, said: bytes) -> None:
        try:
            async with self._turn:
                found = await self._computed(key, said)
        except (OSError, ValueError) as error:
            log.exception("the power of a study was not worked out")
            found = PowerState(state="failed", problem=str(error))
        finally:
            self._work.pop(key, None)
        self._done[key] = found
        while len(self._done) > KEPT:
            self._done.popitem(last=False)

    async def _computed(self, key: str, said: bytes) -> PowerState:
        process = await asyncio.create_subprocess_exec(
            *dying_with_us(),
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MOST_SAID_BYTES,
            # A session of its own, which is ended whole.
            start_new_session=True,
        )
        try:
            assert process.stdin is not None  # noqa: S101
            assert process.stdout is not None  # noqa: S101
            process.stdin.write(said)
            process.stdin.close()
            async for line in process.stdout:
                told = json.loads(line)
                if "curve" in told:
                    curve = PowerCurve.model_validate(told["curve"])
                    return PowerState(state="ready", share=1.0, curve=curve)
                if "problem" in told:
                    return PowerState(state="failed", problem=told["problem"])
                self._work[key].state = PowerState(state="computing", share=told["share"])
            code = await process.wait()
            return PowerState(state="failed", problem=f"The simulation ended with {code}.")
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
