"""What probes tell of the network and of the page's clock, and where the clock line puts it.

SPDX-License-Identifier: Apache-2.0
"""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.terminal import TerminalEnded
from thinlab.live.clock_line import clock_line
from thinlab.live.messages import KeyKind
from thinlab.live.network import LOST_AFTER_US, NetworkMeter
from thinlab.live.record import KeyPressed, ScreenShown, SessionRecord

HOUR_US = 3_600_000_000


def measured(
    chance: random.Random, *, drift_ppm: float, queueing_us: float, seconds: int = 120
) -> NetworkMeter:
    """A session's probes through a network that queues at random, either way."""
    meter = NetworkMeter()
    for number in range(seconds * 2):
        sent_us = 1_000_000 + number * 500_000
        there_us = 10_000 + round(chance.expovariate(1 / queueing_us))
        back_us = 10_000 + round(chance.expovariate(1 / queueing_us))
        arrived_us = sent_us + there_us
        page_us = round(arrived_us + HOUR_US + arrived_us * drift_ppm / 1e6)
        meter.sent(sent_us)
        meter.answered(number + 1, page_us, arrived_us + back_us)
    return meter


@given(
    seed=st.integers(0, 2**32),
    drift_ppm=st.floats(-80, 80),
    queueing_us=st.floats(1, 5_000),
)
def test_the_page_s_clock_is_found_within_the_stated_uncertainty(
    seed: int, drift_ppm: float, queueing_us: float
) -> None:
    meter = measured(random.Random(seed), drift_ppm=drift_ppm, queueing_us=queueing_us)  # noqa: S311
    clock = meter.page_clock()
    assert clock is not None
    for at_us in (1_000_000, 60_000_000, 120_000_000):
        page_us = at_us + HOUR_US + at_us * drift_ppm / 1e6
        assert abs(clock.on_server(page_us) - at_us) <= clock.uncertainty_us


def test_round_trips_jitter_and_loss() -> None:
    meter = NetworkMeter()
    now_us = 0
    for number in range(1, 101):
        now_us += 50_000
        assert meter.sent(now_us) == number
        if number % 10:
            meter.answered(number, 0, now_us + 20_000 + 100 * number)
    # Too late, never asked, and twice: none of them counts.
    meter.answered(10, 0, now_us + LOST_AFTER_US + 600_000)
    meter.answered(999, 0, now_us)
    meter.answered(99, 0, now_us)
    found = meter.found()
    assert found is not None
    assert found.probes == 100
    assert found.lost_share == pytest.approx(0.1)
    assert found.rtt_p50_ms == pytest.approx(25, abs=0.2)
    assert found.jitter_ms == pytest.approx(4.5, abs=0.3)
    assert found.rtt_p95_ms - found.rtt_p50_ms == found.jitter_ms


def test_an_agent_s_clock_is_found_from_keys_and_screens() -> None:
    record = SessionRecord(NetworkMeter())
    result = pb.TerminalResult()
    chance = random.Random(1)  # noqa: S311
    offset_us = 7_000_000
    for number in range(1, 100):
        received_us = number * 100_000
        agent_us = received_us + 300 + chance.randrange(2000) + offset_us
        came_us = agent_us + 130_000 - offset_us + 300 + chance.randrange(2000)
        record.keys[number] = KeyPressed(
            number, 0, "x", KeyKind.CHARACTER, repeat=False, received_us=received_us
        )
        record.screens[number] = ScreenShown(number, b"x", number, 0, came_us, came_us)
        result.keys.add(
            number=number,
            agent_received_ns=agent_us * 1000,
            agent_forwarded_ns=(agent_us + 130_000) * 1000,
            screen=number,
        )
    record.ended = TerminalEnded(result)
    clock = clock_line(record, shares_clock=False).agent
    assert abs(clock.offset_us - offset_us) <= clock.uncertainty_us <= 400
    assert clock_line(record, shares_clock=True).agent.offset_us == 0
