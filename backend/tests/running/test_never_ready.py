"""A part that never gets ready ends the run, with what it said; one that was is started for ever.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.live.real_agent import NEEDED
from tests.running.thinlab_process import PATIENCE_S, ThinlabProcess, free_port
from thinlab.running import child
from thinlab.running.child import STARTS_LIMIT, Child, ChildNeverReadyError, Recipe

pytestmark = pytest.mark.processes

# `thinlab run` whose web server is what the arguments say, which waits less between two starts.
RUN = """
import asyncio, sys
from thinlab.running import child
from thinlab.running.run import Run
from thinlab.settings import Settings

child.FIRST_PAUSE_S = child.LONGEST_PAUSE_S = 0.01
run = Run(Settings.read(), "127.0.0.1", int(sys.argv[1]), web=tuple(sys.argv[2:]))
asyncio.run(run.until_stopped())
"""
# The sixth argument is the descriptor of `--status-fd`.
LISTENS_AND_DIES = """eval "echo '{\\"event\\": \\"listening\\"}' >&$6"; exit 3"""


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next start comes at once."""
    monkeypatch.setattr(child, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(child, "LONGEST_PAUSE_S", 0.001)


def shell(tmp_path: Path, script: str, is_ready: Callable[[int], bool]) -> Recipe:
    """A process that runs a script in a folder."""
    command = ["sh", "-c", f"cd {tmp_path}; {script}"]
    return Recipe("The server", command, tmp_path / "log", is_ready=is_ready, remedy="mend it")


@pytest.mark.usefixtures("hasty")
async def test_one_that_never_is_ready_is_given_up_with_its_last_words(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("of another day\n")
    script = "echo start >>starts; echo $(wc -l <starts) blocks are bad >&2; exit 4"
    said: list[str] = []
    with pytest.raises(ChildNeverReadyError) as caught:
        async with asyncio.timeout(PATIENCE_S):
            await Child(shell(tmp_path, script, lambda _: False), said.append).keep()
    fault = f"it ended {STARTS_LIMIT} times before it was ready, the last time with exit code 4"
    assert str(caught.value).splitlines() == [
        f"The server cannot be started: {fault}.",
        f"    {STARTS_LIMIT} blocks are bad",
        "Remedy: mend it.",
        f"Log: {tmp_path / 'log'}",
    ]
    assert len(said) == STARTS_LIMIT - 1


@pytest.mark.usefixtures("hasty")
async def test_one_that_was_ready_is_started_however_often_it_ends(tmp_path: Path) -> None:
    seen = tmp_path / "seen"

    def is_ready(_: int) -> bool:
        if (tmp_path / "ready").exists():
            seen.touch()
        return seen.exists()

    said: list[str] = []
    # The first one waits until it was looked at; the others are never ready.
    script = "touch ready; until [ -e seen ]; do sleep 0.01; done; exit 1"
    kept = Child(shell(tmp_path, script, is_ready), said.append)
    keeping = asyncio.create_task(kept.keep())
    async with asyncio.timeout(PATIENCE_S):
        while len(said) < 2 * STARTS_LIMIT:
            assert not keeping.done()
            await asyncio.sleep(0.01)
    await kept.stop()
    await keeping


async def test_a_web_server_is_ready_when_it_says_that_it_listens(tmp_path: Path) -> None:
    settings = {
        "THINLAB_DATA": str(tmp_path / "data"),
        "THINLAB_CLIPS": str(tmp_path),
        "THINLAB_DATABASE_URL": "postgresql://nobody@/nothing",
        "THINLAB_LAB": "unix:/nothing",
        "THINLAB_TERMINAL": "",
        "THINLAB_PAGES": "",
    }
    for script, ends in ((LISTENS_AND_DIES, False), ("exit 3", True)):
        run = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", RUN, str(free_port()), "sh", "-c", script, "web"),
            env={**os.environ, **settings},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert run.stdout is not None
        restarts = 0
        async with asyncio.timeout(PATIENCE_S):
            while restarts < 2 * STARTS_LIMIT and (line := await run.stdout.readline()):
                restarts += b"The web server ended (exit code 3)" in line
        if not ends:
            run.terminate()
        async with asyncio.timeout(PATIENCE_S):
            _, faults = await run.communicate()
        assert restarts == (STARTS_LIMIT - 1 if ends else 2 * STARTS_LIMIT), faults
        assert (b"ChildNeverReadyError: The web server cannot be started" in faults) is ends
        assert (run.returncode == 0) is not ends


async def test_a_web_server_that_cannot_start_ends_the_run(
    thinlab: ThinlabProcess, tmp_path: Path
) -> None:
    """The real one, which lacks a library."""
    missing = "libuv.so.1: cannot open shared object file"
    (tmp_path / "uvloop.py").write_text(f"raise ImportError({missing!r})\n")
    thinlab.environment["PYTHONPATH"] = str(tmp_path)
    await thinlab.spawn()
    fault = f"ImportError: {missing}"
    await thinlab.line(rf"The web server ended \(exit code 1: {fault}\) and is started again")
    await thinlab.line("The web server cannot be started: it ended 5 times before it was ready")
    await thinlab.line(f"    {fault}")
    await thinlab.line("Remedy: fix what it says")
    assert await thinlab.ended() == 69


async def test_a_lab_host_that_cannot_boot_ends_the_run(thinlab: ThinlabProcess) -> None:
    """The real agent, with a kernel that is none."""
    parts = {name: os.environ[name] for name in NEEDED}
    parts |= {"THINLAB_KERNEL": str(shutil.which("true")), "THINLAB_TERMINAL": ""}
    thinlab.environment |= parts | {"THINLAB_LAB": ""}
    await thinlab.spawn()
    await thinlab.line("The lab host cannot be started: it ended 5 times before it was ready")
    await thinlab.line("    .*kernel")
    await thinlab.line("Remedy: .*make build.*THINLAB_LAB")
    assert await thinlab.ended() == 69
