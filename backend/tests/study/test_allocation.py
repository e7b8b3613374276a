"""Drawing rows: balanced to within one at every step, at chance among equals.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.study.test_schedule import cells, pairs
from thinlab.study.allocation import Drawn, draw_row, run_of
from thinlab.study.definition import Block
from thinlab.study.schedule import covers_of, rows_of


def spread(block: Block, uses: Counter[int]) -> int:
    """Most in a cell trial x position x side less fewest, over sessions with these rows."""
    rows = rows_of(block)
    counted = cells(tuple(rows[row] for row in uses.elements()))
    values = [counted[cell] for cell in cells(rows)]
    return max(values) - min(values)


@given(count=st.integers(1, 7), seed=st.integers(0, 2**32), people=st.integers(1, 80))
def test_cells_differ_by_at_most_one_at_any_time(count: int, seed: int, people: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    block, uses = pairs(count), Counter[int]()
    for _ in range(people):
        uses[draw_row(covers_of(block), uses, chance).row] += 1
        assert spread(block, uses) <= 1


@given(seed=st.integers(0, 2**32))
def test_rows_that_return_are_drawn_first(seed: int) -> None:
    """Whoever leaves, leaves a gap that the next ones close."""
    chance = random.Random(seed)  # noqa: S311
    block, uses = pairs(5), Counter[int]()
    for _ in range(60):
        uses[draw_row(covers_of(block), uses, chance).row] += 1
    gone = chance.sample(sorted(uses.elements()), 18)
    uses.subtract(gone)
    for _ in gone:
        uses[draw_row(covers_of(block), uses, chance).row] += 1
    assert spread(block, uses) <= 1


def test_the_first_row_is_chance() -> None:
    covers = covers_of(pairs(4))
    drawn = {draw_row(covers, {}, random.Random(seed)).row for seed in range(200)}  # noqa: S311
    assert drawn == set(range(8))


def test_every_run_is_heard_equally_often_with_either_member_first() -> None:
    block, uses = pairs(4), Counter[int]()
    chance = random.Random(1)  # noqa: S311
    heard: Counter[tuple[int, int, str]] = Counter()
    at: Counter[tuple[int, int]] = Counter()
    for _ in range(8 * 3):
        drawn = draw_row(covers_of(block), uses, chance)
        uses[drawn.row] += 1
        for position, place in enumerate(rows_of(block)[drawn.row]):
            run = run_of(place.trial, drawn, runs=3)
            heard[place.trial, run, place.first_member] += 1
            at[position, run] += 1
    assert set(heard.values()) == {4}
    assert len(heard) == 4 * 3 * 2
    assert set(at.values()) == {8}


def test_a_row_says_how_often_it_was_used() -> None:
    covers = covers_of(pairs(1))
    chance = random.Random(1)  # noqa: S311
    assert draw_row(covers, {0: 2, 1: 3}, chance) == Drawn(row=0, round=2)
