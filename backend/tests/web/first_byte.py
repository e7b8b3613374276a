"""Whether the time to the first byte tells one recording from another.

Every recording of a participant's open trials is asked for in rounds, in a new
order each round. Friedman's test ranks within a round, so that a busy machine
that slows a whole round down says nothing; only a recording that is slow or
quick again and again does.

SPDX-License-Identifier: Apache-2.0
"""

import random
import statistics
import time
from collections.abc import Sequence

from scipy.stats import friedmanchisquare

from tests.made_up import Participant

ROUNDS = 40
# Of calling a difference where there is none.
LEVEL = 1e-6
# What a listener's network hides anyway is no leak, however sure we are of it.
LEAST_MS = 0.5


async def first_byte_ms(person: Participant, tokens: Sequence[str]) -> list[list[float]]:
    """For each token, how long the first byte took in each round."""
    times: list[list[float]] = [[] for _ in tokens]
    chance = random.Random(20_080)  # noqa: S311
    order = list(range(len(tokens)))
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for place in order:
            begin = time.perf_counter()
            address = f"/api/recordings/{tokens[place]}"
            async with person.browser.stream("GET", address, headers=person.headers) as answer:
                times[place].append((time.perf_counter() - begin) * 1000)
                assert answer.status_code == 200
                await answer.aread()
    return times


def timing_leaks(times_ms: list[list[float]]) -> list[str]:
    """What the times tell; nothing, as long as chance can explain them."""
    p_value = friedmanchisquare(*times_ms).pvalue
    medians = [statistics.median(one) for one in times_ms]
    apart_ms = max(medians) - min(medians)
    if p_value >= LEVEL or apart_ms < LEAST_MS:
        return []
    return [f"time of the first byte: {apart_ms:.2f} ms apart, p = {p_value:.1e}"]
