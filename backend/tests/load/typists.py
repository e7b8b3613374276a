"""Bench: what the whole way from a page to the editor and back adds to a lane's delay.

Starts what `make run` starts (PostgreSQL, lab hosts in virtual and in real time, one web server)
on a data folder of its own, and lets 1, 5, 20 and 50 bots type at once, at the pace of people, over
data channels as pages do. The path loses nothing: beyond its emulated round trip, every millisecond
until the echo is back in the bot was added by us. Keys count while all are typing.

Bots and servers share this machine's cores, so the figures include the bots' own waiting.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import sys
import tempfile
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx
import psutil
import yaml

from tests.load.three_hundred import lag, percentile, researchers_cookie
from tests.running.thinlab_process import ThinlabProcess, free_port
from thinlab.bots.network import Line
from thinlab.bots.typing.page_transport import quiet_about_closed_channels
from thinlab.bots.typing.part import Hands, TypingPart
from thinlab.bots.typing.typist import Felt, human
from thinlab.running import embedded_postgres
from thinlab.settings import Settings

HERE = Path(__file__).parent
STUDY = HERE / "typing.yaml"
SEED = 20_080
AT_ONCE = (1, 5, 20, 50)
# A crowd does not open its pages in the same millisecond.
ARRIVE_OVER_S = 5.0
READY_PATIENCE_S = 240
LEAST_UNDISTURBED_SHARE = 0.9


@dataclass(frozen=True)
class Level:
    """What so many typists at once found."""

    count: int
    added_ms: list[float]
    shares: dict[str, float]
    own_lag_p99_ms: float
    voided: int


def parts_of(thinlab: ThinlabProcess) -> dict[str, list[psutil.Process]]:
    """The processes by what they are: backend, agent, guests, and these bots."""
    live = [
        one
        for one in thinlab.descendants()
        if "live-socket" in " ".join(one.cmdline()) and "boot" in one.cmdline()
    ]
    guests = [child for agent in live for child in agent.children(recursive=True)]
    return {
        "backend": [thinlab.child("thinlab serve")],
        "agent": live,
        "guest": guests,
        "bots": [psutil.Process()],
    }


def cpu_seconds(processes: Iterable[psutil.Process]) -> float:
    """Used so far, by those that live."""
    total = 0.0
    for process in processes:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


class Clock:
    """Used processor time of each part between two moments."""

    def __init__(self, parts: dict[str, list[psutil.Process]]) -> None:
        self._parts = parts
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._before = {name: cpu_seconds(these) for name, these in parts.items()}

    def shares(self) -> dict[str, float]:
        """Of one core, since it was made."""
        passed_s = self._loop.time() - self._began
        return {
            name: (cpu_seconds(these) - self._before[name]) / passed_s
            for name, these in self._parts.items()
        }


class Start:
    """Everybody begins to type when the last one's terminal is ready."""

    def __init__(self, count: int, parts: dict[str, list[psutil.Process]]) -> None:
        self.clock: Clock | None = None
        self._missing = count
        self._parts = parts
        self._given = asyncio.Event()

    async def wait(self) -> None:
        """Ready. Who has to begin anew does not wait again."""
        self._missing -= 1
        if self._missing == 0:
            self.clock = Clock(self._parts)
            self._given.set()
        async with asyncio.timeout(READY_PATIENCE_S):
            await self._given.wait()


async def joined(line: Line, cookie: str, chance: random.Random) -> str:
    """A bot's token."""
    body = {
        "consent_version": "1",
        "join_key": str(uuid.UUID(int=chance.getrandbits(128), version=4)),
        "language": "en",
        "kind": "bot",
        "invitation": None,
    }
    path = "/api/studies/typists/participants"
    answer = await line.ask("POST", path, body=body, headers={"Cookie": f"researcher={cookie}"})
    return str(answer.json()["participant_token"])


async def type_once(address: str, cookie: str, seed: int, start: Start) -> tuple[Felt, int]:
    """One participant's first session, and how many tries were void before it."""
    chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        line = Line(client, chance=chance)
        token = await joined(line, cookie, chance)
        part = TypingPart(line, token, chance, Hands(rhythm=human, settle=start.wait))
        assert await part.check(), "the connection check failed"
        while True:
            answer = await line.ask("POST", "/api/participation/trials", token=token)
            trial = answer.json()["trials"][0]
            session_token = trial["first"]["session_token"]
            if trial["first"]["done"]:
                return part.felt[session_token], part.sessions[session_token] - 1
            await part.type_next(trial)


def while_all_typed(everybody: list[Felt], rtt_ms: float) -> list[float]:
    """What was added to each key that was pressed between the last beginning and the first end."""
    begin_us = max(felt.pressed_us[0] for felt in everybody)
    end_us = min(felt.pressed_us[-1] for felt in everybody)
    return sorted(
        delay_ms - rtt_ms
        for felt in everybody
        for at_us, delay_ms in zip(felt.pressed_us, felt.delays_ms, strict=True)
        if begin_us <= at_us <= end_us
    )


