"""What guessing reaches in a test, against counting every way to answer.

SPDX-License-Identifier: Apache-2.0
"""

from itertools import product

import pytest

from thinlab.study.guessing import passed_by_guessing
from thinlab.study.headphone_test import FIRST_RULE, HeadphoneTest


@pytest.mark.parametrize(("rounds", "alternatives"), [(6, 3), (8, 2), (1, 4), (5, 5)])
def test_one_try_is_the_share_of_all_ways_to_answer(rounds: int, alternatives: int) -> None:
    ways = [sum(one == 0 for one in way) for way in product(range(alternatives), repeat=rounds)]
    for least in range(rounds + 2):
        counted = sum(right >= least for right in ways) / len(ways)
        assert passed_by_guessing(rounds, alternatives, least) == pytest.approx(counted)


def test_more_tries_are_not_as_many_times_one() -> None:
    once = passed_by_guessing(2, 2, 1)
    assert once == 0.75
    assert passed_by_guessing(2, 2, 1, tries=2) == pytest.approx(1 - 0.25**2)
    assert passed_by_guessing(2, 2, 1, tries=9) < 1


@pytest.mark.parametrize(
    ("test", "least", "per_cent"),
    [
        (HeadphoneTest(signal="huggins", tries=1), 6, 0.137),
        (HeadphoneTest(signal="huggins"), 6, 0.274),
        (HeadphoneTest(signal="antiphase", tries=1), 5, 1.783),
        (HeadphoneTest(signal="antiphase"), 5, 3.535),
        (FIRST_RULE, 5, 3.535),
    ],
)
def test_published_thresholds(test: HeadphoneTest, least: int, per_cent: float) -> None:
    assert test.least == least
    assert 100 * test.guessed_share == pytest.approx(per_cent, abs=0.001)
