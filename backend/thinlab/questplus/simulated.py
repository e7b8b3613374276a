"""Observers whose threshold is known, and how often intervals hold it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from thinlab.questplus.function import Grid, Numbers, right_share
from thinlab.questplus.group import group_threshold
from thinlab.questplus.posterior import Answer, Posterior

CREDIBILITY = 0.95
SLOPES = (1.0, 1.4, 2.0, 2.8, 4.0)
LAPSE_SHARES = (0.0, 0.02, 0.04)


@dataclass(frozen=True)
class Design:
    """A staircase: which levels there are, and how many trials."""

    name: str
    levels: tuple[float, ...]
    trials: int
    adaptive: bool = True
    """Otherwise levels come in turn, to compare."""

    @property
    def grid(self) -> Grid:
        """The prior: from half the lowest level to twice the highest."""
        lowest, highest = min(self.levels) / 2, max(self.levels) * 2
        return Grid.between(lowest, highest, SLOPES, LAPSE_SHARES, 61)

    @property
    def log_levels(self) -> tuple[float, ...]:
        """As the model takes them."""
        return tuple(float(one) for one in np.log10(self.levels))


LOSS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
DESIGNS = (
    Design("six levels, 24 trials", LOSS, 24),
    Design("six levels, 40 trials", LOSS, 40),
    Design("four levels, 24 trials", (0.01, 0.03, 0.08, 0.2), 24),
    Design("six levels in turn, 24 trials", LOSS, 24, adaptive=False),
)


@dataclass(frozen=True)
class Observer:
    """Somebody whose psychometric function is known."""

    log_threshold: float
    slope: float
    lapse_share: float


@dataclass(frozen=True)
class Coverage:
    """How often intervals held what was planted."""

    design: Design
    observers: int
    inside: int
    mean_sd: float
    """Of people's posteriors, in decades."""
    groups: int
    group_inside: int


def run(design: Design, observer: Observer, chance: np.random.Generator) -> Posterior:
    """What a staircase finds out about an observer."""
    right, wrong = [0] * len(design.levels), [0] * len(design.levels)
    shares = right_share(
        design.log_levels, observer.log_threshold, observer.slope, observer.lapse_share
    )
    for trial in range(design.trials):
        known = _after(design, tuple(right), tuple(wrong))
        index = known.next_level(design.log_levels) if design.adaptive else trial % len(right)
        (right if chance.random() < shares[index] else wrong)[index] += 1
    return _after(design, tuple(right), tuple(wrong))


# Observers begin alike: the first trials of all of them know the same.
@lru_cache(maxsize=4096)
def _after(design: Design, right: tuple[int, ...], wrong: tuple[int, ...]) -> Posterior:
    """So many answers at each level."""
    answers: list[Answer] = []
    for level, hits, misses in zip(design.log_levels, right, wrong, strict=True):
        answers += [Answer(level, right=True)] * hits + [Answer(level, right=False)] * misses
    return Posterior.of(design.grid, answers)


def coverage(design: Design, observers: int, groups: int, people: int, seed: int) -> Coverage:
    """Observers one by one, drawn as the prior says; and groups of so many people."""
    chance = np.random.default_rng(seed)
    inside, sds = 0, []
    values = design.grid.log_thresholds
    # Each of the grid's thresholds stands for all that are nearest to it, beyond the ends as well.
    reach = (values[1] - values[0]) / 2
    for _ in range(observers):
        observer = Observer(chance.uniform(values[0] - reach, values[-1] + reach), *_habits(chance))
        found = run(design, observer, chance)
        low, high = found.interval(CREDIBILITY)
        inside += low <= observer.log_threshold <= high
        sds.append(found.sd)
    held = sum(_group_holds(design, people, chance) for _ in range(groups))
    return Coverage(design, observers, inside, float(np.mean(sds)) if sds else 0.0, groups, held)


def _habits(chance: np.random.Generator) -> tuple[float, float]:
    return float(chance.choice(SLOPES)), float(chance.choice(LAPSE_SHARES))


def _group_holds(design: Design, people: int, chance: np.random.Generator) -> bool:
    """People differ by 0.2 decades (1.6 times) around a mean within the levels."""
    ends = design.log_levels
    mean = chance.uniform(ends[0], ends[-1])
    rows: list[Numbers] = []
    for _ in range(people):
        observer = Observer(chance.normal(mean, 0.2), *_habits(chance))
        rows.append(run(design, observer, chance).of_threshold)
    return _held(design, rows, mean)


def _held(design: Design, rows: Sequence[Numbers], mean: float) -> bool:
    found = group_threshold(design.grid.log_thresholds, np.array(rows), CREDIBILITY)
    return found is not None and found.low <= mean <= found.high
