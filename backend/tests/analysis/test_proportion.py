"""Shares of votes: exact where votes are independent, honest where they are not."""

import numpy as np
import pytest
from scipy import stats

from tests.analysis.simulated import Truth, preference_votes
from thinlab.analysis.davidson import Comparison, fit
from thinlab.analysis.preference import ANSWERS, chosen
from thinlab.analysis.proportion import CLUSTERED, EXACT, proportion


def people(number: int) -> list[str]:
    return [f"p{n}" for n in range(number)]


def test_one_vote_each_is_clopper_and_pearson() -> None:
    # The textbook case: 7 of 24; ends from the beta distribution, p from the binomial's tails.
    found = proportion([True] * 7 + [False] * 17, people(24), 0.95)
    assert found is not None
    assert found.method == EXACT
    assert found.low == pytest.approx(stats.beta.ppf(0.025, 7, 18))
    assert found.high == pytest.approx(stats.beta.ppf(0.975, 8, 17))
    assert found.p_half == pytest.approx(2 * stats.binom.cdf(7, 24, 0.5))


def test_nobody_of_ten_is_not_proof_of_nobody() -> None:
    found = proportion([False] * 10, people(10), 0.95)
    assert found is not None
    assert (found.share, found.low) == (0, 0)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 10))
    again = proportion([False] * 40, people(10) * 4, 0.95)
    assert again is not None
    # Forty votes of ten people: no surer than ten votes.
    assert again.high == pytest.approx(found.high)


def test_people_who_always_vote_the_same_count_once() -> None:
    hits = [n % 12 < 7 for n in range(12)]
    once = proportion(hits, people(12), 0.95)
    often = proportion(hits * 20, people(12) * 20, 0.95)
    assert once is not None
    assert often is not None
    assert often.method == CLUSTERED
    assert often.low <= once.low
    assert often.high >= once.high


def test_no_votes_no_share() -> None:
    assert proportion([], [], 0.95) is None


def test_repeated_votes_are_never_pooled() -> None:
    """24 listeners × 12 trials, tastes that differ, no preference on the whole: who cries wolf."""
    chance = np.random.default_rng(24)
    truth = Truth(tie=None, spread=1.5)
    rounds = 300
    pooled = clustered = modelled = 0
    for _ in range(rounds):
        votes = preference_votes(chance, truth, listeners=24, trials=12)
        hits = [chosen(vote) == "b" for vote in votes]
        pooled += stats.binomtest(sum(hits), len(hits)).pvalue < 0.05
        share = proportion(hits, [vote.participant for vote in votes], 0.95)
        assert share is not None
        clustered += share.p_half < 0.05
        comparisons = [
            Comparison(v.participant, 0, v.first == "b", ANSWERS.index(str(v.answer)))
            for v in votes
        ]
        found = fit(comparisons, 1, 0.95)
        assert found is not None
        assert found.preferences[0].p_value is not None
        modelled += found.preferences[0].p_value < 0.05
    assert pooled / rounds > 0.25
    assert 0.02 <= clustered / rounds <= 0.085
    assert 0.02 <= modelled / rounds <= 0.085
