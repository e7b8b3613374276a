"""ABX: how often X was told, what that is worth, and that leanings are no ability."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.analysis.simulated import vote
from thinlab.analysis.registry import StudyResults
from thinlab.analysis.study import analyse
from thinlab.analysis.told_apart import d_prime, share_of
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, AnalysisPlan
from thinlab.study.hypothesis import RIGHT, PooledHypothesis, TrialHypothesis

MAIN = AnalysedBlock("main", "abx", trials=("t0", "t1", "t2"))


def told(participant: str, trial: str, *, right: bool, run: int = 0) -> AnalysedVote:
    return replace(vote(participant, trial, "first", run=run), right=right)


def told_by(people: int, right: int) -> list[AnalysedVote]:
    """One trial, of one recording; so many are right."""
    return [told(f"p{n}", "t0", right=n < right) for n in range(people)]


def analysed(votes: list[AnalysedVote], **plan: object) -> StudyResults:
    return analyse(AnalysisPlan(blocks=(MAIN,), **plan), votes)  # type: ignore[arg-type]


def test_one_vote_each_is_an_exact_test_against_chance() -> None:
    found = analysed(told_by(20, 16), primary=frozenset({"t0"}))
    whole, trial = found.discriminations
    assert (whole.trial_id, trial.trial_id) == (None, "t0")
    assert (trial.right, trial.wrong, trial.primary) == (16, 4, True)
    assert trial.share is not None
    exact = stats.binomtest(16, 20)
    ends = exact.proportion_ci(0.95, method="exact")
    assert trial.share.value == pytest.approx(0.8)
    assert (trial.share.low, trial.share.high) == pytest.approx((ends.low, ends.high))
    assert trial.share.p_value == pytest.approx(exact.pvalue)
    assert found.sentences[0].startswith("t0: X was told rightly in 16 of 20 votes")
    assert "exploratory" not in found.sentences[0]


def test_there_is_no_preference_in_it() -> None:
    found = analysed(told_by(20, 16))
    assert (found.trials, found.comparisons, found.order_effects) == ([], [], [])
    assert found.conditions == []


def test_who_always_answers_the_first_is_right_by_chance() -> None:
    # X is the first or the second by chance, whatever is answered.
    chance = np.random.default_rng(4)
    rejected = 0
    for _ in range(200):
        votes = [
            told(f"p{n}", trial, right=bool(chance.random() < 0.5))
            for n in range(24)
            for trial in MAIN.trials
        ]
        share = analysed(votes).discriminations[0].share
        assert share is not None
        assert share.p_value is not None
        rejected += share.p_value < 0.05
    assert rejected / 200 <= 0.1


def test_same_bytes_are_no_answer() -> None:
    alike = [
        replace(told(f"p{n}", "t0", right=True, run=1), kind="control", identical=True)
        for n in range(12)
    ]
    found = analysed([*told_by(20, 10), *alike])
    share = found.discriminations[0].share
    assert share is not None
    assert share.votes == 20
    assert found.identical[0].votes == 12
    assert found.controls == []


def test_d_prime_is_of_an_observer_who_compares_x_with_both() -> None:
    assert d_prime(0.5) == d_prime(0.3) == 0.0
    assert d_prime(1.0) is None
    for apart in (0.5, 1.0, 2.5):
        assert d_prime(share_of(apart)) == pytest.approx(apart)
    # By simulation: two samples and a third of one of them; the likelier hypothesis is said.
    chance = np.random.default_rng(8)
    a, b = chance.normal(size=400_000), 1.5 + chance.normal(size=400_000)
    x = 1.5 + chance.normal(size=400_000)
    # Independent observations: which of the two is higher is judged, then on which side X is.
    b_is_right = (b > a) == (x > 0.75)
    assert float(np.mean(b_is_right)) == pytest.approx(share_of(1.5), abs=0.003)


@pytest.mark.parametrize(
    ("right", "verdict"), [(19, "difference"), (11, "neither"), (2, "neither")]
)
def test_a_hypothesis_on_it_has_one_side(right: int, verdict: str) -> None:
    one = TrialHypothesis(id="it", compares="pair", trial="t0", direction=RIGHT)
    (found,) = analysed(told_by(20, right), hypotheses=(one,)).hypotheses
    assert (found.unit, found.verdict) == ("share_right", verdict)
    assert found.estimate is not None
    assert found.p_value == pytest.approx(stats.binomtest(right, 20, alternative="greater").pvalue)


def test_that_nobody_hears_a_difference_can_be_found() -> None:
    one = PooledHypothesis(
        id="it",
        compares="pooled",
        conditions=("plain", "modified"),
        trials=("t0",),
        smallest_effect=0.15,
    )
    (found,) = analysed(told_by(300, 150), hypotheses=(one,)).hypotheses
    assert found.verdict == "no_difference"
    assert "35.0 % to 65.0 %" in found.sentence


def test_conditions_named_the_other_way_round_are_one_comparison() -> None:
    votes = told_by(20, 16)
    turned = [replace(one, trial="t1", conditions=one.conditions[::-1]) for one in votes]
    found = analysed([*votes, *turned])
    (whole,) = [one for one in found.discriminations if one.trial_id is None]
    assert (whole.trials, whole.right, whole.wrong) == (2, 32, 8)
