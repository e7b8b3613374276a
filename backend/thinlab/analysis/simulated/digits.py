"""Simulated listeners who take the test by digits in noise: whom a threshold lets pass.

A simulated listener has all three digits right by a logistic function of the ratio of speech to
noise, which is one half at their true threshold, as in the model of Smits and Houtgast (2006,
J. Acoust. Soc. Am. 120, 1608). Published material, levelled digit by digit, has a slope of 20 % per
dB there (Potgieter et al. 2016); digits that nobody has levelled have a flatter one. A lapse is an
answer that has nothing to do with what sounded. The rule is the study's own
(`thinlab.study.hearing.digits`).

SPDX-License-Identifier: Apache-2.0
"""

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from thinlab.study.hearing.digits import (
    FIRST_DB,
    GUESSED_SHARE,
    DigitsTest,
    next_db,
    threshold_db,
)


@dataclass(frozen=True)
class Hearing:
    """How listeners are assumed to hear."""

    slope_per_db: float
    """Of the share of triplets that are right, where it is one half."""
    lapse_share: float = 0.0

    def share_right(self, above_db: float) -> float:
        """Of triplets that are so far above the true threshold."""
        heard = 1 / (1 + math.exp(-4 * self.slope_per_db * above_db))
        return (1 - self.lapse_share) * max(heard, GUESSED_SHARE)


@dataclass(frozen=True)
class Precision:
    """How well one try measures a threshold."""

    bias_db: float
    """How much too high it is told, on average."""
    error_db: float
    """Standard deviation of what is told of one and the same listener."""
    retest_db: float
    """Standard deviation of the difference between two tries of one listener."""


def told_db(chance: random.Random, hearing: Hearing, true_db: float, triplets: int) -> float:
    """The threshold that one try tells of a listener."""
    rights: list[bool] = []
    snr_db = FIRST_DB
    for _ in range(triplets):
        rights.append(chance.random() < hearing.share_right(snr_db - true_db))
        snr_db = next_db(snr_db, right=rights[-1])
    return threshold_db(rights)


def precision(
    test: DigitsTest, hearing: Hearing, true_db: float, people: int, seed: int
) -> Precision:
    """By so many listeners, each of whom takes the test twice."""
    chance = random.Random(seed)  # noqa: S311
    pairs = [
        [told_db(chance, hearing, true_db, test.triplets) for _ in range(2)] for _ in range(people)
    ]
    told = [one for pair in pairs for one in pair]
    return Precision(
        statistics.fmean(told) - true_db,
        statistics.stdev(told),
        statistics.stdev(first - second for first, second in pairs),
    )


def passing(
    test: DigitsTest, hearing: Hearing, away_db: Sequence[float], people: int, seed: int
) -> list[float]:
    """Shares of listeners who pass whose true threshold is so far above the study's."""
    chance = random.Random(seed)  # noqa: S311
    return [
        sum(_passes(chance, test, hearing, test.srt_db_at_most + above) for _ in range(people))
        / people
        for above in away_db
    ]


def _passes(chance: random.Random, test: DigitsTest, hearing: Hearing, true_db: float) -> bool:
    return any(
        told_db(chance, hearing, true_db, test.triplets) <= test.srt_db_at_most
        for _ in range(test.tries)
    )
