"""The recorder's process: started when there is work, again when it dies, given up in the end.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.made_up import study_definition
from thinlab.database.schema import RecordingJob
from thinlab.recording import supervisor, trial_recordings
from thinlab.recording.process import alone
from thinlab.recording.supervisor import DEATHS_IN_A_ROW, RecorderSupervisor
from thinlab.study import catalogue
from thinlab.web.services import Services

PATIENCE_S = 60


def command(started: Path, exit_code: int) -> tuple[str, ...]:
    """A recorder that only notes that it was started."""
    code = f"open({str(started)!r}, 'a').write('x'); raise SystemExit({exit_code})"
    return (sys.executable, "-c", code)


async def ask(services: Services) -> None:
    """Asks for the demo's five recordings."""
    async with services.database.transaction() as session:
        study = await catalogue.load(session, study_definition())
        await trial_recordings.ask_for_missing(session, study, services.clips, services.store)


async def jobs(services: Services) -> list[RecordingJob]:
    """All of them."""
    async with services.database.transaction() as session:
        return list(await session.scalars(select(RecordingJob)))


@asynccontextmanager
async def keeping(kept: RecorderSupervisor) -> AsyncIterator[None]:
    """As beside a web server."""
    task = asyncio.create_task(kept.keep())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(condition: Callable[[], Any]) -> None:
    """Waits for something that another task or process does."""
    async with asyncio.timeout(PATIENCE_S):
        while not await condition():
            await asyncio.sleep(0.02)


async def test_a_recorder_that_always_dies_is_given_up_and_said_so(
    services: Services,
    tmp_path: Path,
    monkeypatch: Any,  # noqa: ANN401
) -> None:
    monkeypatch.setattr(supervisor, "FIRST_PAUSE_S", 0.001)
    started = tmp_path / "started"
    await ask(services)

    async def all_failed() -> bool:
        return all(one.state == "failed" for one in await jobs(services))

    async with keeping(RecorderSupervisor(services.database, command=command(started, 3))):
        await until(all_failed)
    assert started.read_text() == "x" * DEATHS_IN_A_ROW
    for one in await jobs(services):
        assert "ended 3 times in a row" in (one.problem or "")
        assert "press Record again" in (one.remedy or "")


async def test_without_work_nothing_is_started(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = tmp_path / "started"
    kept = RecorderSupervisor(services.database, command=command(started, 3))
    looks, look = 0, kept._unheard

    async def look_and_count() -> bool:
        nonlocal looks
        found = await look()
        looks += 1
        return found

    monkeypatch.setattr(kept, "_unheard", look_and_count)
    async with keeping(kept):
        for number in (1, 2):

            async def looked(number: int = number) -> bool:
                return looks >= number

            await until(looked)
            # When it looks again, what it would have started before has been.
            kept.wake()
    assert not started.exists()


async def test_progress_is_told_while_it_works(services: Services, tmp_path: Path) -> None:
    told: list[dict[str, Any]] = []
    await ask(services)
    kept = RecorderSupervisor(services.database, told.append, command(tmp_path / "started", 0))
    async with keeping(kept):

        async def heard() -> bool:
            return bool(told)

        await until(heard)
    assert told[0] == {
        "event": "making",
        "sessions": 0,
        "total": 5,
        "done": 0,
        "share": 0.0,
        "problems": [],
    }


async def test_a_second_recorder_waits_for_the_first(services: Services) -> None:
    order: list[str] = []
    inside = asyncio.Event()
    leave = asyncio.Event()

    async def first() -> None:
        async with alone(services.database):
            inside.set()
            await leave.wait()
            order.append("first")

    async def second() -> None:
        await inside.wait()
        async with alone(services.database):
            order.append("second")

    both = asyncio.gather(first(), second())
    await inside.wait()
    leave.set()
    await both
    assert order == ["first", "second"]
