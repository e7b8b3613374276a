"""What is declared to decide is what is tested: directions, what matters, several at once."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from tests.analysis.simulated import vote
from thinlab.analysis.correction import holm, step_down
from thinlab.analysis.crossed import Student
from thinlab.analysis.hypotheses.findings import HypothesisFindings
from thinlab.analysis.proportion import proportion
from thinlab.analysis.registry import StudyResults
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, AnalysisPlan
from thinlab.study.hypothesis import (
    ControlHypothesis,
    Hypothesis,
    OpinionHypothesis,
    PooledHypothesis,
    Rule,
    TrialHypothesis,
)

TRIALS = ("t0", "t1", "same")


def plan(scale: str, *hypotheses: Hypothesis, rule: Rule = "any") -> AnalysisPlan:
    """Of one block."""
    block = AnalysedBlock("main", scale, trials=TRIALS)  # type: ignore[arg-type]
    return AnalysisPlan((block,), hypotheses=hypotheses, rule=rule)


def preferring(for_b: int, of: int, trial: str = "t0", runs: int = 1) -> list[AnalysedVote]:
    """So many votes for b, from one person each, in either order as often."""
    return [
        vote(
            f"p{number}",
            trial,
            "first" if (number // 2 < for_b / 2) == (number % 2 == 1) else "second",
            first="b" if number % 2 else "a",
            run=number // 2 % runs,
        )
        for number in range(of)
    ]


def of_trial(trial: str = "t0", **more: object) -> TrialHypothesis:
    """A hypothesis about one trial, of the same name."""
    return TrialHypothesis.model_validate({"id": trial, "compares": "pair", "trial": trial} | more)


def only(results: StudyResults) -> HypothesisFindings:
    """The one hypothesis."""
    (found,) = results.hypotheses
    return found


def test_a_direction_is_tested_by_one_tail() -> None:
    votes = preferring(40, 60)
    better = only(analyse(plan("preference", of_trial(direction="modified")), votes))
    worse = only(analyse(plan("preference", of_trial(direction="plain")), votes))
    exact = stats.binomtest(40, 60, alternative="greater").pvalue
    assert better.p_value == pytest.approx(exact)
    assert worse.p_value == pytest.approx(stats.binomtest(40, 60, alternative="less").pvalue)
    assert (better.verdict, worse.verdict) == ("difference", "neither")
    assert "That modified is better is shown (one-sided p = 0.007)." in better.sentence
    assert "exploratory" not in better.sentence


def test_no_difference_that_matters_is_a_finding() -> None:
    results = analyse(plan("preference", of_trial(smallest_effect=0.1)), preferring(150, 300))
    found = only(results)
    assert found.verdict == "no_difference"
    exact = stats.binomtest(150, 300, 0.6, alternative="less").pvalue
    assert found.equivalence_p == pytest.approx(exact)
    assert found.equivalence_low is not None
    assert found.equivalence_high is not None
    assert 0.4 < found.equivalence_low < 0.5 < found.equivalence_high < 0.6
    assert "There is no difference that matters: the 90 % CI, 45.1 % to 54.9 %, lies within " in (
        found.sentence
    )
    assert results.sentences[0] == found.sentence


@pytest.mark.parametrize(
    ("for_b", "of", "verdict"),
    [
        (15, 30, "neither"),
        (25, 30, "difference"),
        (540, 1000, "small_difference"),
        (2, 2, "too_few"),
    ],
)
def test_a_verdict_for_every_case(for_b: int, of: int, verdict: str) -> None:
    declared = plan("preference", of_trial(smallest_effect=0.1))
    found = only(analyse(declared, preferring(for_b, of)))
    assert found.verdict == verdict, found.sentence


@pytest.mark.parametrize("runs", [1, 4])
def test_the_interval_lies_within_exactly_where_the_test_says_so(runs: int) -> None:
    for for_b in range(100, 201, 2):
        votes = preferring(for_b, 300, runs=runs)
        found = only(analyse(plan("preference", of_trial(smallest_effect=0.1)), votes))
        if found.equivalence_low is None or found.equivalence_high is None:
            continue
        assert found.equivalence_p is not None
        within = found.equivalence_low > 0.4 and found.equivalence_high < 0.6
        assert within == (found.equivalence_p < 0.05), for_b


def test_tails_agree_with_the_interval() -> None:
    student = Student(0.3, 0.2, 7)
    low, high = student.ends(0.9)
    assert student.p_above(low) == pytest.approx(0.05)
    assert student.p_below(high) == pytest.approx(0.05)
    chance = np.random.default_rng(5)
    people = [f"p{n}" for n in range(40) for _ in range(3)]
    hits = [bool(hit) for hit in chance.random(120) < 0.6]
    for recordings in (None, [f"r{n % 5}" for n in range(120)]):
        found = proportion(hits, people, 0.9, recordings=recordings)
        assert found is not None
        assert found.p_above(found.low) == pytest.approx(0.05)
        assert found.p_below(found.high) == pytest.approx(0.05)


def scored(chance: np.random.Generator, effect: float, people: int) -> list[AnalysedVote]:
    """On CCR, six recordings of two trials."""
    return [
        vote(
            f"p{n}",
            f"t{t}",
            int(np.clip(round((1 if (n + t) % 2 else -1) * effect + chance.normal(0, 0.8)), -3, 3)),
            first="a" if (n + t) % 2 else "b",
            run=n // 2 % 3,
        )
        for n in range(people)
        for t in range(2)
    ]


def test_trials_are_pooled_and_turned_as_declared() -> None:
    votes = scored(np.random.default_rng(3), 0.8, 60)
    pooled = PooledHypothesis(
        id="all",
        compares="pooled",
        conditions=("plain", "modified"),
        trials=("t0", "t1"),
        direction="modified",
        smallest_effect=0.25,
    )
    turned = pooled.model_copy(update={"conditions": ("modified", "plain")})
    there, back = (only(analyse(plan("ccr", one), votes)) for one in (pooled, turned))
    assert there.estimate is not None
    assert back.estimate is not None
    assert (there.unit, there.estimate.scope, there.estimate.recordings) == (
        "cmos",
        "other_losses",
        6,
    )
    assert back.estimate.value == pytest.approx(-there.estimate.value)
    assert back.p_value == pytest.approx(there.p_value)
    assert (there.verdict, back.verdict) == ("difference", "difference")


def test_opinions_and_controls_are_compared() -> None:
    chance = np.random.default_rng(9)
    opinions = [
        vote(
            f"p{n}",
            f"t{t}",
            int(np.clip(round(chance.normal(3 + t, 0.7)), 1, 5)),
            conditions=(name,),
            kind="single",
            run=n % 3,
        )
        for n in range(45)
        for t, name in enumerate(("plain", "modified"))
    ]
    one = OpinionHypothesis(
        id="mos", compares="opinion", conditions=("plain", "modified"), trials=("t0", "t1")
    )
    found = only(analyse(plan("acr", one), opinions))
    assert (found.unit, found.verdict) == ("mos", "difference")
    assert found.estimate is not None
    assert found.estimate.value == pytest.approx(1.0, abs=0.4)
    heard = preferring(40, 60)
    alike = [
        vote(f"p{n}", "same", "first" if n < 12 else "no_difference", kind="control")
        for n in range(60)
    ]
    versus = ControlHypothesis(
        id="heard", compares="control", trials=("t0",), controls=("same",), direction="trials"
    )
    found = only(analyse(plan("preference", versus), [*heard, *alike]))
    assert found.estimate is not None
    assert found.estimate.value == pytest.approx(0.8)
    assert (found.unit, found.condition_a, found.verdict) == (
        "difference_of_shares",
        None,
        "difference",
    )


def test_any_is_corrected_over_all_that_is_declared() -> None:
    votes = [*preferring(40, 60), *preferring(33, 60, "t1")]
    results = analyse(plan("preference", of_trial(), of_trial("t1")), votes)
    raw = [one.p_value or 1.0 for one in results.hypotheses]
    assert [one.p_adjusted for one in results.hypotheses] == pytest.approx(holm(raw))
    assert all(
        "after Holm's correction for 2 hypotheses" in one.sentence for one in results.hypotheses
    )
    # A hypothesis without votes counts as well.
    lone = analyse(plan("preference", of_trial(), of_trial("t1")), preferring(40, 60))
    assert lone.hypotheses[0].p_adjusted == pytest.approx(2 * raw[0])
    assert lone.hypotheses[1].verdict == "too_few"


def test_all_needs_each_at_the_full_level() -> None:
    both = [of_trial(smallest_effect=0.2), of_trial("t1", smallest_effect=0.2)]

    def together(second: int) -> StudyResults:
        votes = [*preferring(40, 60), *preferring(second, 60, "t1")]
        return analyse(plan("preference", *both, rule="all"), votes)

    shown, missed = together(40), together(33)
    assert shown.together is not None
    assert missed.together is not None
    assert (shown.together.differences_shown, missed.together.differences_shown) == (True, False)
    assert shown.together.differences_p == shown.hypotheses[0].p_value
    assert all(one.p_adjusted is None for one in shown.hypotheses)
    assert "That all 2 hypotheses hold is shown (largest p = 0.0" in shown.sentences[2]
    assert missed.together.equivalences_shown is False


def test_what_excludes_each_other_counts_once() -> None:
    # Two hypotheses with a test of a difference and of none that matters each.
    assert step_down([0.01, 0.9, 0.9, 0.02], [0, 0, 1, 1]) == pytest.approx([0.02, 1.0, 1.0, 0.04])
    # With both of one rejected, one is left.
    assert step_down([0.01, 0.02, 0.03, 0.9], [0, 0, 1, 1]) == pytest.approx(
        [0.02, 0.04, 0.04, 0.9]
    )


@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("truth", [(0, 0, 0), (1, 1, 1), (0, 1, -1), (-1, -1, 0)])
def test_any_false_finding_is_as_seldom_as_is_stated(
    truth: tuple[int, ...], *, one_sided: bool
) -> None:
    matters = 3.5
    effects = matters * np.array(truth)
    z = effects + np.random.default_rng(1).normal(size=(3000, 3))
    difference = stats.norm.sf(z) if one_sided else 2 * stats.norm.sf(abs(z))
    none = np.maximum(stats.norm.sf(z + matters), stats.norm.cdf(z - matters))
    false = np.array(
        [*((effects <= 0) if one_sided else (effects == 0)), *(abs(effects) >= matters)]
    )
    wrong = sum(
        any(np.array(step_down([*of, *of_none], [0, 1, 2, 0, 1, 2]))[false] < 0.05)
        for of, of_none in zip(difference, none, strict=True)
    )
    # 3000 at 5 % lie below 6 % but for one time in a hundred.
    assert wrong / 3000 < 0.06


def p_values_in(sentences: Sequence[str]) -> list[str]:
    """Those that tell a p-value."""
    return [sentence for sentence in sentences if "p = " in sentence or "p < " in sentence]


def test_every_p_value_is_corrected_or_exploratory() -> None:
    votes = [*preferring(40, 60), *preferring(33, 60, "t1")]
    declared = analyse(plan("preference", of_trial()), votes)
    assert declared.sentences[0] == only(declared).sentence
    others = p_values_in(declared.sentences[1:])
    assert others
    assert all("exploratory p" in sentence for sentence in others)
    assert all(trial.share and trial.share.exploratory for trial in declared.trials)
    uncorrected = AnalysisPlan(
        (AnalysedBlock("main", "preference", trials=TRIALS),), primary=frozenset({"t0", "t1"})
    )
    first, *_ = analyse(uncorrected, votes).sentences
    assert "exploratory p = 0.013, one of 2 primary tests without correction" in first
    alone, *_ = analyse(
        AnalysisPlan(uncorrected.blocks, primary=frozenset({"t0"})), votes
    ).sentences
    assert ", p = 0.013;" in alone
