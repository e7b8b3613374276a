"""QUEST+ against the same sums written out, and against planted thresholds."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from thinlab.questplus.function import Grid, right_share
from thinlab.questplus.group import group_threshold
from thinlab.questplus.posterior import Answer, Posterior, interval_of
from thinlab.questplus.simulated import DESIGNS, Design, Observer, coverage, run

GRID = Grid.between(0.01, 0.1, (1.0, 3.0), (0.0, 0.04), 5)
LEVELS = tuple(math.log10(level) for level in (0.01, 0.03, 0.1))
ANSWERS = (Answer(LEVELS[1], right=True), Answer(LEVELS[0], right=False))


def combinations() -> list[tuple[float, float, float]]:
    return [
        (threshold, slope, lapse)
        for threshold in GRID.log_thresholds
        for slope in GRID.slopes
        for lapse in GRID.lapse_shares
    ]


def share(level: float, threshold: float, slope: float, lapse: float) -> float:
    heard = 1 - math.exp(-(10 ** (slope * (level - threshold))))
    return min(0.5 + (0.5 - lapse) * heard, 1 - 1e-9)


def entropy(weights: Sequence[float]) -> float:
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0)


def test_the_function_guesses_below_and_lapses_above() -> None:
    assert right_share(-9.0, -1.0, 3.0, 0.04) == pytest.approx(0.5)
    assert right_share(9.0, -1.0, 3.0, 0.04) == pytest.approx(0.96)
    assert right_share(-1.0, -1.0, 3.0, 0.0) == pytest.approx(1 - 0.5 / math.e)


def test_the_posterior_is_bayes_rule() -> None:
    written_out = [share(LEVELS[1], *one) * (1 - share(LEVELS[0], *one)) for one in combinations()]
    found = Posterior.of(GRID, ANSWERS)
    assert found.weights.ravel() == pytest.approx(np.array(written_out) / sum(written_out))
    assert found.entropy == pytest.approx(entropy(written_out))


def test_the_next_level_is_the_one_with_the_least_expected_entropy() -> None:
    found = Posterior.of(GRID, ANSWERS)
    weights = found.weights.ravel()
    expected = []
    for level in LEVELS:
        right = [w * share(level, *one) for w, one in zip(weights, combinations(), strict=True)]
        wrong = [w - r for w, r in zip(weights, right, strict=True)]
        expected.append(sum(right) * entropy(right) + sum(wrong) * entropy(wrong))
    assert found.expected_entropies(LEVELS) == pytest.approx(expected)
    assert found.next_level(LEVELS) == expected.index(min(expected))


def test_the_order_of_answers_is_of_no_account() -> None:
    assert (
        Posterior.of(GRID, ANSWERS).weights.tolist()
        == Posterior.of(GRID, reversed(ANSWERS)).weights.tolist()
    )


def test_nothing_asked_is_the_flat_prior() -> None:
    found = Posterior.of(GRID, [])
    assert found.entropy == pytest.approx(math.log2(5 * 2 * 2))
    assert found.log_threshold == pytest.approx(-1.5)
    assert found.interval(0.95)[0] < -1.9
    assert found.slope == pytest.approx(2.0)
    assert found.lapse_share == pytest.approx(0.02)


def test_an_interval_leaves_as_much_on_either_side() -> None:
    values = np.linspace(-4, 4, 801)
    low, high = interval_of(values, stats.norm.pdf(values), 0.95)
    assert (low, high) == pytest.approx((-1.96, 1.96), abs=0.01)


def test_who_never_errs_and_who_always_guesses_bound_the_threshold() -> None:
    grid = DESIGNS[0].grid
    levels = DESIGNS[0].log_levels
    sure = Posterior.of(grid, [Answer(level, right=True) for level in levels * 4])
    lost = Posterior.of(
        grid, [Answer(level, right=n % 2 == 0) for n, level in enumerate(levels * 4)]
    )
    assert sure.log_threshold < levels[1]
    assert lost.log_threshold > levels[-2]


def test_a_group_is_about_the_mean_and_tells_how_people_differ() -> None:
    values = np.linspace(-3, 0, 61)
    chance = np.random.default_rng(3)
    means = chance.normal(-1.5, 0.3, 200)
    likelihoods = np.array([stats.norm.pdf(values, mean, 0.1) for mean in means])
    found = group_threshold(values.tolist(), likelihoods, 0.95)
    assert found is not None
    assert found.low < -1.5 < found.high
    assert found.log_threshold == pytest.approx(means.mean(), abs=0.01)
    assert found.between == pytest.approx(0.3, abs=0.06)
    assert group_threshold(values.tolist(), likelihoods[:2], 0.95) is None


def test_choosing_levels_tells_more_than_presenting_them_in_turn() -> None:
    chance = np.random.default_rng(5)
    adaptive, in_turn = DESIGNS[0], Design("in turn", DESIGNS[0].levels, 24, adaptive=False)
    observer = Observer(math.log10(0.03), 2.0, 0.02)
    sds = [
        float(np.mean([run(design, observer, chance).sd for _ in range(20)]))
        for design in (adaptive, in_turn)
    ]
    assert sds[0] < 0.9 * sds[1]


@pytest.mark.long
@pytest.mark.parametrize("design", DESIGNS[:1])
def test_planted_thresholds_lie_in_their_intervals(design: Design) -> None:
    """A short form of `backend/adaptive-thresholds`."""
    found = coverage(design, observers=200, groups=15, people=8, seed=11)
    low, high = stats.binomtest(found.inside, found.observers).proportion_ci(0.999)
    assert low <= 0.95 <= high
    assert stats.binomtest(found.group_inside, found.groups).proportion_ci(0.999)[1] >= 0.95
