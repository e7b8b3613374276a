"""The soak: everything at once for so many minutes, while one process after another is killed.

Then what was acknowledged is held against what is there.

    make soak MINUTES=60
    python -m tests.soak --minutes 60 --every-s 3 --kills 1000

Listeners, typists, a demo with a poll, recordings lost and made again, and exports run over all
that `thinlab run` starts, on a data folder of its own. Whoever is told that something is stored
notes it in a ledger. The last sixth of the time nobody is killed, so that memory and descriptors
can be seen to stay. Ends with 1 on any loss, on an error that a person would have seen, and on
growth; Ctrl-C ends it early, with the comparison and the report.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import datetime as dt
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tests.load import three_hundred
from tests.running.thinlab_process import ThinlabProcess, free_port
from tests.soak.compare import losses
from tests.soak.growth import Growth
from tests.soak.ledger import Ledger
from tests.soak.orphans import Orphans
from tests.soak.people import (
    World,
    keep_coming,
    keep_exporting,
    keep_recording,
    signed_in,
    take_part,
)
from tests.soak.presenter import keep_presenting
from tests.soak.victims import Killer
from thinlab.bots.bot import End
from thinlab.live.webrtc import quiet_about_closed_channels
from thinlab.running import embedded_postgres
from thinlab.settings import CHECKOUT, Settings

HERE = Path(__file__).parent
HEARD, TYPED, AGAIN = three_hundred.STUDY, "typing", "again"
LISTENERS, TYPISTS = 6, 3
CALM_SHARE = 1 / 6
OPENING_PATIENCE_S = 600.0
RECOVERY_PATIENCE_S = 180.0
DEATH_PATIENCE_S = 5.0
REPORT = CHECKOUT / "build" / "soak.json"


@dataclass(frozen=True)
class Asked:
    """What was asked for."""

    minutes: float
    every_s: float
    kills: int | None


async def soak(asked: Asked, folder: Path, stop: asyncio.Event) -> dict[str, Any]:
    """Runs it; the report."""
    temporary = folder / "tmp"
    temporary.mkdir(mode=0o777)
    temporary.chmod(0o1777)
    thinlab = ThinlabProcess(_environment(folder, temporary), free_port())
    await thinlab.start()
    orphans = Orphans(thinlab)
    growth = Growth(thinlab, temporary, orphans)
    try:
        reading = asyncio.create_task(_read_on(thinlab))
        report = await _over(thinlab, asked, folder, growth, stop)
    finally:
        reading.cancel()
        started = {one: " ".join(one.cmdline())[:80] for one in thinlab.descendants()}
        code = await thinlab.stop()
    _, alive = await asyncio.to_thread(psutil.wait_procs, list(started), DEATH_PATIENCE_S)
    if code:
        report["faults"][f"it ended with {code}"] = 1
    report["faults"] |= {f"left behind: {started[one]}": 1 for one in alive}
    report["faults"] |= {
        f"left to init: {one}": 1 for one in await asyncio.to_thread(orphans.alive)
    }
    report["left_after_the_end"] = sorted(one.name for one in temporary.iterdir())[:20]
    return report


def _environment(folder: Path, temporary: Path) -> dict[str, str]:
    survey = folder / "survey"
    survey.mkdir()
    shutil.copy(three_hundred.HERE / "short.yaml", survey / f"{HEARD}.yaml")
    for study in (TYPED, AGAIN):
        shutil.copy(HERE / f"{study}.yaml", survey)
    return {
        "THINLAB_DATA": str(folder / "data"),
        "THINLAB_RECORDINGS": str(folder / "recordings"),
        "THINLAB_SURVEY": str(survey),
        "THINLAB_TERMINAL": os.environ["THINLAB_TERMINAL"],
        "TMPDIR": str(temporary),
    }


async def _read_on(thinlab: ThinlabProcess) -> None:
    """What it says must not fill the pipe."""
    while True:
        with suppress(TimeoutError):
            await thinlab.line("never said")


def _printed(thinlab: ThinlabProcess, name: str) -> str:
    found = re.search(rf"#{name}=(\S+)", "".join(thinlab.lines))
    assert found, f"the run printed no #{name}="
    return found[1]


async def _over(
    thinlab: ThinlabProcess, asked: Asked, folder: Path, growth: Growth, stop: asyncio.Event
) -> dict[str, Any]:
    ledger = Ledger(folder / "ledger.jsonl")
    cookie = await signed_in(thinlab.address, _printed(thinlab, "setup"))
    world = World(thinlab.address, ledger, cookie)
    settings = Settings.read({"THINLAB_DATA": str(folder / "data")})
    database_url = embedded_postgres.prepare(settings).url
    await _all_open(world)
    killer = Killer(thinlab, asked.every_s, seed=1)
    everybody = _everybody(world, folder, database_url, _printed(thinlab, "present"), stop)
    tasks = [asyncio.create_task(one) for one in everybody]
    looking = asyncio.create_task(growth.keep_looking())
    began = dt.datetime.now(dt.UTC)
    await _kill_for(asked, world, killer, growth, stop)
    ended = dt.datetime.now(dt.UTC)
    stop.set()
    for task in tasks:
        task.cancel()
    for failed in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(failed, Exception):
            world.faults[f"the soak itself: {failed!r}"] += 1
    looking.cancel()
    for study in (HEARD, TYPED):
        with suppress(TimeoutError):
            async with asyncio.timeout(RECOVERY_PATIENCE_S):
                if await take_part(world, study, seed=1) is End.COMPLETE:
                    continue
        world.faults[f"{study}: nobody could take part at the end"] += 1
    async with world.client() as researcher:
        researcher.headers["Cookie"] = cookie
        researcher.timeout = httpx.Timeout(300)
        lost = await losses(ledger, database_url, researcher, (HEARD, TYPED))
    return {
        "began_at": began.isoformat(timespec="seconds"),
        "minutes": round((ended - began).total_seconds() / 60, 2),
        "kills": killer.kills.total(),
        "kills_by_kind": dict(killer.kills),
        "acknowledged": dict(ledger.counts()),
        "losses": len(lost),
        "lost": lost[:50],
        "faults": dict(world.faults),
        "done": dict(world.done),
        "grown": growth.grown(),
        "cpus": os.cpu_count(),
        "load": os.getloadavg(),
        "samples": [asdict(one) for one in growth.samples],
    }


async def _all_open(world: World) -> None:
    async with world.client() as browser, asyncio.timeout(OPENING_PATIENCE_S):
        for study in (HEARD, TYPED):
            while (await browser.get(f"/api/studies/{study}")).json()["state"] != "open":
                await asyncio.sleep(0.2)
        headers = {"Cookie": world.cookie}
        path = f"/api/researcher/studies/{AGAIN}"
        (await browser.post(f"{path}/record", headers=headers)).raise_for_status()


def _everybody(
    world: World, folder: Path, database_url: str, token: str, stop: asyncio.Event
) -> list[Coroutine[Any, Any, None]]:
    return [
        *(keep_coming(world, HEARD, 1 + number, stop) for number in range(LISTENERS)),
        *(keep_coming(world, TYPED, 100 + number, stop) for number in range(TYPISTS)),
        keep_presenting(world, token, stop),
        keep_recording(world, AGAIN, folder / "recordings", database_url, stop),
        keep_exporting(world, (HEARD, TYPED), stop),
    ]


async def _kill_for(
    asked: Asked, world: World, killer: Killer, growth: Growth, stop: asyncio.Event
) -> None:
    """The whole time, with a bar."""
    loop = asyncio.get_running_loop()
    began, whole_s = loop.time(), asked.minutes * 60
    killing = asyncio.create_task(killer.keep_killing(asked.kills))
    with _bar() as bar:
        task = bar.add_task("soak", total=whole_s, told="")
        while (passed := loop.time() - began) < whole_s and not stop.is_set():
            if passed > whole_s * (1 - CALM_SHARE) and not growth.calm:
                killing.cancel()
                growth.calm = True
            if killing.done() and not killing.cancelled() and (error := killing.exception()):
                raise error
            told = (
                f"{killer.kills.total()} kills, {len(world.ledger.entries)} acknowledged, "
                f"{world.faults.total()} faults, {growth.last_mb():.0f} MB"
            )
            bar.update(task, completed=passed, told=told)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), 1.0)
    killing.cancel()


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[told]}"),
        console=Console(stderr=True),
        refresh_per_second=1,
    )


def _tell(report: dict[str, Any]) -> bool:
    """In words; whether all is well."""
    kills = ", ".join(f"{kind} {times}" for kind, times in report["kills_by_kind"].items())
    print(f"{report['kills']} kills in {report['minutes']} minutes: {kills}")
    print(f"acknowledged: {report['acknowledged']}; lost: {report['losses']}")
    wrong = [*report["lost"], *report["grown"]]
    wrong += [f"{times} × {what}" for what, times in report["faults"].items()]
    for one in wrong:
        print(f"✗ {one}")
    print(f"The report is {REPORT}")
    return not wrong


async def _run(asked: Asked, folder: Path) -> bool:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    loop.set_exception_handler(quiet_about_closed_channels)
    for wanted in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(wanted, stop.set)
    report = await soak(asked, folder, stop)
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    well = _tell(report)
    if well:
        shutil.rmtree(folder)
    else:
        print(f"Logs, ledger and data are kept in {folder}")
    return well


def main() -> None:
    """Ends with 1 unless nothing was lost, failed or grew."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--every-s", type=float, default=3.0, help="between two kills, on average")
    parser.add_argument("--kills", type=int, help="no more of them")
    given = parser.parse_args()
    if not os.environ.get("THINLAB_TERMINAL"):
        sys.exit("✗ THINLAB_TERMINAL: not set; `make soak` builds the parts and sets it")
    folder = Path(tempfile.mkdtemp(prefix="thinlab-soak-"))
    # Started by root, the database has a user of its own, who must be able to pass.
    folder.chmod(0o711)
    if not asyncio.run(_run(Asked(given.minutes, given.every_s, given.kills), folder)):
        sys.exit(1)


if __name__ == "__main__":
    main()
