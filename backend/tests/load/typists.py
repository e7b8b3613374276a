"""Bench: what the whole way from a page to the editor and back adds to a lane's delay.

Starts what `make run` starts (PostgreSQL, lab hosts in virtual and in real time, one web server)
on a data folder of its own, and lets 1, 5, 20 and 50 bots type at once, at the pace of people, over
data channels as pages do. The path loses nothing: beyond its emulated round trip, every millisecond
until the echo is back in the bot was added by us. Keys count while all are typing.

Then the same beside other work that takes all processors (`--beside`). There the server may refuse
whoever comes; who has waited at the door for a minute goes. Keys count of sessions that count.

Bots and servers share this machine's cores, so the figures include the bots' own waiting. Where it
is allowed the bots go before other work, as the server does: they stand for other machines.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import asyncpg
import httpx
import psutil
import yaml

from tests.load.figures import percentile
from tests.load.other_work import KINDS, other_work
from tests.load.three_hundred import lag, researchers_cookie
from tests.running.thinlab_process import ThinlabProcess, free_port
from thinlab.bots.network import Line
from thinlab.live.webrtc import quiet_about_closed_channels
from thinlab.running import embedded_postgres
from thinlab.settings import Settings
from thinlab.trials.typing.bot.part import Hands, TypingPart
from thinlab.trials.typing.bot.rhythm import human
from thinlab.trials.typing.bot.typist import Felt
from thinlab.web.priority import go_before_others

HERE = Path(__file__).parent
STUDY = HERE / "typing.yaml"
AT_ONCE = (1, 5, 20, 50)
# How many typists, beside how many processes of which kind.
BESIDE = ("50:2:spinning", "20:4:compiling")
PATIENCE_AT_DOOR_S = 60.0
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
    refused: int = 0
    beside: str = ""
    host_wait_max_ms: float = 0.0
    """The longest that a key of a session which counts waited for the host, as the server says."""
    reasons: Mapping[str, int] = field(default_factory=dict)
    """Why sessions became void."""


@dataclass(frozen=True)
class Found:
    """What came of one typist: nothing felt where the server had no room."""

    felt: Felt | None
    voided: int


def parts_of(thinlab: ThinlabProcess) -> dict[str, list[psutil.Process]]:
    """The processes by what they are: backend, agent, guests, and these bots."""
    live = []
    for one in thinlab.descendants():
        # Of a process that has just ended there is nothing to read.
        with suppress(psutil.Error):
            command = one.cmdline()
            if "boot" in command and "live-socket" in " ".join(command):
                live.append(one)
    guests = [child for agent in live for child in children_of(agent)]
    return {
        "backend": [thinlab.child("thinlab serve")],
        "agent": live,
        "guest": guests,
        "bots": [psutil.Process()],
    }


def children_of(process: psutil.Process) -> list[psutil.Process]:
    """All below it; none where it has just ended."""
    with suppress(psutil.Error):
        return list(process.children(recursive=True))
    return []


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
    """Everybody begins to type when the last one's terminal is ready, or the last was refused."""

    def __init__(self, count: int, parts: dict[str, list[psutil.Process]]) -> None:
        self.clock: Clock | None = None
        self._missing = count
        self._parts = parts
        self._given = asyncio.Event()

    async def begun(self) -> None:
        """Returns once everybody types."""
        await self._given.wait()

    async def wait(self) -> None:
        """Ready. Who has to begin anew does not wait again."""
        self.one_less()
        async with asyncio.timeout(READY_PATIENCE_S):
            await self._given.wait()

    def one_less(self) -> None:
        """Is waited for no more."""
        self._missing -= 1
        if self._missing == 0:
            self.clock = Clock(self._parts)
            self._given.set()


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
    answer = await line.ask("POST", path, body=body, headers={"Cookie": cookie})
    return str(answer.json()["participant_token"])


