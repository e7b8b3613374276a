"""What comes in a burst, a little at a time.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from typing import Any

from thinlab.throttle.turns import A_TURN, Turns


async def settled(done: list[int], many: int) -> list[int]:
    """How much was done after each turn of the loop, until all is."""
    seen = []
    while len(done) < many:
        await asyncio.sleep(0)
        seen.append(len(done))
    return seen


async def test_others_come_in_between_and_order_stays() -> None:
    turns, done = Turns(), list[int]()
    many = 10 * A_TURN
    for number in range(many):
        turns.add(lambda number=number: done.append(number))  # type: ignore[misc]
    seen = await settled(done, many)
    assert done == list(range(many))
    assert max(after - before for before, after in zip([0, *seen], seen, strict=False)) <= A_TURN


async def test_what_is_added_meanwhile_waits_behind() -> None:
    turns, done = Turns(), list[int]()

    def first() -> None:
        done.append(1)
        turns.add(lambda: done.append(3))

    turns.add(first)
    turns.add(lambda: done.append(2))
    await settled(done, 3)
    assert done == [1, 2, 3]


async def test_one_that_raises_keeps_nobody_else() -> None:
    told: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told_of: told.append(told_of))
    turns, done = Turns(), list[int]()
    turns.add(lambda: done.append(1))
    turns.add(lambda: done.append(1 // 0))
    turns.add(lambda: done.append(3))
    await settled(done, 2)
    assert done == [1, 3]
    assert isinstance(told[0]["exception"], ZeroDivisionError)
