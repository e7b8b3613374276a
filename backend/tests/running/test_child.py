"""A process that cannot start is said to, with its reason.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import sys
from pathlib import Path

import pytest

from tests.running.thinlab_process import PATIENCE_S
from thinlab.running.child import Child, Pauses, Recipe

pytestmark = pytest.mark.processes


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


def test_who_starts_badly_waits_ever_longer() -> None:
    pauses = Pauses()
    waits = [pauses.after(ran_s=1.0, served_s=0.0) for _ in range(8)]
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0]
    # It served: it may come back at once, and badly again ever more slowly.
    assert [pauses.after(9.0, served_s) for served_s in (5.0, 0.0, 0.1, 5.0)] == [
        0.2,
        0.4,
        0.8,
        0.2,
    ]


def test_who_cannot_tell_when_it_serves_is_judged_by_how_long_it_ran() -> None:
    pauses = Pauses()
    assert [pauses.after(ran_s, None) for ran_s in (1.0, 19.0, 21.0, 1.0)] == [0.2, 0.4, 0.2, 0.4]
