"""Who comes while the soak lasts: listeners, typists, the researcher.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import random
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import asyncpg
import httpx

from tests.load.three_hundred import AllAlike
from tests.made_up import PASSWORD
from tests.soak.ledger import KeptSession, KeptVote, Ledger, LedgerLine
from thinlab.bots.bot import Bot, End, Seat
from thinlab.bots.habits import FLAKY, HABITS
from thinlab.bots.kind import Pace
from thinlab.bots.network import STEADY
from thinlab.trials.registry import bot_parts
from thinlab.trials.typing.bot.part import Hands, TypingPart
from thinlab.trials.typing.bot.typist import Felt

FLAKY_SHARE = 0.3
LINK_DROPS_SHARE = 0.2
# Longer than any outage that the kills can make of it.
BOT_PATIENCE_S = 420.0
TIMEOUT_S = 30.0


@dataclass
class World:
    """What all of them share."""

    address: str
    ledger: Ledger
    cookie: str
    faults: Counter[str] = field(default_factory=Counter)
    """What a person would have seen go wrong; and losses."""
    done: Counter[str] = field(default_factory=Counter)

    def client(self) -> httpx.AsyncClient:
        """A browser."""
        limits = httpx.Limits(max_connections=6)
        return httpx.AsyncClient(base_url=self.address, timeout=TIMEOUT_S, limits=limits)


def listening_s(chance: random.Random, duration_s: float) -> float:
    """Impatient, so that there are many votes."""
    del duration_s
    return chance.uniform(0.2, 1.0)


def reading_s(chance: random.Random) -> float:
    """The same."""
    return chance.uniform(0.1, 0.5)


async def take_part(world: World, study: str, seed: int) -> End:
    """One participant from joining to the completion code, through whatever happens."""
    chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
    flaky = chance.random() < FLAKY_SHARE

    def ended(token: str, felt: Felt) -> None:
        world.ledger.enter(KeptSession(token, felt.keys))

    async with world.client() as client:
        line = LedgerLine(
            client,
            FLAKY if flaky else STEADY,
            chance,
            asyncio.sleep,
            study=study,
            ledger=world.ledger,
        )
        hands = Hands(link="any", drops_share=LINK_DROPS_SHARE if flaky else 0.0, ended=ended)
        bot = Bot(
            line,
            Seat(study, cookie=world.cookie),
            AllAlike(),
            replace(HABITS["honest"], roams=flaky),
            chance,
            {**bot_parts(), "typed": partial(TypingPart.of, hands=hands)},
            Pace(listening_s, reading_s),
        )
        try:
            async with asyncio.timeout(BOT_PATIENCE_S):
                outcome = await bot.take_part()
        except TimeoutError:
            world.faults[f"{study}: not through in {BOT_PATIENCE_S:.0f} s"] += 1
            return End.FAILED
    if outcome.end is End.FAILED:
        world.faults[f"{study}: {outcome.problem}"] += 1
    world.done[f"{study}: {outcome.end}"] += 1
    return outcome.end


async def keep_coming(world: World, study: str, number: int, stop: asyncio.Event) -> None:
    """One after the other on one chair."""
    seed = number * 1_000_003
    while not stop.is_set():
        seed += 1
        await take_part(world, study, seed)


async def keep_exporting(world: World, studies: Sequence[str], stop: asyncio.Event) -> None:
    """Takes the votes home again and again: nothing that was acknowledged before may lack."""
    async with world.client() as client:
        client.headers["Cookie"] = world.cookie
        while not stop.is_set():
            for study in studies:
                before = sum(one.study == study for one in world.ledger.of(KeptVote))
                for name in ("export.csv", "keystrokes.parquet", "participants.json"):
                    with suppress(httpx.TransportError):
                        answer = await client.get(f"/api/researcher/studies/{study}/{name}")
                        world.done[f"export: {answer.status_code}"] += 1
                        if answer.status_code not in {200, 502, 503}:
                            world.faults[f"export: {answer.status_code} {answer.text[:200]}"] += 1
                        elif answer.status_code == 200 and name == "export.csv":
                            rows = answer.text.count("\n") - 1
                            if rows < before:
                                world.faults["an export lacked acknowledged votes"] += 1
            await asyncio.sleep(3)


RECORDING_KEYS = """
select distinct recording.key from recording
join trial_recording on trial_recording.recording_id = recording.id
join study on study.id = trial_recording.study_id where study.slug = $1
"""


async def keep_recording(
    world: World, study: str, store: Path, database_url: str, stop: asyncio.Event
) -> None:
    """Loses some recordings' files, as a bad disk would, and has them made again."""
    chance = random.Random(7)  # noqa: S311 - reproducible, not secret
    path = f"/api/researcher/studies/{study}/recordings"
    async with world.client() as client:
        client.headers["Cookie"] = world.cookie
        while not stop.is_set():
            await asyncio.sleep(1)
            with suppress(
                httpx.TransportError,
                ValueError,
                KeyError,
                OSError,
                asyncpg.PostgresError,
                asyncpg.InterfaceError,
            ):
                counts = (await client.get(path)).json()["counts"]
                if counts["under_way"]:
                    continue
                connection = await asyncpg.connect(database_url, timeout=5)
                keys = [row["key"] for row in await connection.fetch(RECORDING_KEYS, study)]
                await connection.close()
                if counts["ready"] == counts["total"]:
                    world.done["recordings: all of them there"] += 1
                    for key in chance.sample(keys, len(keys) // 2):
                        shutil.rmtree(store / key, ignore_errors=True)
                await client.post(f"/api/researcher/studies/{study}/record")


async def signed_in(address: str, setup_token: str) -> str:
    """The researcher's cookie, with its name."""
    async with httpx.AsyncClient(base_url=address, timeout=TIMEOUT_S) as browser:
        body = {"setup_token": setup_token, "password": PASSWORD}
        (await browser.post("/api/researcher/password", json=body)).raise_for_status()
        return f"researcher={browser.cookies['researcher']}"
