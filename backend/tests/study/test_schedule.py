"""Rows of a block: every cell once a cover, whatever the number of trials.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from tests.made_up import ABX, ACR, DCR, block
from thinlab.study.definition import Block
from thinlab.study.schedule import Cover, covers_of, rows_of, williams


def pairs(count: int, **changes: Any) -> Block:  # noqa: ANN401
    trials = [
        {"kind": "pair", "id": f"t{number}", "clip": "speech", "seed": 1}
        | {"conditions": ["plain", "modified"]}
        for number in range(count)
    ]
    return Block.model_validate(block(trials, **changes))


def cells(cover: Cover) -> Counter[tuple[int, int, str]]:
    return Counter(
        (place.trial, position, place.first_member)
        for row in cover
        for position, place in enumerate(row)
    )


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 13])
def test_a_cover_holds_every_cell_once(count: int) -> None:
    for cover in covers_of(pairs(count)):
        assert set(cells(cover).values()) == {1}
        assert len(cells(cover)) == count * count * 2


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 13])
def test_every_trial_follows_every_other_equally_often(count: int) -> None:
    orders = [order for square in williams(count) for order in square]
    after = Counter(pair for order in orders for pair in pairwise(order))
    assert len(after) == count * (count - 1)
    assert len(set(after.values())) == 1


@pytest.mark.parametrize("count", [2, 5, 8])
def test_nobody_hears_one_member_first_throughout(count: int) -> None:
    for row in rows_of(pairs(count)):
        firsts = Counter(place.first_member for place in row)
        assert abs(firsts["a"] - firsts["b"]) <= 1


def test_one_side_does_not_tell_another() -> None:
    """Over all rows, the side of a trial goes with that of the one before no more than not."""
    rows = rows_of(pairs(12))
    assert len({tuple(place.first_member for place in row) for row in rows}) == len(rows)
    same = sum(
        one.first_member == other.first_member for row in rows for one, other in pairwise(row)
    )
    assert 0.35 < same / (len(rows) * 11) < 0.65


def test_as_written_is_as_written() -> None:
    (row,) = rows_of(pairs(3, order="as_written", sides="as_written"))
    assert [(place.trial, place.first_member) for place in row] == [(0, "a"), (1, "a"), (2, "a")]
    assert len(rows_of(pairs(3, order="as_written"))) == 2
    assert len(rows_of(pairs(4, sides="as_written"))) == 4


def test_recordings_judged_alone_have_no_sides() -> None:
    trials = [
        {"kind": "single", "id": f"t{number}", "clip": "speech", "condition": "plain", "seed": 1}
        for number in range(4)
    ]
    rows = rows_of(Block.model_validate(block(trials, scale=ACR)))
    assert len(rows) == 4
    assert {place.first_member for row in rows for place in row} == {"a"}


def judged(clips: str, **changes: Any) -> Block:  # noqa: ANN401
    trials = [
        {"kind": "single", "id": f"t{n}", "clip": clip, "condition": "plain", "seed": 1}
        for n, clip in enumerate(clips)
    ]
    return Block.model_validate(block(trials, scale=ACR, order="apart", **changes))


# As many of each, one left over, one that is in half of all, and what the ready study has.
@pytest.mark.parametrize("clips", ["aabb", "abcabc", "aaabbc", "aaabbbc", "abcd" * 5 + "bdxy"])
def test_kept_apart_no_clip_follows_itself_and_every_trial_is_everywhere_once(clips: str) -> None:
    made = judged(clips)
    for cover in covers_of(made):
        assert set(cells(cover).values()) == {1}
        assert len(cells(cover)) == len(clips) ** 2
        for row in cover:
            assert all(clips[one.trial] != clips[other.trial] for one, other in pairwise(row))


@pytest.mark.parametrize("clips", ["abcd" * 5, "abcd" * 5 + "bdxy"])
def test_kept_apart_every_trial_follows_those_of_other_clips_about_equally_often(
    clips: str,
) -> None:
    after = Counter(
        (one.trial, other.trial) for row in rows_of(judged(clips)) for one, other in pairwise(row)
    )
    assert max(after.values()) <= 2 * min(after.values())
    allowed = sum(one != other for one in clips for other in clips)
    assert len(after) > 0.6 * allowed


def test_pairs_that_are_kept_apart_have_sides_too() -> None:
    made = pairs(4, order="apart")
    trials = [trial | {"clip": clip} for trial, clip in zip(made.model_dump()["trials"], "abab")]  # noqa: B905
    made = Block.model_validate(block(trials, order="apart"))
    for cover in covers_of(made):
        assert set(cells(cover).values()) == {1}
        assert len(cells(cover)) == 4 * 4 * 2


def test_a_reference_is_first_whatever_the_row() -> None:
    rows = rows_of(pairs(6, scale=DCR, playback="in_turn"))
    assert {place.first_member for row in rows for place in row} == {"a"}
    assert len(rows) == 6


def test_what_x_is_of_comes_in_both_orders() -> None:
    for cover in covers_of(pairs(6, scale=ABX)):
        assert set(cells(cover).values()) == {1}
        assert len(cells(cover)) == 6 * 6 * 2
