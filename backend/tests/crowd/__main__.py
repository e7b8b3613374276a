"""Workers whom a panel sends, by the hundred, while processes are killed at random.

    backend/crowd-bench --count 1000 --kills 1000
    python -m tests.crowd --count 60 --kills 10 --every-s 2

Starts what `make run` starts on a data folder of its own, and a stand-in of a panel
(`tests/crowd/panel.py`). Some workers decline, are not eligible
by an answer, fail the headphone test or that of digits in noise, stop and come back too
late or never, withdraw, or go on in another browser; most do it all. Meanwhile one process of all
(web server, database, recorder, agents, and what is below them) is killed every few seconds, until
so many were. When all have come, more are sent until the last place is taken. Then it compares
what workers, panel and database say (`tests/crowd/compare.py`), prints one figure, the median time
from the last vote to the panel, and exits with 1 on any difference.

Workers speak HTTP as the page does. The deadline of whoever is to be late is moved to now in the
database; nobody waits for half an hour. Workers and servers share this machine's cores.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import json
import os
import random
import resource
import ssl
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import asyncpg
import httpx

from tests.crowd.compare import faults
from tests.crowd.panel import CODES, Panel, panel
from tests.crowd.worker import CrowdWorker, Manner, Surroundings
from tests.load.figures import percentile, rows
from tests.load.three_hundred import DESCRIPTORS, AllAlike, ready, researchers_cookie
from tests.running.thinlab_process import ThinlabProcess, free_port
from tests.soak.victims import Killer
from thinlab import tokens
from thinlab.bots.bot import LostVoteError, Seat
from thinlab.bots.habits import HABITS, dealt
from thinlab.bots.network import Answered, Line, RefusedError
from thinlab.running import embedded_postgres
from thinlab.settings import Settings
from thinlab.trials.registry import bot_parts

HERE = Path(__file__).parent
STUDY = "crowd"
DESK = f"/api/researcher/studies/{STUDY}/panel"
SEED = 1965
ARRIVE_A_SECOND = 10.0
# Of those who come, so many find a place, or would if nobody gave one back.
PLACES_SHARE = 0.65
MIX = {
    Manner.DILIGENT: 0.45,
    Manner.ROAMING: 0.2,
    Manner.DECLINING: 0.05,
    Manner.INELIGIBLE: 0.05,
    Manner.DEAF: 0.05,
    Manner.UNHEARING: 0.05,
    Manner.SLOW: 0.05,
    Manner.GONE: 0.05,
    Manner.WITHDRAWING: 0.05,
}
DATABASE_PATIENCE_S = 300.0
# What its driver says of a server that is killed under it, in the middle of a question, too.
DATABASE_GONE = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
LOOK_S = 0.2
TELL_S = 30.0
NOT_NOW = {429, 502, 503, 504}
SERVER_ERROR = 500
# The answer of the study's question that keeps people out.
SCREENING = frozenset({("owns", "harp")})
Found = TypeVar("Found")


@dataclass
class Run:
    """Everything of one run."""

    data: Path
    count: int
    chance: random.Random
    panel: Panel
    address: str
    workers: list[CrowdWorker] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    killed: int = 0
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def places(self) -> int:
        """Of the study."""
        return int(self.count * PLACES_SHARE)

    async def asked(self, ask: Callable[[asyncpg.Connection], Awaitable[Found]]) -> Found:
        """Asks the database, until it is there to answer; one at a time, not to take its place."""
        url = embedded_postgres.prepare(Settings.read({"THINLAB_DATA": str(self.data)})).url
        async with self.asking, asyncio.timeout(DATABASE_PATIENCE_S):
            while True:
                with suppress(*DATABASE_GONE):
                    connection = await asyncpg.connect(url)
                    try:
                        return await ask(connection)
                    finally:
                        await connection.close()
                await asyncio.sleep(LOOK_S)

    async def tones(self, token: str, number: int) -> list[int]:
        """As `Surroundings`."""
        hashed = tokens.token_hash(token)
        found = await self.asked(
            lambda database: database.fetchval(
                "select tones from headphone_test join participant on id = participant_id "
                "where token_hash = $1 and try = $2",
                hashed,
                number,
            )
        )
        tones: list[int] = json.loads(found)
        return tones

    async def spoken(self, token: str, number: int) -> list[str]:
        """As `Surroundings`."""
        hashed = tokens.token_hash(token)
        found = await self.asked(
            lambda database: database.fetchval(
                "select rights from hearing_test join participant on id = participant_id "
                "where token_hash = $1 and test = 'digits' and try = $2",
                hashed,
                number,
            )
        )
        spoken: list[str] = json.loads(found)
        return spoken

    async def pass_deadline(self, name: str) -> None:
        """As `Surroundings`."""
        await self.asked(
            lambda database: database.execute(
                "update panel_seat set reserved_until = now() "
                "where outcome is null and panel_participant = $1",
                name,
            )
        )

    def watch(self, answered: Answered) -> None:
        """Notes an error that a page would show."""
        if answered.status >= SERVER_ERROR and answered.status not in NOT_NOW:
            self.errors[f"{answered.status} {answered.path}"] += 1

    async def work(self, link: str, manner: Manner) -> None:
        """One worker, from coming to the end."""
        # Nobody speaks TLS here; each client would read all certificates of the web before.
        plain = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        own = random.Random(self.chance.getrandbits(64))  # noqa: S311 - reproducible, not secret
        sent, address = self.panel.send(link, len(self.workers))
        async with (
            httpx.AsyncClient(base_url=self.address, timeout=30, verify=plain) as client,
            httpx.AsyncClient(timeout=30, verify=plain) as of_panel,
        ):
            worker = CrowdWorker(
                line=Line(client, HABITS["honest"].weather, own, watch=self.watch),
                seat=Seat(STUDY),
                key=AllAlike(barred=SCREENING, screening=SCREENING),
                habits=HABITS["ineligible" if manner is Manner.INELIGIBLE else "honest"],
                chance=own,
                parts=bot_parts(),
                manner=manner,
                sent=sent,
                address=address,
                around=Surroundings(
                    self.panel, of_panel, self.tones, self.spoken, self.pass_deadline
                ),
            )
            self.workers.append(worker)
            try:
                await worker.work()
            except (RefusedError, LostVoteError) as error:
                self.troubles.append(f"{sent.name} ({manner}): {error}")

    async def completed(self) -> int:
        """Sessions so far."""
        return await self.asked(
            lambda database: database.fetchval(
                "select count(*) from participant where completed_at is not null"
            )
        )

    async def arrivals(self, killer: Killer, kills: int) -> AsyncIterator[Manner]:
        """Each when it comes: at random, and over as long as processes are killed."""
        manners = [Manner(name) for name in dealt({str(k): v for k, v in MIX.items()}, self.count)]
        self.chance.shuffle(manners)
        shares = sorted(self.chance.random() for _ in manners)
        began_s = time.monotonic()
        for share, manner in zip(shares, manners, strict=True):
            while (
                time.monotonic() - began_s < share * self.count / ARRIVE_A_SECOND
                or killer.kills.total() < int(share * kills)
            ):
                await asyncio.sleep(LOOK_S)
            yield manner

    async def crowd(self, link: str, killer: Killer, kills: int) -> None:
        """All of them, and then as many more as there are places left, until one is sent away."""
        async with asyncio.TaskGroup() as group:
            async for manner in self.arrivals(killer, kills):
                group.create_task(self.work(link, manner))
        # Their places come back at the deadline, and only then.
        for worker in self.workers:
            if worker.manner is Manner.GONE:
                await self.pass_deadline(worker.sent.name)
        while (missing := self.places - await self.completed()) > 0:
            print(f"  {missing} places came back: so many more workers", file=sys.stderr)
            came = len(self.workers)
            await asyncio.gather(*(self.work(link, Manner.DILIGENT) for _ in range(missing)))
            if any(worker.end is None for worker in self.workers[came:]):
                return
        await self.work(link, Manner.DILIGENT)

    def seconds(self) -> list[float]:
        """From the last vote to the panel, of whoever completed."""
        return sorted(
            self.panel.told[worker.sent.name][0][1] - worker.last_vote_s
            for worker in self.workers
            if worker.last_vote_s is not None
            and worker.end is not None
            and worker.end["outcome"] == "complete"
            and self.panel.told[worker.sent.name]
        )


async def prepared(thinlab: ThinlabProcess, stand_in: Panel) -> tuple[dict[str, str], str]:
    """Once the study is open: the researcher's cookie, and the link that the panel is given."""
    async with httpx.AsyncClient(base_url=thinlab.address, timeout=30) as browser:
        print("  waiting for the recordings", file=sys.stderr)
        await ready(browser, STUDY)
        cookie = {"Cookie": await researchers_cookie(thinlab, browser)}
        told = await browser.put(DESK, json={"returns": stand_in.returns(CODES)}, headers=cookie)
        told.raise_for_status()
        return cookie, (await browser.get(DESK, headers=cookie)).json()["path"]


