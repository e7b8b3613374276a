"""Runs errands for the web server: processes beside it, as typing people wait for nothing.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from thinlab.pdeathsig import dying_with_us

COMMAND = (sys.executable, "-m", "thinlab", "experiment", "errand")
MOST_SAID_BYTES = 64 * 1024


class ErrandError(Exception):
    """An errand that came to nothing; the text says why."""


class Errands:
    """Starts them; they end with the server."""

    def __init__(self, build: str, command: Sequence[str] = COMMAND) -> None:
        self._command = (*command, "--build", build)

    async def run(self, kind: str, *words: str, limit_s: float) -> None:
        """One errand to its end. Raises `ErrandError`."""
        process = await asyncio.create_subprocess_exec(
            *(*dying_with_us(), *self._command, kind, *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            # A session of its own, whose priority it can lower.
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(limit_s):
                said, _ = await process.communicate()
        except TimeoutError:
            raise ErrandError(f"It took longer than {limit_s / 60:g} minutes.") from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        if process.returncode != 0:
            raise ErrandError(_told(said) or f"It ended with {process.returncode}.")


def _told(said: bytes) -> str | None:
    """What an errand says on its last line, where it was able to say anything."""
    try:
        told = json.loads(said[-MOST_SAID_BYTES:].splitlines()[-1])
    except (ValueError, IndexError):
        return None
    problem = told.get("problem") if isinstance(told, dict) else None
    return problem if isinstance(problem, str) else None
