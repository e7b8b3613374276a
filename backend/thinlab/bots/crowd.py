"""Many bots at once, and what became of them.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import httpx

from thinlab.bots.bot import Bot, End, Outcome, Seat
from thinlab.bots.habits import HABITS, dealt
from thinlab.bots.key import AnswerKey
from thinlab.bots.kind import Pace, Parts
from thinlab.bots.network import Answered, Line, Sleep, Tally

NewClient = Callable[[], httpx.AsyncClient]


@dataclass(frozen=True)
class Plan:
    """Who comes, and how."""

    mix: Mapping[str, float]
    count: int
    seed: int
    parts: Parts
    """What they do in each kind of trial."""
    pace: Pace = field(default_factory=Pace)
    at_once: int = 0
    """So many take part at the same moment; 0: all."""
    arrive_over_s: float = 0.0
    """The first comes now, the last about so much later."""


@dataclass
class Crowd:
    """The bots of one run, with their outcomes so far."""

    kinds: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)

    def ends(self) -> Mapping[str, Counter[End]]:
        """How sessions ended, by kind of bot."""
        found: dict[str, Counter[End]] = {}
        for kind, outcome in zip(self.kinds, self.outcomes, strict=True):
            found.setdefault(kind, Counter())[outcome.end] += 1
        return found

    @property
    def votes(self) -> list[str]:
        """Keys of all votes that the server has acknowledged."""
        return [key for outcome in self.outcomes for key in outcome.votes]


async def send(
    plan: Plan,
    seat: Seat,
    key: AnswerKey,
    new_client: NewClient,
    *,
    sleep: Sleep = asyncio.sleep,
    watch: Callable[[Answered], None] | None = None,
    finished: Callable[[Crowd], None] = lambda _: None,
) -> Crowd:
    """Runs all bots to their end. Each has a client, and so connections, of its own."""
    chance = random.Random(plan.seed)  # noqa: S311 - reproducible, not secret
    kinds = dealt(plan.mix, plan.count)
    chance.shuffle(kinds)
    crowd = Crowd()
    room = asyncio.Semaphore(plan.at_once or plan.count)
    seeds = [chance.getrandbits(64) for _ in kinds]
    arrivals = [chance.uniform(0, plan.arrive_over_s) for _ in kinds]

    async def one(kind: str, seed: int, arrival_s: float) -> None:
        async with room, new_client() as client:
            if arrival_s:
                await sleep(arrival_s)
            own = random.Random(seed)  # noqa: S311 - as above
            habits = HABITS[kind]
            line = Line(client, habits.weather, own, sleep, watch, crowd.tally)
            bot = Bot(line, seat, key, habits, own, plan.parts, plan.pace)
            outcome = await bot.take_part()
        crowd.kinds.append(kind)
        crowd.outcomes.append(outcome)
        finished(crowd)

    async with asyncio.TaskGroup() as group:
        for kind, seed, arrival_s in zip(kinds, seeds, arrivals, strict=True):
            group.create_task(one(kind, seed, arrival_s))
    return crowd


def problems(outcomes: Sequence[Outcome]) -> Counter[str]:
    """What failed bots were told, and how often."""
    return Counter(one.problem or "" for one in outcomes if one.end is End.FAILED)
