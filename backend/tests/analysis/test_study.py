"""A whole study's findings: what is planted is found, under its right name."""

import numpy as np
import pytest

from tests.analysis.simulated import Truth, preference_votes, vote
from thinlab.analysis.correction import holm
from thinlab.analysis.findings import Estimate
from thinlab.analysis.registry import StudyResults
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, AnalysisPlan

PLAN = AnalysisPlan(blocks=(AnalysedBlock("main", "preference"),), primary=frozenset({"t0"}))
FORCED = AnalysisPlan(blocks=(AnalysedBlock("main", "preference", no_difference=False),))
CATEGORIES = AnalysisPlan(blocks=(AnalysedBlock("main", "ccr"),))


def controls(
    chance: np.random.Generator, listeners: int, heard: float, first: float
) -> list[AnalysedVote]:
    """Each listener hears a difference with one chance, and then says `first` with another."""
    votes = []
    for n in range(listeners):
        answer = "no_difference"
        if chance.random() < heard:
            answer = "first" if chance.random() < first else "second"
        votes.append(
            vote(f"p{n}", "control", answer, conditions=("plain",), kind="control")  # type: ignore[arg-type]
        )
    return votes


def test_a_planted_preference_is_found() -> None:
    votes = preference_votes(
        np.random.default_rng(11), Truth(preference=1.2), listeners=60, trials=3
    )
    results = analyse(PLAN, votes)
    (pair,) = results.comparisons
    assert pair.preference is not None
    assert pair.preference.parameter is not None
    low, high = pair.preference.parameter.low, pair.preference.parameter.high
    assert low is not None
    assert high is not None
    assert 0 < low <= 1.2 <= high
    assert pair.majority is not None
    assert pair.majority.value is not None
    assert pair.majority.value > 0.5
    assert [trial.trial_id for trial in results.trials if trial.primary] == ["t0"]
    assert results.sentences[0].startswith("t0: modified was preferred to plain in")


def test_a_side_bias_is_reported_as_bias_and_not_as_preference() -> None:
    chance = np.random.default_rng(2)
    votes = preference_votes(chance, Truth(order=1.5), listeners=60, trials=3)
    results = analyse(PLAN, [*votes, *controls(chance, 60, heard=0.5, first=0.85)])
    (pair,) = results.comparisons
    (order,) = results.order_effects
    (control,) = results.controls
    assert pair.preference is not None
    assert pair.preference.p_value is not None
    assert pair.preference.p_value > 0.05
    assert order.effect.low is not None
    assert order.effect.low > 0.6
    assert control.side is not None
    assert control.side.low is not None
    assert control.side.low > 0.5
    assert control.false_differences is not None
    assert control.false_differences.low is not None
    assert control.false_differences.high is not None
    assert control.false_differences.low < 0.5 < control.false_differences.high


def test_what_everybody_heard_in_one_order_is_told_and_not_tested() -> None:
    # 27 of 30 take the second, which is always b: it may be b that they like, or the second.
    votes = [vote(f"p{n}", "t0", "second" if n < 27 else "first") for n in range(30)]
    (trial,) = analyse(PLAN, votes).trials
    share = trial.share
    assert share is not None
    assert (share.value, share.p_value, share.null_value) == (0.9, None, None)
    assert "plain always came first, which no test can tell from" in share.sentence
    turned = [vote(f"q{n}", "t0", "first", first="b") for n in range(30)]
    (trial,) = analyse(PLAN, votes + turned).trials
    assert trial.share is not None
    assert trial.share.p_value is not None
    assert "always came first" not in trial.share.sentence


def test_training_gold_and_trapping_are_left_out() -> None:
    votes = preference_votes(np.random.default_rng(3), Truth(), listeners=20)
    extra = [
        vote("p0", "practice", "first", training=True),
        vote("p0", "gold", "first", kind="gold"),
        vote("p0", "trap", "first", conditions=("plain",), kind="trapping"),
    ]
    assert analyse(PLAN, votes + extra) == analyse(PLAN, votes)


def test_a_trial_that_turns_the_pair_round_is_turned_back() -> None:
    truth = Truth(preference=2.0, order=0.5)
    votes = preference_votes(np.random.default_rng(4), truth, listeners=40, trials=2)
    turned = [
        vote(
            one.participant,
            one.trial,
            one.answer,
            first="b" if one.first == "a" else "a",
            conditions=one.conditions[::-1],
        )
        if one.trial == "t1"
        else one
        for one in votes
    ]
    assert analyse(PLAN, turned).comparisons == analyse(PLAN, votes).comparisons