async def measure(count: int, kills: int, every_s: float, folder: Path) -> tuple[Run, list[str]]:
    """One run, and what is wrong with it."""
    survey, data = folder / "survey", folder / "data"
    survey.mkdir()
    places = int(count * PLACES_SHARE)
    study = (HERE / "study.yaml").read_text().replace("completed: 1000", f"completed: {places}")
    (survey / "crowd.yaml").write_text(study)
    environment = {"THINLAB_DATA": str(data), "THINLAB_SURVEY": str(survey)}
    thinlab = ThinlabProcess(environment, free_port())
    await thinlab.start()
    try:
        async with panel() as stand_in:
            cookie, link = await prepared(thinlab, stand_in)
            chance = random.Random(SEED)  # noqa: S311 - reproducible, not secret
            run = Run(data, count, chance, stand_in, thinlab.address)
            print(f"  {count} workers, {places} places", file=sys.stderr)
            await under_fire(run, link, Killer(thinlab, every_s, SEED), kills)
            async with httpx.AsyncClient(base_url=thinlab.address, timeout=30) as browser:
                # Whoever never came back is noted when somebody looks.
                await Line(browser).ask("GET", DESK, headers=cookie)
            found, outcomes = await run.asked(
                lambda database: faults(database, stand_in, run.workers, CODES, places)
            )
    finally:
        await thinlab.stop()
    counted = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.most_common())
    print(f"  {len(run.workers)} workers: {counted}", file=sys.stderr)
    errors = [f"{times} × {what}" for what, times in run.errors.items()]
    return run, [*run.troubles, *found, *errors]