async def level(thinlab: ThinlabProcess, cookie: str, count: int, rtt_ms: float) -> Level:
    """So many at once."""
    print(f"  {count} typing", file=sys.stderr)
    lags: list[float] = []
    start = Start(count, parts_of(thinlab))
    shares: dict[str, float] = {}
    ticking = asyncio.create_task(lag(lags))

    async def one(number: int) -> tuple[Felt, int]:
        await asyncio.sleep(ARRIVE_OVER_S * number / count)
        found = await type_once(thinlab.address, cookie, SEED * count + number, start)
        if not shares and start.clock is not None:
            shares.update(start.clock.shares())
        return found

    found = await asyncio.gather(*(one(number) for number in range(count)))
    ticking.cancel()
    void = sum(tries_void for _, tries_void in found)
    # Who was made void and typed anew did so when the others were through.
    undisturbed = [felt for felt, tries_void in found if not tries_void]
    assert len(undisturbed) >= LEAST_UNDISTURBED_SHARE * count, f"{void} sessions became void"
    added_ms = while_all_typed(undisturbed, rtt_ms)
    assert added_ms, "they never typed at the same time"
    own_lag_ms = percentile(sorted(lags), 0.99) * 1000
    return Level(count, added_ms, shares, own_lag_ms, void)


STAGES = {
    "browser to backend": ("null", "backend_received_us"),
    "backend to agent": ("backend_received_us", "agent_received_us"),
    "agent to ssh's socket": ("agent_received_us", "key_written_us"),
    "lane there": ("key_written_us", "key_delivered_us"),
    "editor": ("key_delivered_us", "echo_written_us"),
    "lane back": ("echo_written_us", "echo_delivered_us"),
    "socket to agent": ("echo_delivered_us", "agent_forwarded_us"),
    "agent to backend": ("agent_forwarded_us", "backend_forwarded_us"),
    "backend to browser": ("backend_forwarded_us", "painted_us"),
}


async def stages_ms(data: Path, after_session: int) -> dict[str, tuple[float, float]]:
    """Median and 99th percentile of each stage of a key's way, of later sessions than that."""
    columns = ", ".join(
        f"percentile_cont(array[0.5, 0.99]) within group "
        f"(order by ({to} - coalesce({since}, 0)) / 1000.0)"
        for since, to in STAGES.values()
    )
    postgres = embedded_postgres.prepare(Settings.read({"THINLAB_DATA": str(data)}))
    connection = await asyncpg.connect(postgres.url)
    try:
        row = await connection.fetchrow(
            f"select {columns} from keystroke where session_id > $1",  # noqa: S608 (names of ours)
            after_session,
        )
    finally:
        await connection.close()
    values = [] if row is None else list(row.values())
    return {name: (found[0], found[1]) for name, found in zip(STAGES, values, strict=True) if found}


async def measure(counts: tuple[int, ...], folder: Path) -> list[Level]:
    """Each level on one running stack."""
    survey = folder / "survey"
    survey.mkdir()
    shutil.copy(STUDY, survey / "typists.yaml")
    rtt_ms = yaml.safe_load(STUDY.read_text())["conditions"]["clean"]["path"]["rtt_ms"]
    environment = {
        "THINLAB_DATA": str(folder / "data"),
        "THINLAB_SURVEY": str(survey),
        "THINLAB_TERMINAL": os.environ["THINLAB_TERMINAL"],
    }
    asyncio.get_running_loop().set_exception_handler(quiet_about_closed_channels)
    thinlab = ThinlabProcess(environment, free_port())
    await thinlab.start()
    try:
        async with httpx.AsyncClient(base_url=thinlab.address, timeout=30) as browser:
            cookie = await researchers_cookie(thinlab, browser)
        levels = []
        before = 0
        for count in counts:
            levels.append(await level(thinlab, cookie, count, rtt_ms))
            print(f"  {figure(levels[-1])}", file=sys.stderr)
            print(f"  {await stages_ms(folder / 'data', before)}", file=sys.stderr)
            before += count + levels[-1].voided
        return levels
    finally:
        await thinlab.stop()


def figure(one: Level) -> dict[str, object]:
    """For `make bench`."""
    name = f"typing_added_p99_ms_{one.count}_session{'s' if one.count > 1 else ''}"
    shares = ", ".join(f"{part} {share:.0%}" for part, share in one.shares.items())
    p50_ms = percentile(one.added_ms, 0.5)
    return {
        "name": name,
        "value": round(percentile(one.added_ms, 0.99), 2),
        "unit": "ms",
        "how": f"echo at the bot minus the lane's emulated 130 ms, {len(one.added_ms)} keys at "
        f"people's pace while {one.count} typed over data channels; p50 {p50_ms:.1f} ms, "
        f"longest {one.added_ms[-1]:.0f} ms; of one core: {shares}; {os.cpu_count()} CPUs, bots "
        f"included (their own clock late by {one.own_lag_p99_ms:.0f} ms at p99); "
        f"{one.voided} sessions void",
    }


def main() -> None:
    """Prints the figures as a JSON array."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at-once", type=int, nargs="+", default=AT_ONCE)
    counts = tuple(parser.parse_args().at_once)
    if not os.environ.get("THINLAB_TERMINAL"):
        sys.exit("✗ THINLAB_TERMINAL: not set; `make bench` builds the parts and sets it")
    with tempfile.TemporaryDirectory(prefix="thinlab-typists-") as name:
        # Started by root, the database has a user of its own, who must be able to pass.
        Path(name).chmod(0o711)
        levels = asyncio.run(measure(counts, Path(name)))
    print(json.dumps([figure(one) for one in levels]))


if __name__ == "__main__":
    main()
