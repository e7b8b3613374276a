"""A process that cannot start is said to, with its reason.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import sys
from pathlib import Path

from tests.running.thinlab_process import PATIENCE_S
from thinlab.running.child import Child, Recipe


async def test_why_a_process_ended_is_said_beside_where_its_log_is(tmp_path: Path) -> None:
    said: list[str] = []
    command = [sys.executable, "-c", "import no_such_part_of_thinlab"]
    child = Child(Recipe("The server", command, tmp_path / "web.log"), said.append)
    keeping = asyncio.create_task(child.keep())
    async with asyncio.timeout(PATIENCE_S):
        while not said:
            await asyncio.sleep(0.01)
    await child.stop()
    await keeping
    assert "exit code 1: ModuleNotFoundError: No module named 'no_such_part_of_thinlab'" in said[0]
    assert str(tmp_path / "web.log") in said[0]
