"""Bench: participants at once over HTTP, the web server killed three times meanwhile.

Starts what `make run` starts (embedded PostgreSQL that syncs, lab host, one uvicorn process) on a
data folder of its own, lets bots take a whole study at the pace of people, kills the web server
(SIGKILL) whenever a further quarter of the votes is in, and then compares what was acknowledged
with what the database holds. Prints one figure; exits with 1 when a request was answered with an
error, or a vote is lost or doubled.

Bots and servers share this machine's cores, so the figure includes the bots' own waiting.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import json
import os
import random
import re
import resource
import ssl
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import httpx
import psutil

from tests.load.figures import percentile
from tests.made_up import PASSWORD
from tests.running.thinlab_process import ThinlabProcess, free_port
from thinlab.bots.bot import End, Seat
from thinlab.bots.crowd import Crowd, Plan, problems, send
from thinlab.bots.key import AnswerKey, Sound
from thinlab.bots.kind import Pace
from thinlab.bots.network import UNAVAILABLE, Answered
from thinlab.running import embedded_postgres
from thinlab.settings import Settings
from thinlab.trials.registry import bot_parts

HERE = Path(__file__).parent
STUDY = "load"
SEED = 20_080
READY_LIMIT_S = 900
# A class opens the link that it was sent within half a minute.
ARRIVE_A_SECOND = 10.0
# Of connections, six for each of them.
DESCRIPTORS = 16_384
KILLS = 3
TRIALS = 8
MEASURED = {"/api/participation/votes", "/api/participation/trials"}
ERROR = 400


def listening_s(chance: random.Random, duration_s: float) -> float:
    """Both recordings whole, a second between, then a judgement: four seconds at the median."""
    return 2 * duration_s + 1 + chance.lognormvariate(1.39, 0.6)


def reading_s(chance: random.Random) -> float:
    """A page of text."""
    return chance.uniform(5, 15)


class AllAlike(AnswerKey):
    """Load does not depend on what is preferred."""

    def hear(self, wav: bytes) -> Sound:
        """The same of every recording that is one."""
        assert wav[:4] == b"RIFF", "not a recording"
        return Sound()


@dataclass
class Watch:
    """Every answer that arrived."""

    answers: list[Answered] = field(default_factory=list)

    def __call__(self, answered: Answered) -> None:
        """Notes one."""
        self.answers.append(answered)

    def seconds(self) -> list[float]:
        """Of votes and openings of trials that were answered."""
        return sorted(
            one.seconds
            for one in self.answers
            if one.path in MEASURED and one.status not in UNAVAILABLE
        )

    def errors(self) -> Counter[str]:
        """Answers with an error that a page would show; "not now" it does not, and asks again."""
        return Counter(
            f"{one.status} {one.path}"
            for one in self.answers
            if one.status >= ERROR and one.status not in UNAVAILABLE
        )


@asynccontextmanager
async def stack(folder: Path, trials: int) -> AsyncIterator[ThinlabProcess]:
    """Thinlab as `make run` starts it, with the one study, of its last so many trials."""
    survey = folder / "survey"
    survey.mkdir()
    study = (HERE / "short.yaml").read_text()
    for line in re.findall(r"^ +- {kind: .*\n", study, re.MULTILINE)[:-trials]:
        study = study.replace(line, "")
    (survey / "load.yaml").write_text(study)
    data = folder / "data"
    environment = {
        "THINLAB_DATA": str(data),
        "THINLAB_SURVEY": str(survey),
        "THINLAB_PREDICTIONS": "off",
    }
    process = ThinlabProcess(environment, free_port())
    await process.start()
    try:
        yield process
    finally:
        await process.stop()


async def ready(browser: httpx.AsyncClient, study: str = STUDY) -> None:
    """Returns once the study is open."""
    async with asyncio.timeout(READY_LIMIT_S):
        while (await browser.get(f"/api/studies/{study}")).json()["state"] != "open":
            await asyncio.sleep(0.2)


async def researchers_cookie(thinlab: ThinlabProcess, browser: httpx.AsyncClient) -> str:
    """Signs in with the token that the run has printed."""
    setup = re.search(r"#setup=(\S+)", "".join(thinlab.lines))
    assert setup, "the run printed no setup address"
    body = {"setup_token": setup[1], "password": PASSWORD}
    done = await browser.post("/api/researcher/password", json=body)
    done.raise_for_status()
    return f"researcher={browser.cookies['researcher']}"


async def kill_now_and_then(
    thinlab: ThinlabProcess, crowd_votes: Watch, votes: int, kills: int
) -> int:
    """Kills the web server each time that a further part of the votes has been stored."""
    killed = 0
    while killed < kills:
        stored = sum(one.path.endswith("/votes") for one in crowd_votes.answers)
        if stored < votes * (killed + 1) / (kills + 1):
            await asyncio.sleep(0.1)
            continue
        with suppress(LookupError, psutil.Error):
            thinlab.child("thinlab serve").kill()
            killed += 1
            print(f"  killed the web server after {stored} votes", file=sys.stderr)
    return killed


async def stored_votes(data: Path) -> Counter[str]:
    """Keys of the votes in the database, and how often each is there."""
    postgres = embedded_postgres.prepare(Settings.read({"THINLAB_DATA": str(data)}))
    connection = await asyncpg.connect(postgres.url)
    try:
        rows = await connection.fetch("select vote_key from vote")
    finally:
        await connection.close()
    return Counter(str(row["vote_key"]) for row in rows)


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


async def lag(worst: list[float]) -> None:
    """How late this process's own clock ticks: what the bots themselves add to a figure."""
    loop = asyncio.get_running_loop()
    while True:
        before = loop.time()
        await asyncio.sleep(0.05)
        worst.append(loop.time() - before - 0.05)


