"""A slow phone loses moments, never the others', and is told where things are.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Callable

import pytest

from thinlab.demo.turns import PASS_S, Pass, Turns
from thinlab.demo.watchers import MOMENTS_LIMIT, WAITING_LIMIT, Told, Watcher, Watchers


class AtOnce(Turns):
    """It is always one's turn."""

    def ask(self, turn: Callable[[], None]) -> None:
        turn()


def watcher() -> Watcher:
    return Watcher(lambda: "fresh", AtOnce(1))


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


async def test_what_was_before_a_page_came_does_not_close_it_and_is_told_once() -> None:
    one = watcher()
    one.tell("state", Told.STATE)
    one.tell_anew(str(number) for number in range(2 * WAITING_LIMIT))
    one.tell("event", Told.OTHER)
    # The letters were told: all of it again, in place of what is not sent yet.
    one.tell_anew(["all", "of it"])
    assert await all_of(one) == ["state", "event", "all", "of it"]
    for number in range(WAITING_LIMIT):
        one.tell(str(number), Told.OTHER)
    one.tell_anew(["more"])
    assert len(await all_of(one)) == WAITING_LIMIT + 1
    assert not one.overflowed


async def test_what_is_queued_at_the_end_is_still_sent() -> None:
    one = watcher()
    one.tell("last", Told.OTHER)
    one.close()
    one.tell("too late", Told.OTHER)
    assert await all_of(one) == ["last", "closed"]
    assert not one.overflowed


async def test_a_room_is_sent_to_a_few_at_a_time_and_in_order() -> None:
    turns, sent, between = Turns(3), [], []
    for number in range(10):
        turns.ask(lambda number=number: sent.append(number))  # type: ignore[misc]
    while len(sent) < 10:
        between.append(len(sent))
        # Whatever else the loop has to do comes in between.
        await asyncio.sleep(0)
    assert sent == list(range(10))
    assert between == [0, 3, 6, 9]
    turns.ask(lambda: sent.append(10))
    await asyncio.sleep(0)
    assert sent[-1] == 10


async def test_who_has_much_to_be_told_does_not_come_before_the_others() -> None:
    turns, everybody = Turns(1), []
    for name in ("new", "old"):
        one = Watcher(lambda: "fresh", turns)
        everybody.append((name, one))
        for number in range(3 if name == "new" else 1):
            one.tell(f"{name} {number}", Told.OTHER)
        one.close()
    sent: list[str] = []

    async def write(one: Watcher) -> None:
        while (text := await one.next()) is not None:
            sent.append(text)

    await asyncio.gather(*(write(one) for _, one in everybody))
    assert sent == ["new 0", "old 0", "new 1", "new 2"]


async def test_who_does_many_pieces_lets_the_loop_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 0.0
    monkeypatch.setattr("thinlab.demo.turns.time.perf_counter", lambda: now_s)
    others, begun = 0, Pass()

    async def other() -> None:
        nonlocal others
        while True:
            others += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(other())
    for _ in range(10):
        now_s += PASS_S / 2
        await begun.go_on()
    beside.cancel()
    assert others == 5
