"""Whether the time until a terminal is ready, or its session over, tells how it is made.

Somebody opens the same session again and again, as a participant can who
reloads the page, beside others whose sessions have other modes. What is
compared is the rank within a round, as with recordings' first bytes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import random
import statistics
import time
from typing import Any

from scipy.stats import friedmanchisquare

from tests.live.conftest import Room
from tests.live.leaky_link import secret_of
from tests.made_up import NOTICEABLE, PREFERENCE, Participant, block, typing_definition
from tests.web.first_byte import LEVEL
from thinlab.condition.transport import MODE_NAMES, Baseline, mechanisms_of, tells_itself, unfit

# What a page's way to the server hides anyway.
LEAST_MS = 5.0
# All that people can type over.
BASELINE = Baseline.NEWRENO2008
MODES = [
    one
    for one in MODE_NAMES
    if not unfit(BASELINE, mechanisms_of(one)) and not tells_itself(BASELINE, mechanisms_of(one))
]
PATH = {"rtt_ms": 60, "forward": {"loss_share": 0.05}, "backward": {"loss_share": 0.05}}
Conditions = dict[str, dict[str, Any]]
OF_EACH_MODE: Conditions = {mode: {"mode": mode, "path": PATH} for mode in MODES}
OF_EACH_PROTOCOL: Conditions = {
    "tcp": {"mode": "off", "baseline": "modern", "path": PATH},
    "sctp": {"mode": "off", "baseline": "lksctp", "path": PATH},
    "sctp-prompt": {"mode": "bundling+immediate_sack", "baseline": "lksctp", "path": PATH},
}


def _changes(conditions: Conditions) -> dict[str, Any]:
    controls = [
        {"kind": "control", "id": f"same-{number}", "task": "sentences", "seed": number}
        | {"condition": name}
        for number, name in enumerate(conditions)
    ]
    task = {"kind": "copy", "text": "A thin.", "limit_s": 60, "least_keys": 5}
    return {
        "conditions": conditions,
        "tasks": {"sentences": task},
        "blocks": [block(controls, scale=PREFERENCE | {"noticeable": NOTICEABLE})],
    }


async def one_of_each(room: Room, conditions: Conditions) -> dict[str, tuple[Participant, str]]:
    """Typists whose open session has this condition, and its token; as chance brings them."""
    changes = _changes(conditions)
    await room.set_study(**changes)
    study = typing_definition(**changes)
    found: dict[str, tuple[Participant, str]] = {}
    while len(found) < len(conditions):
        typist = await room.typist()
        token = (await typist.open_trial())["first"]["session_token"]
        secret = await secret_of(room.services, study, token)
        found.setdefault(secret.condition_name, (typist, token))
    return found


async def ready_ms(room: Room, rounds: int, conditions: Conditions) -> dict[str, list[float]]:
    """For each condition, from hello to ready in each round; those of a round at once."""
    typists = await one_of_each(room, conditions)
    times: dict[str, list[float]] = {name: [] for name in typists}

    async def once(name: str) -> None:
        page = room.plain_page(typists[name][0].token, typists[name][1])
        began = time.perf_counter()
        await page.over_socket()
        said = await page.stage("ready", "void")
        times[name].append((time.perf_counter() - began) * 1000)
        assert said["stage"] == "ready", said
        await page.close()

    # Whichever is asked for first in a round has an advantage; each is, by chance.
    chance = random.Random(20_080)  # noqa: S311
    order = list(typists)
    for _ in range(rounds):
        chance.shuffle(order)
        await asyncio.gather(*(once(name) for name in order))
    return times


async def ended_ms(room: Room, rounds: int, conditions: Conditions) -> dict[str, list[float]]:
    """For each condition, from "done" to the end in each round; those of a round at once."""
    times: dict[str, list[float]] = {name: [] for name in conditions}

    async def once(name: str, typist: Participant, token: str) -> None:
        page = room.plain_page(typist.token, token)
        await page.over_socket()
        await page.stage("ready")
        for letter in "A thin.":
            await page.seen(page.press(letter))
        began = time.perf_counter()
        page.say(type="finish")
        said = await page.stage("ended", "void")
        times[name].append((time.perf_counter() - began) * 1000)
        assert said["stage"] == "ended", said
        await page.close()

    chance = random.Random(20_080)  # noqa: S311
    order = list(conditions)
    for _ in range(rounds):
        typists = await one_of_each(room, conditions)
        chance.shuffle(order)
        await asyncio.gather(*(once(name, *typists[name]) for name in order))
    return times


def time_leaks(until: str, times_ms: dict[str, list[float]]) -> list[str]:
    """What the times until something tell; nothing, as long as chance can explain them."""
    p_value = friedmanchisquare(*times_ms.values()).pvalue
    medians = [statistics.median(one) for one in times_ms.values()]
    apart_ms = max(medians) - min(medians)
    if p_value >= LEVEL or apart_ms < LEAST_MS:
        return []
    return [f"time until {until}: {apart_ms:.1f} ms apart, p = {p_value:.1e}"]
