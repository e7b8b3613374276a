"""`thinlab run` as a process of its own, for tests that start, kill and stop it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.made_up import made_up_clips
from thinlab.settings import CHECKOUT

# Generous: the machine may be busy, and a test that waits for too little proves nothing.
PATIENCE_S = 120


# Below what the kernel hands out by itself (net.ipv4.ip_local_port_range), which it would give to
# the next who asks for any port, or connects, before ours listens there.
PORTS = range(20_000, 32_768)
# As many workers as get numbers of their own.
BLOCKS = 16


def _ports_of_ours() -> Iterator[int]:
    """Each once; of this worker's block, from anywhere in it, as other runs have the same one."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    block = PORTS[worker % BLOCKS :: BLOCKS]
    begin = os.getpid() % len(block)
    yield from (*block[begin:], *block[:begin])


_ports = _ports_of_ours()


def free_port() -> int:
    """A port that nobody listens on, and that nobody else is told of."""
    for port in _ports:
        with (
            contextlib.suppress(OSError),
            socket.create_server(("127.0.0.1", port)),
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        ):
            datagrams.bind(("127.0.0.1", port))
            return port
    raise LookupError(f"no port of {PORTS} is left for this worker")


class ThinlabProcess:
    """One run on a data folder."""

    def __init__(self, environment: dict[str, str], port: int, *, program: str = "thinlab") -> None:
        """`program`: a module that has the command `run`, too."""
        self.environment = environment
        self._program = program
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.lines: list[str] = []
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """Of the supervisor."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Returns once the addresses are printed."""
        await self.spawn()
        await self.line("Ctrl-C stops")

    async def spawn(self) -> None:
        """Starts without waiting."""
        open_to_others(self.environment)
        self.lines = []
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", self._program, "run", "--port", str(self.port)),
            # Predicting takes longer than recording; tests of it bring a recorder of their own.
            # Who wants the live lab says so.
            env={
                **os.environ,
                "THINLAB_PREDICTIONS": "off",
                # Nobody listens here.
                "THINLAB_LISTENING": "off",
                "THINLAB_TERMINAL": "",
                # Tests of what becomes of late keys set it; others run beside each other.
                "THINLAB_HOST_WAIT_LIMIT_MS": "60000",
                **self.environment,
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )

    async def line(self, pattern: str) -> str:
        """Reads on until a line matches."""
        assert self._process is not None
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            while True:
                line = (await self._process.stdout.readline()).decode()
                assert line, f"ended without {pattern!r}:\n{''.join(self.lines)}{self.logs()}"
                self.lines.append(line)
                if re.search(pattern, line):
                    return line

    def logs(self) -> str:
        """The children's logs, for the message of a failure."""
        folder = Path(self.environment["THINLAB_DATA"]) / "log"
        return "\n".join(f"--- {f.name}\n{f.read_text()[-2000:]}" for f in folder.glob("*.log"))

    def child(self, part_of_command: str) -> psutil.Process:
        """The supervisor's child that runs this."""
        for child in psutil.Process(self.pid).children():
            # One that has just ended has no command any more.
            with contextlib.suppress(psutil.Error):
                if part_of_command in " ".join(child.cmdline()):
                    return child
        raise LookupError(part_of_command)

    def descendants(self) -> list[psutil.Process]:
        """All that was started."""
        return psutil.Process(self.pid).children(recursive=True)

    async def ended(self) -> int:
        """The exit code, once it ended."""
        assert self._process is not None
        async with asyncio.timeout(PATIENCE_S):
            # Whatever it still says must not fill the pipe.
            await self._process.communicate()
        assert self._process.returncode is not None
        return self._process.returncode

    async def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """As Ctrl-C would."""
        if self._process is None or self._process.returncode is not None:
            return 0
        self._process.send_signal(how)
        return await self.ended()


async def still_running(started: list[psutil.Process]) -> list[psutil.Process]:
    """Which of these do not end. One that was told to end, or whose parent has, needs a moment."""
    _, alive = await asyncio.to_thread(psutil.wait_procs, started, PATIENCE_S)
    return alive


def open_to_others(environment: dict[str, str]) -> None:
    """Of a test's own folders what a run by root, which is another user's, needs to read."""
    ours = Path(tempfile.gettempdir())
    for name in ("THINLAB_SURVEY", "THINLAB_PAGES", "THINLAB_LAB", "THINLAB_LIVE_LAB"):
        path = Path(environment.get(name, "").removeprefix("unix:"))
        if not path.is_relative_to(ours) or not path.exists():
            continue
        if path.is_socket():
            path.chmod(0o666)
        folder = path if path.is_dir() else path.parent
        # The machine's own is everybody's already; closed to them, nobody else could work.
        if folder != ours:
            folder.chmod(0o755)


def environment(data: Path, folder: Path, lab: str) -> dict[str, str]:
    """Settings of a run with made-up clips, the demo study and an agent that runs already."""
    clips = made_up_clips(folder, ("speech", "speech_c", "song", "sound_check"))
    manifest = folder / "manifest.yaml"
    entries = {name: clip.model_dump() for name, clip in clips.manifest.items()}
    manifest.write_text(json.dumps({"clips": entries}))
    (folder / "index.html").write_text("<!doctype html>page")
    # The other studies need clips that are not made up.
    survey = folder / "studies"
    survey.mkdir()
    shutil.copy(CHECKOUT / "survey" / "demo.yaml", survey)
    return {
        "THINLAB_DATA": str(data),
        "THINLAB_RECORDINGS": str(folder / "recordings"),
        "THINLAB_SURVEY": str(survey),
        "THINLAB_MANIFEST": str(manifest),
        "THINLAB_CLIPS": str(folder),
        "THINLAB_PAGES": str(folder),
        "THINLAB_LAB": lab,
    }