async def type_once(
    address: str, cookie: str, seed: str, start: Start, patience_s: float = READY_PATIENCE_S
) -> Found:
    """One participant's first session, and how many tries were void before it."""
    chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
    loop = asyncio.get_running_loop()
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        line = Line(client, chance=chance)
        token = await joined(line, cookie, chance)
        part = TypingPart(line, token, chance, Hands(rhythm=human, settle=start.wait))
        assert await part.check(), "the connection check failed"
        came_s = loop.time()
        while True:
            answer = await line.ask("POST", "/api/participation/trials", token=token)
            trial = answer.json()["trials"][0]
            session_token = trial["first"]["session_token"]
            if trial["first"]["done"]:
                return Found(part.felt[session_token], part.sessions[session_token] - 1)
            if not part.sessions[session_token] and loop.time() - came_s > patience_s:
                start.one_less()
                return Found(None, 0)
            await part.go_on(trial)


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


async def level(
    thinlab: ThinlabProcess, cookie: str, count: int, rtt_ms: float, beside: str = ""
) -> Level:
    """So many at once; with other work beside them some may be refused, and made void."""
    print(f"  {count} typing {beside and f'beside {beside}'}", file=sys.stderr)
    lags: list[float] = []
    start = Start(count, parts_of(thinlab))
    shares: dict[str, float] = {}
    ticking = asyncio.create_task(lag(lags))
    patience_s = PATIENCE_AT_DOOR_S if beside else READY_PATIENCE_S

    async def one(number: int) -> Found:
        await asyncio.sleep(ARRIVE_OVER_S * number / count)
        seed = f"{count} {beside} {number}"
        found = await type_once(thinlab.address, cookie, seed, start, patience_s)
        if not shares and start.clock is not None and found.felt is not None:
            shares.update(start.clock.shares())
        return found

    found = await asyncio.gather(*(one(number) for number in range(count)))
    ticking.cancel()
    typed = [one.felt for one in found if one.felt is not None]
    void = sum(one.voided for one in found)
    if beside:
        added_ms = sorted(delay_ms - rtt_ms for felt in typed for delay_ms in felt.delays_ms)
    else:
        # Who was made void and typed anew did so when the others were through.
        undisturbed = [one.felt for one in found if one.felt is not None and not one.voided]
        assert len(undisturbed) >= LEAST_UNDISTURBED_SHARE * count, f"{void} sessions became void"
        added_ms = while_all_typed(undisturbed, rtt_ms)
    assert added_ms, "they never typed at the same time"
    own_lag_ms = percentile(sorted(lags), 0.99) * 1000
    return Level(count, added_ms, shares, own_lag_ms, void, count - len(typed), beside)


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


@dataclass(frozen=True)
class Kept:
    """What the server kept of a level's sessions."""

    last_session: int
    host_wait_max_ms: float
    """The longest that a key waited for the host, of sessions that count."""
    reasons: dict[str, int]
    """Why sessions became void."""
    stages_ms: dict[str, tuple[float, float]]
    """Median and 99th percentile of each stage of a key's way."""


async def kept(data: Path, after_session: int) -> Kept:
    """Of sessions that came later than that."""
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
        sessions = await connection.fetch(
            "select id, reason, host_wait_max_ms from typing_session where id > $1", after_session
        )
    finally:
        await connection.close()
    values = [] if row is None else list(row.values())
    stages = {n: (found[0], found[1]) for n, found in zip(STAGES, values, strict=True) if found}
    waits = [one["host_wait_max_ms"] or 0.0 for one in sessions if one["reason"] is None]
    reasons = Counter(one["reason"] for one in sessions if one["reason"] is not None)
    last = max((one["id"] for one in sessions), default=after_session)
    return Kept(last, max(waits, default=0.0), dict(reasons), stages)


