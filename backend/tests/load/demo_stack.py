"""What a demo's benches measure: all that `thinlab run` starts, over the real lab, and a console.

The web server is the product's, with a probe in its loop that counts only while it is asked to:

    python -m tests.load.demo_stack run --port N    what `thinlab run` starts, with the probe

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
import uvloop

from tests.demo.conftest import SETTINGS
from tests.demo.pages import ConsolePage
from tests.demo.sound_room import stay_on_this_machine
from tests.running.thinlab_process import ThinlabProcess, free_port
from thinlab.live.desk import Desk
from thinlab.running.run import Run
from thinlab.settings import Settings
from thinlab.web.serve import serve
from thinlab.web.server import Listening, teller

STUDY = Path(__file__).parent / "typing.yaml"
HOLDS = "THINLAB_BENCH_HOLDS"
# A key waits for what the loop does when it comes: the longest piece of work in each sound packet.
WINDOW_S = 0.02


class Probe:
    """How long the loop works without looking at its sockets, by the processor's time.

    It goes round as fast as it can meanwhile, so that whatever takes long is seen.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._holds_s: list[float] = []
        self._on = False
        self._loop = asyncio.get_running_loop()
        self._loop.add_signal_handler(signal.SIGUSR1, self._begin)
        self._loop.add_signal_handler(signal.SIGUSR2, self._end)

    def _begin(self) -> None:
        self._on, self._holds_s = True, []
        self._window_s, self._longest_s = time.monotonic(), 0.0
        self._last_s = time.thread_time()
        self._loop.call_soon(self._look)

    def _look(self) -> None:
        now_s = time.thread_time()
        self._longest_s = max(self._longest_s, now_s - self._last_s)
        if time.monotonic() - self._window_s >= WINDOW_S:
            self._holds_s.append(self._longest_s)
            self._window_s, self._longest_s = time.monotonic(), 0.0
        self._last_s = now_s
        if self._on:
            self._loop.call_soon(self._look)

    def _end(self) -> None:
        self._on = False
        unready = self._path.with_suffix(".new")
        unready.write_text(json.dumps(self._holds_s))
        unready.rename(self._path)


@dataclass
class DemoStack:
    """A demo that runs."""

    thinlab: ThinlabProcess
    console: ConsolePage
    code: str
    holds: Path

    @property
    def backend(self) -> psutil.Process:
        """The web server."""
        return self.thinlab.child("demo_stack serve")

    async def begin_probe(self) -> None:
        """From now on it is looked at how long the loop is held."""
        self.holds.unlink(missing_ok=True)
        self.backend.send_signal(signal.SIGUSR1)

    async def end_probe(self) -> list[float]:
        """The longest hold in each 20 ms, in ms, sorted."""
        self.backend.send_signal(signal.SIGUSR2)
        while not self.holds.exists():
            await asyncio.sleep(0.05)
        return sorted(1000 * one for one in json.loads(self.holds.read_text()))


@asynccontextmanager
async def demo_stack(folder: Path) -> AsyncIterator[DemoStack]:
    """Two lanes of the papers' path play speech."""
    survey = folder / "survey"
    survey.mkdir()
    shutil.copy(STUDY, survey / "typists.yaml")
    holds = folder / "holds.json"
    thinlab = ThinlabProcess(
        {
            "THINLAB_DATA": str(folder / "data"),
            "THINLAB_SURVEY": str(survey),
            "THINLAB_TERMINAL": os.environ["THINLAB_TERMINAL"],
            HOLDS: str(holds),
        },
        free_port(),
        program="tests.load.demo_stack",
    )
    await thinlab.start()
    try:
        (line,) = [one for one in thinlab.lines if "#present=" in one]
        async with httpx.AsyncClient(base_url=thinlab.address, timeout=30) as browser:
            token = line.strip().split("#present=")[1]
            (await browser.post("/api/demos/presenter", json={"token": token})).raise_for_status()
            cookie = f"presenter={browser.cookies['presenter']}"
            console = ConsolePage(thinlab.address, cookie=cookie)
            body = {"title": "A bench", "settings": SETTINGS}
            while (started := await browser.post("/api/demos", json=body)).status_code == 503:
                # The live lab's guests are still booting.
                await asyncio.sleep(0.2)
            summary = started.raise_for_status().json()["summary"]
        await console.open(f"/api/demos/{summary['demo_id']}/console")
        await console.state(stage="running")
        yield DemoStack(thinlab, console, summary["code"], holds)
        await console.do("end")
        await console.close()
    finally:
        await thinlab.stop()


def _probed(desk: Desk) -> Desk:
    """Asked for when the loop runs and nothing is served yet. The loop keeps the probe."""
    Probe(Path(os.environ[HOLDS]))
    return desk


def main() -> None:
    """The command above; `serve` is what `run` starts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["run", "serve"])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--status-fd", type=int)
    asked = parser.parse_args()
    settings = Settings.read()
    if asked.command == "serve":
        stay_on_this_machine()
        listening = Listening(asked.host, asked.port)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(settings, listening, teller(asked.status_fd), around=_probed))
        return
    # The web server is started from another folder.
    os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    web = (sys.executable, "-m", "tests.load.demo_stack", "serve")
    asyncio.run(Run(settings, asked.host, asked.port, web=web).until_stopped())


if __name__ == "__main__":
    main()
