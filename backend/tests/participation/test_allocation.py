"""Drawing rows: balanced to within one at every step, at chance among equals.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.study.test_schedule import cells, pairs
from thinlab.participation.allocation import draw_row
from thinlab.study.definition import Block
from thinlab.study.schedule import Drawn, covers_of, rows_of, run_of

Held = dict[int, list[int]]
"""The rounds that participants have of each row."""


def spread(block: Block, uses: Counter[int]) -> int:
    """Most in a cell trial x position x side less fewest, over sessions with these rows."""
    rows = rows_of(block)
    counted = cells(tuple(rows[row] for row in uses.elements()))
    values = [counted[cell] for cell in cells(rows)]
    return max(values) - min(values)


def uses_of(held: Held) -> Counter[int]:
    return Counter({row: len(rounds) for row, rounds in held.items()})


def join(block: Block, held: Held, chance: random.Random) -> Drawn:
    """One more participant, who stays."""
    drawn = draw_row(covers_of(block), held, chance)
    held.setdefault(drawn.row, []).append(drawn.round)
    return drawn


def heard(block: Block, held: Held, runs: int) -> Counter[tuple[int, int, str]]:
    """How often each run of each trial was heard with either member first."""
    return Counter(
        (
            place.trial,
            run_of(place.trial, Drawn(row, one), runs, len(rows_of(block))),
            place.first_member,
        )
        for row, rounds in held.items()
        for one in rounds
        for place in rows_of(block)[row]
    )


@given(count=st.integers(1, 7), seed=st.integers(0, 2**32), people=st.integers(1, 80))
def test_cells_differ_by_at_most_one_at_any_time(count: int, seed: int, people: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    block: Block = pairs(count)
    held: Held = {}
    for _ in range(people):
        join(block, held, chance)
        assert spread(block, uses_of(held)) <= 1


@given(seed=st.integers(0, 2**32))
def test_who_comes_after_somebody_who_left_hears_what_they_had(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    block: Block = pairs(5)
    held: Held = {}
    for _ in range(60):
        join(block, held, chance)
    before = heard(block, held, runs=3)
    everybody = [(row, one) for row, rounds in held.items() for one in rounds]
    gone = chance.sample(everybody, 18)
    for row, one in gone:
        held[row].remove(one)
    for _ in gone:
        join(block, held, chance)
    assert heard(block, held, runs=3) == before
    assert spread(block, uses_of(held)) <= 1


def test_the_first_row_is_chance() -> None:
    covers = covers_of(pairs(4))
    drawn = {draw_row(covers, {}, random.Random(seed)).row for seed in range(200)}  # noqa: S311
    assert drawn == set(range(8))


def test_every_run_is_heard_equally_often_with_either_member_first() -> None:
    block: Block = pairs(4)
    held: Held = {}
    chance = random.Random(1)  # noqa: S311
    at: Counter[tuple[int, int]] = Counter()
    for _ in range(8 * 3):
        drawn = join(block, held, chance)
        for position, place in enumerate(rows_of(block)[drawn.row]):
            at[position, run_of(place.trial, drawn, runs=3, rows=8)] += 1
    counted = heard(block, held, runs=3)
    assert set(counted.values()) == {4}
    assert len(counted) == 4 * 3 * 2
    assert set(at.values()) == {8}


@given(
    count=st.integers(1, 7),
    runs=st.integers(1, 20),
    rounds=st.integers(1, 8),
    two_sided=st.booleans(),
)
def test_whole_rounds_hear_each_run_equally_often(
    count: int, runs: int, rounds: int, two_sided: bool
) -> None:
    block = pairs(count, sides="balanced" if two_sided else "as_written")
    held = {row: list(range(rounds)) for row in range(len(rows_of(block)))}
    counted = heard(block, held, runs)
    for trial in range(count):
        for side in ("a", "b") if two_sided else ("a",):
            times = [counted[trial, run, side] for run in range(runs)]
            assert max(times) - min(times) <= (1 if two_sided else 2)


@given(count=st.integers(1, 7), runs=st.integers(1, 20))
def test_each_row_comes_to_hear_every_run(count: int, runs: int) -> None:
    rows = len(rows_of(pairs(count)))
    for row in range(rows):
        assert {run_of(0, Drawn(row, one), runs, rows) for one in range(runs)} == set(range(runs))


def test_a_round_is_the_lowest_that_nobody_has() -> None:
    covers = covers_of(pairs(1))
    chance = random.Random(1)  # noqa: S311
    assert draw_row(covers, {0: [0, 1], 1: [0, 1, 2]}, chance) == Drawn(row=0, round=2)
    assert draw_row(covers, {0: [2, 0], 1: [0, 1, 2]}, chance) == Drawn(row=0, round=1)
