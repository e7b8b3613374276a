"""What the presenter is told of a machine that cannot keep up.

SPDX-License-Identifier: Apache-2.0
"""

from tests.demo.conftest import Stage
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.held_up import HeldUp
from thinlab.demo.state import HeldUpLately


def counted(standstills: int, stood_still_ms: float, left_out: int = 0) -> pb.DemoHeldUp:
    return pb.DemoHeldUp(
        standstills=standstills, stood_still_ms=stood_still_ms, sound_left_out=left_out
    )


def test_a_machine_that_keeps_up_is_no_news() -> None:
    held_up = HeldUp()
    for at_ms in range(0, 100_000, 100):
        held_up.note(at_ms, counted(0, 0))
        assert not held_up.news(at_ms)
    assert held_up.lately is None


def test_it_is_told_and_forgotten_after_a_minute() -> None:
    held_up = HeldUp()
    held_up.note(0, counted(2, 30.4, 1))
    assert held_up.news(0)
    assert held_up.lately == HeldUpLately(standstills=2, stood_still_ms=30, sound_left_out=1)
    told = []
    for at_ms in range(1_000, 90_000, 1_000):
        held_up.note(at_ms, counted(2 if at_ms < 30_000 else 5, 30.4 if at_ms < 30_000 else 90, 1))
        if held_up.news(at_ms):
            told.append((at_ms, held_up.lately))
    assert told == [
        (30_000, HeldUpLately(standstills=5, stood_still_ms=90, sound_left_out=1)),
        (60_000, HeldUpLately(standstills=3, stood_still_ms=60, sound_left_out=0)),
    ]
    held_up.note(91_000, counted(5, 90, 1))
    assert held_up.news(91_000)
    assert held_up.lately is None


def test_it_is_told_every_five_seconds_at_most() -> None:
    held_up = HeldUp()
    times = []
    for at_ms in range(0, 20_000, 1_000):
        held_up.note(at_ms, counted(at_ms // 1_000 + 1, at_ms + 10))
        if held_up.news(at_ms):
            times.append(at_ms)
    assert times == [0, 5_000, 10_000, 15_000]


def test_another_take_counts_anew() -> None:
    held_up = HeldUp()
    held_up.note(0, counted(9, 400))
    assert held_up.news(0)
    held_up.take_began()
    assert held_up.lately is None
    held_up.note(6_000, counted(1, 12))
    assert held_up.news(6_000)
    assert held_up.lately == HeldUpLately(standstills=1, stood_still_ms=12, sound_left_out=0)


async def test_consoles_are_told_and_the_audience_is_not(stage: Stage) -> None:
    _, console, phone = await stage.watched()
    assert console.last("state")["held_up"] is None
    stage.lab.held_up = counted(3, 120.2, 2)
    state = await console.until(lambda one: one["type"] == "state" and one["held_up"])
    assert state["held_up"] == {"standstills": 3, "stood_still_ms": 120, "sound_left_out": 2}
    await phone.until(lambda one: one["type"] == "moment" and one["at_ms"] > state["at_ms"])
    assert not any("held_up" in message for message in phone.came)
