"""A real Dask scheduler with two workers, each with a lab host of its own; one is killed.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.experiment.commands import PATIENCE_S, SMALL, finished, kept, need_parts, start
from thinlab.experiment.host import lab_host
from thinlab.settings import Settings

pytestmark = pytest.mark.processes

SESSIONS = 12


@asynccontextmanager
async def dask(*arguments: str, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """One of Dask's own programs, until left."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "dask", *arguments),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        await process.wait()


def address(about: Path) -> str | None:
    """The scheduler's, once its file says it."""
    try:
        told: str = json.loads(about.read_text())["address"]
    except (FileNotFoundError, ValueError):
        return None
    return told


async def address_of(about: Path, scheduler: asyncio.subprocess.Process) -> str:
    """The same, waited for."""
    async with asyncio.timeout(PATIENCE_S):
        while (found := address(about)) is None:
            assert scheduler.returncode is None, "it ended before it had begun"
            await asyncio.sleep(0.05)
    return found


async def test_a_killed_worker_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    need_parts()
    settings = Settings.read({**os.environ, "THINLAB_LAB": ""})
    about = tmp_path / "scheduler.json"
    async with AsyncExitStack() as stack:
        scheduler = await stack.enter_async_context(
            dask(
                *("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"),
                *("--scheduler-file", str(about)),
            )
        )
        where = await address_of(about, scheduler)
        workers = []
        for name in ("one", "two"):
            lab = await stack.enter_async_context(lab_host(settings))
            worker = dask(
                *("worker", "--scheduler-file", str(about), "--name", name, "--no-nanny"),
                *("--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path / name)),
                THINLAB_LAB=lab,
            )
            workers.append(await stack.enter_async_context(worker))
        ran = await start(tmp_path, "run", str(SMALL), "--scheduler", where)
        async with asyncio.timeout(PATIENCE_S):
            while len(kept(tmp_path)) < 2:
                assert ran.returncode is None, "the run ended before a worker could be killed"
                await asyncio.sleep(0.02)
        workers[0].send_signal(signal.SIGKILL)
        await workers[0].wait()
        before = kept(tmp_path)
        assert len(before) < SESSIONS
        _, errors = await finished(ran)
        assert f"{SESSIONS} of {SESSIONS} sessions" in errors
        assert "failed" not in errors
    after = kept(tmp_path)
    assert len(after) == SESSIONS
    assert {name: after[name] for name in before} == before, "a finished session was run again"
    # One worker, and no cluster: the same records, to the byte.
    alone = tmp_path / "alone"
    await finished(await start(alone, "run", str(SMALL), "--workers", "1"))
    assert kept(alone).keys() == after.keys()
    for name in after:
        one, other = (
            (cache / "experiments" / "sessions" / name[:2] / f"{name}.json").read_bytes()
            for cache in (tmp_path, alone)
        )
        assert one == other


async def test_what_fails_is_tried_once_more_and_then_reported(tmp_path: Path) -> None:
    """No connection comes about where all is lost; the others are kept."""
    need_parts()
    hopeless = tmp_path / "hopeless.yaml"
    text = SMALL.read_text()
    text = text[: text.index("columns:")].replace("published: small-published.yaml\n", "")
    hopeless.write_text(text.replace("[0.02, 0.2]", "[0.02, 1]"))
    arguments = ("run", str(hopeless), "--runs", "1", "--mode", "off", "--workers", "2")
    out, errors = await finished(await start(tmp_path, *arguments), code=1)
    assert "1 failed, 1 tried again" in errors
    assert "loss 100 %" in errors
    assert len(kept(tmp_path)) == 1
    assert "Tables:" in out