def cases(at_once: Iterable[int], beside: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """How many typists, beside how many processes of which kind; raises `ValueError`."""
    for count in at_once:
        yield count, 0, ""
    for one in beside:
        typing, processes, kind = one.split(":")
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is none of {', '.join(KINDS)}")
        yield int(typing), int(processes), kind


async def measure(these: Iterable[tuple[int, int, str]], folder: Path) -> list[Level]:
    """Each level on one running stack."""
    survey = folder / "survey"
    survey.mkdir()
    shutil.copy(STUDY, survey / "typists.yaml")
    rtt_ms = yaml.safe_load(STUDY.read_text())["conditions"]["clean"]["path"]["rtt_ms"]
    environment = {
        "THINLAB_DATA": str(folder / "data"),
        "THINLAB_SURVEY": str(survey),
        "THINLAB_TERMINAL": os.environ["THINLAB_TERMINAL"],
        # As people have it.
        "THINLAB_HOST_WAIT_LIMIT_MS": "",
    }
    asyncio.get_running_loop().set_exception_handler(quiet_about_closed_channels)
    thinlab = ThinlabProcess(environment, free_port())
    await thinlab.start()
    try:
        async with httpx.AsyncClient(base_url=thinlab.address, timeout=30) as browser:
            cookie = await researchers_cookie(thinlab, browser)
        levels = []
        last_session = 0
        for count, processes, kind in these:
            with other_work(kind, processes, folder) if kind else nullcontext():
                beside = kind and f"{processes}_{kind}"
                found = await level(thinlab, cookie, count, rtt_ms, beside)
            told = await kept(folder / "data", last_session)
            last_session = told.last_session
            levels.append(
                replace(found, host_wait_max_ms=told.host_wait_max_ms, reasons=told.reasons)
            )
            print(f"  {figure(levels[-1])}\n  {told.stages_ms}", file=sys.stderr)
        return levels
    finally:
        await thinlab.stop()


def figure(one: Level) -> dict[str, object]:
    """For `make bench`."""
    name = f"typing_added_p99_ms_{one.count}_session{'s' if one.count > 1 else ''}"
    if one.beside:
        name += f"_beside_{one.beside}"
    shares = ", ".join(f"{part} {share:.0%}" for part, share in one.shares.items())
    reasons = ", ".join(f"{count} × {reason}" for reason, count in one.reasons.items())
    p50_ms = percentile(one.added_ms, 0.5)
    return {
        "name": name,
        "value": round(percentile(one.added_ms, 0.99), 2),
        "unit": "ms",
        "how": f"echo at the bot minus the lane's emulated 130 ms, {len(one.added_ms)} keys at "
        f"people's pace while {one.count - one.refused} typed over data channels and "
        f"{one.refused} were refused before they began; p50 {p50_ms:.1f} ms, "
        f"longest {one.added_ms[-1]:.0f} ms, of which the server knows {one.host_wait_max_ms:.0f} "
        f"ms; of one core: {shares}; {os.cpu_count()} CPUs, bots "
        f"included (their own clock late by {one.own_lag_p99_ms:.0f} ms at p99); "
        f"{one.voided} sessions void and typed again{reasons and f' ({reasons})'}",
    }


def lead_a_session() -> None:
    """Goes on in a child with a session of its own: processor time is shared out by sessions."""
    child = os.fork()
    if child == 0:
        os.setsid()
        return
    while True:
        try:
            _, status = os.waitpid(child, 0)
        except KeyboardInterrupt:
            os.killpg(child, signal.SIGINT)
        else:
            os._exit(os.waitstatus_to_exitcode(status) and 1)


def main() -> None:
    """Prints the figures as a JSON array."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at-once", type=int, nargs="*", default=AT_ONCE, metavar="TYPISTS")
    parser.add_argument("--beside", nargs="*", default=BESIDE, metavar="TYPISTS:PROCESSES:KIND")
    arguments = parser.parse_args()
    try:
        these = list(cases(arguments.at_once, arguments.beside))
    except ValueError as error:
        parser.error(f"--beside: {error}")
    if not os.environ.get("THINLAB_TERMINAL"):
        sys.exit("✗ THINLAB_TERMINAL: not set; `make bench` builds the parts and sets it")
    lead_a_session()
    go_before_others()
    with tempfile.TemporaryDirectory(prefix="thinlab-typists-") as name:
        # Started by root, the database has a user of its own, who must be able to pass.
        Path(name).chmod(0o711)
        levels = asyncio.run(measure(these, Path(name)))
    print(json.dumps([figure(one) for one in levels]))


if __name__ == "__main__":
    main()
