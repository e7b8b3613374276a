"""Allocation: balanced in every cell, whoever drops out.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from thinlab.study.allocation import Draw, Session, draw_next

TRIALS = ("speech", "song", "control")


def take_part(others: Counter[Session], trials: tuple[str, ...], chance: random.Random) -> Session:
    """One participant's whole session."""
    mine: list[Draw] = []
    while (draw := draw_next(mine, trials, others, chance)) is not None:
        mine.append(draw)
    return tuple(mine)


def spread(counts: Counter[Any], cells: int) -> int:
    """Most in a cell less fewest in a cell, empty cells included."""
    values = list(counts.values()) + [0] * (cells - len(counts))
    return max(values) - min(values)


def test_every_cell_is_balanced_to_within_one() -> None:
    chance = random.Random(1)  # noqa: S311
    others: Counter[Session] = Counter()
    cells: Counter[Any] = Counter()
    for _ in range(240):
        others[take_part(others, TRIALS, chance)] += 1
        cells = Counter(
            (draw.trial_id, position, draw.first_member)
            for session in others.elements()
            for position, draw in enumerate(session)
        )
        assert spread(cells, cells=3 * 3 * 2) <= 2
    orders = Counter(tuple(draw.trial_id for draw in session) for session in others.elements())
    assert spread(orders, cells=6) <= 1
    # 240 participants over 18 cells of 3 positions: 40 each.
    assert set(cells.values()) == {40}


def test_sessions_that_do_not_count_leave_no_trace() -> None:
    """Dropouts are simply not among the others: the completed stay balanced."""
    chance = random.Random(2)  # noqa: S311
    completed: Counter[Session] = Counter()
    for number in range(300):
        session = take_part(completed, TRIALS, chance)
        if number % 3 != 0:
            completed[session] += 1
    firsts = Counter(
        (draw.trial_id, draw.first_member) for session in completed.elements() for draw in session
    )
    assert spread(firsts, cells=6) <= 2


def test_the_first_draw_is_chance() -> None:
    draws = {draw_next([], TRIALS, Counter(), random.Random(seed)) for seed in range(200)}  # noqa: S311
    assert len(draws) == 6


@given(
    trials=st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=6, unique=True),
    seed=st.integers(0, 2**32),
    people=st.integers(1, 8),
)
def test_everybody_gets_every_trial_once(trials: list[str], seed: int, people: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    others: Counter[Session] = Counter()
    for _ in range(people):
        session = take_part(others, tuple(trials), chance)
        assert sorted(draw.trial_id for draw in session) == sorted(trials)
        others[session] += 1