async def told(run: Run, killer: Killer) -> None:
    """How far it is, for who waits."""
    while True:
        await asyncio.sleep(TELL_S)
        ended = sum(worker.end is not None for worker in run.workers)
        print(
            f"  {len(run.workers)} have come, {ended} have ended, "
            f"{killer.kills.total()} processes killed",
            file=sys.stderr,
        )


async def under_fire(run: Run, link: str, killer: Killer, kills: int) -> None:
    """All workers, while processes are killed."""
    killing = asyncio.create_task(killer.keep_killing(kills))
    telling = asyncio.create_task(told(run, killer))
    began_s = time.monotonic()
    await run.crowd(link, killer, kills)
    killing.cancel()
    telling.cancel()
    took_s = time.monotonic() - began_s
    run.killed = killer.kills.total()
    whom = ", ".join(f"{kind} {times}" for kind, times in killer.kills.items() if times)
    print(f"  {took_s:.0f} s, {run.killed} processes killed: {whom or 'none'}", file=sys.stderr)


def main() -> None:
    """Prints the figure as a JSON array."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--every-s", type=float, default=2.0)
    asked = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(DESCRIPTORS, hard), hard))
    with tempfile.TemporaryDirectory(prefix="thinlab-crowd-") as name:
        # Started by root, the database has a user of its own, who must be able to pass.
        Path(name).chmod(0o711)
        run, wrong = asyncio.run(measure(asked.count, asked.kills, asked.every_s, Path(name)))
    if wrong:
        sys.exit("\n".join(f"✗ {fault}" for fault in wrong))
    seconds = run.seconds()
    votes = sum(len(worker.outcome.votes) for worker in run.workers)
    how = (
        f"{len(run.workers)} workers of a stand-in panel over HTTP, {votes} votes, {run.killed} "
        f"processes killed meanwhile; {len(seconds)} completed, p95 "
        f"{percentile(seconds, 0.95) * 1000:.0f} ms, longest {seconds[-1] * 1000:.0f} ms; no vote "
        f"and no place lost, one outcome each; of {os.cpu_count()} cores"
    )
    name = f"crowd_last_vote_to_panel_ms_{asked.count}_workers"
    print(json.dumps(rows([(name, statistics.median(seconds) * 1000, "ms", how)])))


if __name__ == "__main__":
    main()
