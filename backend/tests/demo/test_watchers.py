"""A slow phone loses moments, never the others', and is told where things are.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio

from thinlab.demo.message_rate import MessageRate
from thinlab.demo.watchers import MOMENTS_LIMIT, WAITING_LIMIT, Told, Watcher, Watchers


def watcher() -> Watcher:
    return Watcher(lambda: "fresh")


async def all_of(one: Watcher) -> list[str]:
    """What can be sent at once."""
    found: list[str] = []
    while True:
        try:
            async with asyncio.timeout(0):
                text = await one.next()
        except TimeoutError:
            return found
        if text is None:
            return [*found, "closed"]
        found.append(text)


async def test_who_keeps_up_gets_everything_in_order() -> None:
    one = watcher()
    one.tell("state", Told.STATE)
    for number in range(MOMENTS_LIMIT):
        one.tell(f"moment {number}", Told.MOMENT)
        one.tell(f"event {number}", Told.OTHER)
    expected = [f"{kind} {n}" for n in range(MOMENTS_LIMIT) for kind in ("moment", "event")]
    assert await all_of(one) == ["state", *expected]
    assert one.lost_moments == 0


async def test_who_is_slow_loses_moments_only_and_gets_a_fresh_state() -> None:
    slow, quick, both = watcher(), watcher(), Watchers()
    both.add(slow)
    both.add(quick)
    seen = []
    for number in range(3 * MOMENTS_LIMIT):
        both.tell(f"moment {number}", Told.MOMENT)
        both.tell(f"event {number}", Told.OTHER)
        seen += await all_of(quick)
    assert len(seen) == 6 * MOMENTS_LIMIT
    came = await all_of(slow)
    assert [one for one in came if one.startswith("event")] == [
        f"event {number}" for number in range(3 * MOMENTS_LIMIT)
    ]
    assert len([one for one in came if one.startswith("moment")]) == MOMENTS_LIMIT
    assert came[-1] == "fresh"
    assert slow.lost_moments == 2 * MOMENTS_LIMIT
    both.tell("moment", Told.MOMENT)
    assert await all_of(slow) == ["moment"]


async def test_only_the_newest_of_states_in_a_row_is_sent() -> None:
    one = watcher()
    for text in ("one", "two"):
        one.tell(text, Told.STATE)
    one.tell("event", Told.OTHER)
    one.tell("three", Told.STATE)
    assert await all_of(one) == ["two", "event", "three"]


async def test_what_cannot_be_lost_closes_the_connection_where_it_would_never_end() -> None:
    one = watcher()
    for number in range(WAITING_LIMIT + 1):
        one.tell(str(number), Told.OTHER)
    assert await all_of(one) == ["closed"]
    assert one.overflowed


async def test_what_is_queued_at_the_end_is_still_sent() -> None:
    one = watcher()
    one.tell("last", Told.OTHER)
    one.close()
    one.tell("too late", Told.OTHER)
    assert await all_of(one) == ["last", "closed"]
    assert not one.overflowed


def test_a_page_may_send_so_many_messages_and_no_more() -> None:
    rate = MessageRate(10, 3)
    assert [rate.allows(0) for _ in range(4)] == [True, True, True, False]
    assert rate.allows(0.1)
    assert not rate.allows(0.1)
    assert [rate.allows(60) for _ in range(4)] == [True, True, True, False]
