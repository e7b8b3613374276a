"""How far behind the machine is, and what follows from it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import time

from thinlab.live.pulse import ADMIT_BELOW_SHARE, HELD_AT_LEAST_S, LOOK_BACK_S, Pulse


def test_who_was_late_has_no_room_until_it_has_kept_up_for_a_while() -> None:
    pulse = Pulse()
    looks = [(0.0, 0.01), (1.0, 0.11), (1.0 + LOOK_BACK_S, 0.0), (1.1 + LOOK_BACK_S, 0.0)]
    rooms = []
    for now, late_s in looks:
        pulse.looked(now, late_s, 0.1)
        rooms.append(pulse.has_room)
    assert rooms == [True, False, False, True]


def test_a_guest_that_owes_an_answer_leaves_no_room() -> None:
    answers_ms = iter([1.0, 120.0])
    pulse = Pulse(lambda: next(answers_ms))
    rooms = []
    for now in (0.0, 0.1):
        pulse.looked(now, 0.0, 0.1)
        rooms.append(pulse.has_room)
    assert rooms == [True, False]


def test_a_thread_that_hardly_ever_rests_leaves_no_room() -> None:
    pulse = Pulse()
    for tick in range(100):
        pulse.looked(tick * 0.05, 0.0, ADMIT_BELOW_SHARE + 0.1)
    assert not pulse.has_room


def test_who_types_is_held_while_the_machine_is_behind_and_told_once() -> None:
    told: list[bool] = []
    pulse = Pulse()
    pulse.listeners.add(told.append)
    pulse.looked(0.0, 0.14, 0.1)
    assert told == []
    pulse.looked(0.2, 0.16, 0.1)
    pulse.looked(0.4, 0.2, 0.1)
    pulse.looked(0.3 + HELD_AT_LEAST_S, 0.0, 0.1)
    assert told == [True]
    pulse.looked(0.5 + HELD_AT_LEAST_S, 0.0, 0.1)
    assert told == [True, False]
    assert not pulse.held


async def test_a_loop_that_stood_still_is_found_out_with_when_it_did() -> None:
    pulse = Pulse()
    keeping = asyncio.create_task(pulse.keep())
    began_us = ended_us = 0
    while not pulse.behind_ms and not pulse.standstills:
        await asyncio.sleep(0.01)
        began_us = time.time_ns() // 1000
        time.sleep(0.3)  # noqa: ASYNC251 (to hold the loop is what is tried)
        ended_us = time.time_ns() // 1000
        await asyncio.sleep(0.01)
    keeping.cancel()
    assert pulse.behind_ms > 200
    longest = max(pulse.standstills, key=lambda one: one.ended_us - one.began_us)
    assert min(longest.ended_us, ended_us) - max(longest.began_us, began_us) > 200_000