def test_a_forced_choice_has_no_false_differences_to_count() -> None:
    votes = controls(np.random.default_rng(5), 30, heard=1.0, first=0.5)
    (control,) = analyse(FORCED, votes).controls
    assert control.false_differences is None
    assert control.side is not None
    assert control.side.votes == 30


def test_controls_on_categories() -> None:
    votes = [
        vote(f"p{n}", "c", score, conditions=("plain",), kind="control")
        for n, score in enumerate([0, 0, 1, 0, -1, 0, 0, 2, 0, 0])
    ]
    (control,) = analyse(CATEGORIES, votes).controls
    assert control.false_differences is not None
    assert control.false_differences.value == pytest.approx(0.3)
    assert control.side is not None
    assert control.side.value == pytest.approx(0.2)


def test_holm_as_in_the_textbook() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_only_primary_trials_are_corrected_and_by_their_number() -> None:
    votes = preference_votes(np.random.default_rng(6), Truth(0.8), listeners=30, trials=4)
    plan = AnalysisPlan(PLAN.blocks, primary=frozenset({"t0", "t1"}), correction="holm")
    plain = {trial.trial_id: trial for trial in analyse(PLAN, votes).trials}
    found = {trial.trial_id: trial for trial in analyse(plan, votes).trials}
    raw = [(plain[name].share, found[name].share) for name in ("t0", "t1", "t2")]
    values = [(a.p_value, b.p_value, b.p_adjusted) for a, b in raw if a and b]
    assert [before for before, _, _ in values] == [after for _, after, _ in values]
    p_values = [after for _, after, _ in values if after is not None]
    assert [adjusted for _, _, adjusted in values] == [*holm(p_values[:2]), None]
    assert found["t0"].share is not None
    assert "after Holm's correction for 2 primary tests" in found["t0"].share.sentence


def test_no_p_value_is_told_as_nought() -> None:
    # Everybody votes for b, whichever comes first.
    votes = [
        vote(f"p{n}", trial, "second") if n % 2 else vote(f"p{n}", trial, "first", first="b")
        for n in range(40)
        for trial in ("t0", "t1")
    ]
    plan = AnalysisPlan(PLAN.blocks, primary=frozenset({"t0", "t1"}), correction="holm")
    results = analyse(plan, votes)
    assert "p = 0.000" not in results.model_dump_json()
    assert "p < 0.001 after Holm's correction" in results.sentences[0]


def test_few_and_equal_votes_make_findings_without_bounds_not_errors() -> None:
    for votes in (
        [],
        [vote("p0", "t0", "first")],
        [vote("p0", "t0", "no_difference"), vote("p1", "t0", "no_difference")],
        [vote(f"p{n}", f"t{t}", "first") for n in range(3) for t in range(3)],
    ):
        results = analyse(PLAN, votes)
        # Every number is finite or null: JSON has neither NaN nor infinity.
        text = results.model_dump_json()
        assert StudyResults.model_validate_json(text) == results
        assert "NaN" not in text
        assert "Infinity" not in text
    for scores in ([], [2], [2, 2, 2]):
        votes = [vote(f"p{n}", "t0", score) for n, score in enumerate(scores)]
        assert "NaN" not in analyse(CATEGORIES, votes).model_dump_json()


def test_too_few_votes_are_told_as_that_and_not_as_a_share() -> None:
    def shares(listeners: int) -> list[Estimate]:
        votes = [
            vote(f"p{n}", "t0", "first" if n % 2 else "second", first="b" if n % 2 else "a")
            for n in range(listeners)
        ]
        votes += [
            vote(f"p{n}", "c0", "first", conditions=("plain",), kind="control")
            for n in range(listeners)
        ]
        results = analyse(PLAN, votes)
        (trial,), (pair,), (control,) = results.trials, results.comparisons, results.controls
        found = [trial.share, pair.preference, pair.majority, control.side]
        return [one for one in found if one is not None]

    few, enough = shares(5), shares(6)
    assert len(few) == len(enough) == 4
    assert all(one.too_few for one in few)
    assert few[0].sentence == (
        "Too few votes (5 of 5 participants) to say how often modified is preferred to plain."
    )
    assert not any("%" in one.sentence for one in few)
    assert not any(one.too_few or "Too few" in one.sentence for one in enough)


def test_findings_follow_the_study_file_and_not_who_voted_first() -> None:
    votes = preference_votes(np.random.default_rng(7), Truth(), listeners=20, trials=3)
    plan = AnalysisPlan((AnalysedBlock("main", "preference", trials=("t2", "t0", "t1")),))
    results = [analyse(plan, some) for some in (votes, votes[::-1])]
    assert [trial.trial_id for trial in results[0].trials] == ["t2", "t0", "t1"]
    assert [trial.trial_id for trial in results[1].trials] == ["t2", "t0", "t1"]
