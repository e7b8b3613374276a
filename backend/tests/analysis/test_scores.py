"""CCR and ACR: means, differences and their clustered intervals."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import stats

from tests.analysis.simulated import vote
from thinlab.analysis import absolute, category
from thinlab.analysis.crossed import Coefficient
from thinlab.analysis.linear import least_squares
from thinlab.analysis.scores import found as opinions
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, AnalysisPlan

if TYPE_CHECKING:
    from thinlab.study.schedule import MemberName

ON_ACR = AnalysedBlock("main", "acr")
ON_DCR = AnalysedBlock("main", "dcr")


def test_the_one_step_is_what_leaving_each_participant_out_gives() -> None:
    chance = np.random.default_rng(3)
    people = np.repeat(np.arange(9), 5)
    x = np.column_stack([np.ones(45), chance.normal(size=45)])
    y = x @ [1.0, 0.5] + chance.normal(size=9)[people] + chance.normal(size=45)
    found = least_squares(x, y, [str(name) for name in people], ["r"] * 45, 0.9)
    assert found is not None
    everybody = np.linalg.lstsq(x, y, rcond=None)[0]
    without = np.array(
        [np.linalg.lstsq(x[people != one], y[people != one], rcond=None)[0] for one in range(9)]
    )
    error = np.sqrt(8 / 9 * ((without - everybody) ** 2).sum(axis=0))
    reach = stats.t.ppf(0.95, 8) * error
    for coefficient, value, half in zip(found, everybody, reach, strict=True):
        assert coefficient.low == pytest.approx(value - half)
        assert coefficient.high == pytest.approx(value + half)


def ccr_votes(chance: np.random.Generator, cmos: float, order: float) -> list[AnalysedVote]:
    """40 listeners, each with a level of their own; b came second in two thirds of the votes."""
    votes = []
    for listener in range(40):
        own = 0.8 * chance.normal()
        for trial in range(6):
            first: MemberName = "b" if (trial + listener) % 3 == 0 else "a"
            sign = 1 if first == "a" else -1
            score = sign * (cmos + own) + order + 0.7 * chance.normal()
            votes.append(
                vote(f"p{listener}", f"t{trial}", int(np.clip(round(score), -3, 3)), first=first)
            )
    return votes


def test_an_order_effect_is_not_taken_for_a_better_condition() -> None:
    chance = np.random.default_rng(5)
    covered = 0
    rounds = 100
    for _ in range(rounds):
        votes = ccr_votes(chance, 0.0, 0.6)
        found = category.cmos(votes, 0.95)
        assert found is not None
        mean, order = found
        assert mean.low is not None
        assert mean.high is not None
        assert order.low is not None
        assert order.low > 0.0
        covered += mean.low <= 0 <= mean.high
        # The mean of scores turned to b against a would find b better.
        assert np.mean([category.oriented(vote) for vote in votes]) > mean.low
    assert covered / rounds >= 0.9


def test_cmos_is_recovered_with_its_sign() -> None:
    found = category.cmos(ccr_votes(np.random.default_rng(6), 1.0, -0.4), 0.95)
    assert found is not None
    mean, order = found
    assert mean.value == pytest.approx(1.0, abs=0.35)
    assert mean.low is not None
    assert mean.low > 0
    assert order.value == pytest.approx(-0.4, abs=0.15)
    assert "modified scored +" in mean.sentence
    assert "−" in order.sentence


def test_one_order_alone_cannot_tell_preference_from_place() -> None:
    votes = [vote(f"p{n}", "t", 1 + n % 2) for n in range(10)]
    assert category.cmos(votes, 0.95) is None


def single(participant: str, condition: str, score: int, clip: str = "speech") -> AnalysedVote:
    trial = f"{condition}-{clip}"
    return vote(participant, trial, score, conditions=(condition,), kind="single", clip=clip)


def test_mos_of_one_vote_each_is_about_students_interval() -> None:
    scores = [4, 5, 3, 4, 4, 2, 5, 4, 3, 4, 4, 5]
    votes = [single(f"p{n}", "plain", score) for n, score in enumerate(scores)]
    (found,) = opinions.conditions(ON_ACR, votes, 0.95)
    ends = stats.t.interval(0.95, 11, np.mean(scores), stats.sem(scores))
    assert found.mos.value == pytest.approx(np.mean(scores))
    # Leaving one out of a mean is its standard error exactly.
    assert (found.mos.low, found.mos.high) == pytest.approx(ends)
    assert found.histogram == {1: 0, 2: 1, 3: 2, 4: 6, 5: 3}
    assert found.mos.p_value is None


def test_a_difference_is_paired_within_listeners_and_clips() -> None:
    # Everybody hears b half a point better; listeners' and clips' levels differ by far more.
    votes = []
    for n in range(12):
        level = 2 + n % 2
        for clip, up in (("speech", 0), ("song", 1)):
            better = (n + up) % 2
            votes.append(single(f"p{n}", "plain", level + up, clip))
            votes.append(single(f"p{n}", "modified", level + up + better, clip))
    (found,) = opinions.differences(ON_ACR, votes, frozenset(), 0.95)
    assert (found.condition_a, found.condition_b) == ("plain", "modified")
    assert found.difference.value == pytest.approx(0.5)
    # Every listener has the same mean difference: no spread, and no interval is claimed.
    assert found.difference.low is None
    votes += [single("q", "plain", 3), single("q", "modified", 3)]
    (found,) = opinions.differences(ON_ACR, votes, frozenset(), 0.95)
    assert found.difference.low is not None
    assert found.difference.low > 0.2


def test_how_kindly_somebody_rates_is_no_part_of_a_difference() -> None:
    chance = np.random.default_rng(8)
    clips = ("a", "b", "c", "d")

    def rated(kindness: int) -> Coefficient:
        score = {"plain": 40, "modified": 50}
        given = np.random.default_rng(9)
        votes = [
            replace(
                single(f"p{one}", condition, 0, clip),
                answer=int(score[condition] + given.integers(0, 9) + kindness * (one % 5)),
                recording=f"{condition} {clip} {(one + number) % 2}",
            )
            for one in range(12)
            for number, clip in enumerate(clips)
            for condition in score
        ]
        found = absolute.fit(
            "plain", "modified", chance.permutation(np.array(votes)).tolist(), 0.95
        )
        assert found is not None
        return found[1]

    alike, unlike = rated(0), rated(20)
    assert unlike.told.scope == "other_losses"
    assert unlike.value == pytest.approx(alike.value)
    assert (unlike.low, unlike.high) == pytest.approx((alike.low, alike.high))


def test_clips_heard_with_one_condition_alone_do_not_count() -> None:
    votes = [single(f"p{n}", "plain", 1 + n % 2, "song") for n in range(8)]
    votes += [single(f"p{n}", "plain", 3 + n % 2) for n in range(8)]
    votes += [single(f"p{n}", "modified", 3 + (n // 2) % 2) for n in range(8)]
    (found,) = opinions.differences(ON_ACR, votes, frozenset(), 0.95)
    assert found.difference.value == pytest.approx(0.0)
    assert found.difference.votes == 16


def degraded(participant: str, condition: str, score: int) -> AnalysedVote:
    trial = f"{condition}-speech"
    return vote(participant, trial, score, conditions=("clean", condition), clip="speech")


def test_dmos_is_that_of_what_was_compared_with_the_reference() -> None:
    scores = {"plain": [2, 3, 2, 4, 3, 1], "modified": [4, 5, 4, 5, 4, 3]}
    votes = [
        degraded(f"p{n}", condition, score)
        for condition, given in scores.items()
        for n, score in enumerate(given)
    ]
    plain, modified = opinions.conditions(ON_DCR, votes, 0.95)
    assert (plain.condition, modified.condition) == ("plain", "modified")
    assert plain.mos.value == pytest.approx(15 / 6)
    assert modified.mos.value == pytest.approx(25 / 6)
    assert "degradation mean opinion score" in plain.mos.sentence
    (found,) = opinions.differences(ON_DCR, votes, frozenset(), 0.95)
    assert (found.condition_a, found.condition_b) == ("plain", "modified")
    assert found.difference.value == pytest.approx(10 / 6)


def test_a_study_of_degradations_has_no_preferences() -> None:
    votes = [degraded(f"p{n}", "plain", 1 + n % 5) for n in range(10)]
    votes += [replace(degraded(f"p{n}", "clean", 5), kind="control") for n in range(9)]
    votes += [replace(degraded("p9", "clean", 4), kind="control")]
    found = analyse(AnalysisPlan(blocks=(ON_DCR,)), votes)
    assert (found.trials, found.comparisons, found.order_effects) == ([], [], [])
    assert [one.condition for one in found.conditions] == ["plain"]
    (control,) = found.controls
    assert control.false_differences is not None
    assert control.false_differences.value == pytest.approx(0.1)
    assert control.side is None
