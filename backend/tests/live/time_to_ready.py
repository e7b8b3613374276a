"""Whether the time until a terminal is ready tells how its session is made.

Somebody opens the same session again and again, as a participant can who
reloads the page, beside others whose sessions have other modes. What is
compared is the rank within a round, as with recordings' first bytes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
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
CHANGES: dict[str, Any] = {
    "conditions": {mode: {"mode": mode, "path": PATH} for mode in MODES},
    "tasks": {"sentences": {"kind": "copy", "text": "A thin.", "limit_s": 60, "least_keys": 5}},
    "blocks": [
        block(
            [
                {"kind": "control", "id": f"same-{number}", "task": "sentences", "seed": number}
                | {"condition": mode}
                for number, mode in enumerate(MODES)
            ],
            scale=PREFERENCE | {"noticeable": NOTICEABLE},
        )
    ],
}


async def one_of_each_mode(room: Room) -> dict[str, tuple[Participant, str]]:
    """Typists whose open session has this mode, and its token; as chance brings them."""
    await room.set_study(**CHANGES)
    study = typing_definition(**CHANGES)
    found: dict[str, tuple[Participant, str]] = {}
    while len(found) < len(MODES):
        typist = await room.typist()
        token = (await typist.open_trial())["first"]["session_token"]
        secret = await secret_of(room.services, study, token)
        found.setdefault(secret.mode, (typist, token))
    return found


async def ready_ms(room: Room, rounds: int) -> dict[str, list[float]]:
    """For each mode, from hello to ready in each round; all modes of a round beside each other."""
    typists = await one_of_each_mode(room)
    times: dict[str, list[float]] = {mode: [] for mode in typists}

    async def once(mode: str) -> None:
        page = room.plain_page(typists[mode][0].token, typists[mode][1])
        began = time.perf_counter()
        await page.over_socket()
        said = await page.stage("ready", "void")
        times[mode].append((time.perf_counter() - began) * 1000)
        assert said["stage"] == "ready", said
        await page.close()

    for _ in range(rounds):
        await asyncio.gather(*(once(mode) for mode in typists))
    return times


def ready_leaks(times_ms: dict[str, list[float]]) -> list[str]:
    """What the times tell; nothing, as long as chance can explain them."""
    p_value = friedmanchisquare(*times_ms.values()).pvalue
    medians = [statistics.median(one) for one in times_ms.values()]
    apart_ms = max(medians) - min(medians)
    if p_value >= LEVEL or apart_ms < LEAST_MS:
        return []
    return [f"time until ready: {apart_ms:.1f} ms apart, p = {p_value:.1e}"]
