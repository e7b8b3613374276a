"""Starts the recorder's process when there is work, and again when it dies before it is done.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from thinlab.database.engine import Database
from thinlab.database.schema import RecordingJob
from thinlab.pdeathsig import dying_with_us
from thinlab.recording import queue, registry
from thinlab.recording.trouble import Trouble

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-m", "thinlab", "record")
FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 5.0
TELL_EVERY_S = 0.3
# A recorder that dies so often in a row without one recording made will not make any.
DEATHS_IN_A_ROW = 3

Tell = Callable[[dict[str, Any]], None]


class RecorderSupervisor:
    """The web server's end of the recorder."""

    def __init__(
        self,
        database: Database,
        tell: Tell = lambda _: None,
        command: Sequence[str] = COMMAND,
        *,
        predictions: bool = True,
    ) -> None:
        self._database = database
        self._tell = tell
        self._command = command
        self._predictions = predictions
        self._woken = asyncio.Event()
        self._sessions = 0
        self._told: dict[str, Any] = {}

    def wake(self) -> None:
        """To be called after jobs were asked for."""
        self._woken.set()

    @property
    def is_woken(self) -> bool:
        """Whether a call has not been looked into yet."""
        return self._woken.is_set()

    async def keep(self) -> None:
        """Runs until it is cancelled: a process whenever there are jobs."""
        pause_s = FIRST_PAUSE_S
        # What a server before this one left undone.
        self._woken.set()
        while True:
            await self._woken.wait()
            self._woken.clear()
            deaths = 0
            try:
                # Whether one has ended well: what it could not predict, the next cannot either.
                done = False
                while (left := await self._open_jobs()) or (not done and await self._unheard()):
                    since = min((one.asked_at for one in left), default=datetime.now(UTC))
                    code = await self._run_once(since)
                    done = done or code == 0
                    asked = {one.id for one in left}
                    undone = asked & {one.id for one in await self._open_jobs()}
                    if code == 0 and not undone:
                        deaths, pause_s = 0, FIRST_PAUSE_S
                        continue
                    deaths = 1 if undone < asked else deaths + 1
                    log.error("the recorder ended with %s and is started again", code)
                    if deaths >= DEATHS_IN_A_ROW:
                        await self._give_up(code)
                        break
                    await asyncio.sleep(pause_s)
                    pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
            except Exception:
                # The database is away: nobody can press Record meanwhile either.
                log.exception("the recorder is waited with")
                await asyncio.sleep(pause_s)
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
                self._woken.set()

    async def _open_jobs(self) -> list[RecordingJob]:
        async with self._database.transaction() as session:
            return await queue.all_open(session)

    async def _unheard(self) -> bool:
        """Whether a recording has no prediction yet."""
        if not self._predictions:
            return False
        async with self._database.transaction() as session:
            return bool(await registry.unpredicted(session))

    async def _run_once(self, since: datetime) -> int:
        process = await asyncio.create_subprocess_exec(
            *dying_with_us(),
            *self._command,
            stdin=asyncio.subprocess.DEVNULL,
            # A session of its own, whose priority it can lower.
            start_new_session=True,
        )
        ended = asyncio.create_task(process.wait())
        try:
            while not ended.done():
                await asyncio.wait([ended], timeout=TELL_EVERY_S)
                await self._tell_progress(since)
            return ended.result()
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()

    async def _tell_progress(self, since: datetime) -> None:
        async with self._database.transaction() as session:
            batch = await queue.asked_since(session, since)
        # What was kept from earlier is done without a session, and no news.
        self._sessions = max(self._sessions, sum(one.state == "making" for one in batch))
        progress = {
            "event": "making",
            "sessions": self._sessions,
            "total": len(batch),
            "done": sum(one.state in {"done", "failed"} for one in batch),
            "share": sum(1.0 if one.state == "failed" else one.share for one in batch)
            / max(len(batch), 1),
            "problems": sorted({one.problem for one in batch if one.problem}),
        }
        # Where these lines are a log, what says nothing new buries what does.
        if progress != self._told:
            self._told = progress
            self._tell(progress)

    async def _give_up(self, code: int) -> None:
        async with self._database.transaction() as session:
            await queue.fail_all_open(
                session,
                Trouble(
                    f"The recorder's process ended {DEATHS_IN_A_ROW} times in a row "
                    f"(last with {code}).",
                    "The web server's log tells why. Then press Record again.",
                ),
            )