async def measure(
    count: int, kills: int, trials: int, folder: Path
) -> tuple[Watch, Crowd, str, list[str]]:
    """One run; what it took, and what is wrong with it, in words."""
    watch = Watch()
    async with stack(folder, trials) as thinlab:
        async with httpx.AsyncClient(base_url=thinlab.address, timeout=30) as browser:
            print("  waiting for the recordings", file=sys.stderr)
            await ready(browser)
            cookie = await researchers_cookie(thinlab, browser)
            page = (await browser.get(f"/api/studies/{STUDY}")).json()
        limits = httpx.Limits(max_connections=6)  # as a browser has
        # Nobody speaks TLS here; each client would read all certificates of the web before.
        no_certificates = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

        def new_client() -> httpx.AsyncClient:
            return httpx.AsyncClient(
                base_url=thinlab.address, timeout=30, limits=limits, verify=no_certificates
            )

        plan = Plan(
            {"honest": 1.0},
            count,
            SEED,
            bot_parts(),
            pace=Pace(listening_s, reading_s),
            arrive_over_s=count / ARRIVE_A_SECOND,
        )
        lags: list[float] = []
        own = psutil.Process()
        began_s, before_s = time.monotonic(), _cpu_s(own)
        server_before_s = 0.0 if kills else _cpu_s(thinlab.child("thinlab serve"))
        ticking = asyncio.create_task(lag(lags))
        killing = asyncio.create_task(
            kill_now_and_then(thinlab, watch, count * page["trials_total"], kills)
        )
        print(f"  {count} participants", file=sys.stderr)
        crowd = await send(plan, Seat(STUDY, cookie=cookie), AllAlike(), new_client, watch=watch)
        ticking.cancel()
        passed_s = time.monotonic() - began_s
        took = f"the bots took {(_cpu_s(own) - before_s) / passed_s:.0%} of a core"
        if not kills:
            share = (_cpu_s(thinlab.child("thinlab serve")) - server_before_s) / passed_s
            took += f", the web server {share:.0%}"
        faults = []
        if not killing.done():
            killing.cancel()
            faults.append(f"the web server could not be killed {kills} times")
        stored = await stored_votes(folder / "data")
        print(
            f"  the bots' own clock was late by {percentile(sorted(lags), 0.99) * 1000:.0f} ms "
            f"at its 99th percentile",
            file=sys.stderr,
        )
    return watch, crowd, took, faults + wrong(crowd, watch, stored, page["trials_total"])


def wrong(crowd: Crowd, watch: Watch, stored: Counter[str], trials: int) -> list[str]:
    """What must not be."""
    faults = [f"{times} × {what or 'failed'}" for what, times in problems(crowd.outcomes).items()]
    unfinished = sum(one.end is not End.COMPLETE for one in crowd.outcomes)
    if unfinished:
        faults.append(f"{unfinished} did not complete")
    faults += [f"{times} × {what}" for what, times in watch.errors().items()]
    acknowledged = Counter(crowd.votes)
    if acknowledged != stored:
        lost, added = acknowledged - stored, stored - acknowledged
        faults.append(f"{lost.total()} votes lost, {added.total()} stored without their voter")
    if stored.total() != len(crowd.outcomes) * trials:
        faults.append(f"{stored.total()} votes of {len(crowd.outcomes)} × {trials}")
    return faults


def main() -> None:
    """Prints the figure as a JSON array."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--trials", type=int, default=TRIALS)
    asked = parser.parse_args()
    count, kills = asked.count, asked.kills
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(DESCRIPTORS, hard), hard))
    with tempfile.TemporaryDirectory(prefix="thinlab-load-") as name:
        # Started by root, the database has a user of its own, who must be able to pass.
        Path(name).chmod(0o711)
        watch, crowd, took, faults = asyncio.run(measure(count, kills, asked.trials, Path(name)))
    seconds = watch.seconds()
    p50_ms, p99_ms = statistics.median(seconds) * 1000, percentile(seconds, 0.99) * 1000
    print(
        f"  {len(seconds)} answers: p50 {p50_ms:.1f} ms, p99 {p99_ms:.1f} ms, "
        f"longest {seconds[-1] * 1000:.0f} ms; {crowd.tally.lost} requests cut off or refused by "
        f"the kills and sent again, {crowd.tally.turned_away} told to come back",
        file=sys.stderr,
    )
    if faults:
        sys.exit("\n".join(f"✗ {fault}" for fault in faults))
    how = (
        f"{count} bots at people's pace (both clips of 7 to 9 s whole, 1 s, then 4 s at the "
        f"median), {len(seconds)} votes and openings of trials, p50 {p50_ms:.1f} ms; web server "
        f"killed {kills} times, every vote found once; no error that a page would show, "
        f"{crowd.tally.turned_away} requests told to come back; {took}, of {os.cpu_count()}"
    )
    figure = {"name": f"http_p99_ms_{count}_participants", "value": round(p99_ms, 1)}
    print(json.dumps([figure | {"unit": "ms", "how": how}]))


if __name__ == "__main__":
    main()
