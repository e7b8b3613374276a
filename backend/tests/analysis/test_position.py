"""Answers that change in the course of a session, and those that only trials make differ."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.analysis.simulated import vote
from thinlab.analysis.findings import Estimate
from thinlab.analysis.position.findings import PositionFindings
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, AnalysisPlan
from thinlab.study.scale import ScaleKind

if TYPE_CHECKING:
    from thinlab.study.schedule import MemberName
    from thinlab.study.trial import ChoiceName

TRIALS = tuple(f"t{number}" for number in range(12))


def opinions(per_ten: float, *, mixed: bool = True, seed: int = 1) -> list[AnalysedVote]:
    """Scores that rise by so much in ten trials, and by far more from trial to trial."""
    chance = np.random.default_rng(seed)
    votes = []
    for person in range(40):
        order = chance.permutation(len(TRIALS)) if mixed else np.arange(len(TRIALS))
        for place, number in enumerate(order, 1):
            score = 2 + number / 6 + per_ten * place / 10 + chance.normal(0, 0.6)
            one = vote(
                f"p{person}",
                TRIALS[number],
                int(np.clip(round(score), 1, 5)),
                conditions=("plain",),
                kind="single",
                run=person % 4,
            )
            votes.append(replace(one, position=place))
    return votes


def found(
    scale: ScaleKind, votes: list[AnalysedVote], *, no_difference: bool = True
) -> list[PositionFindings]:
    block = AnalysedBlock("main", scale, no_difference=no_difference, trials=TRIALS)
    return analyse(AnalysisPlan((block,)), votes).positions


def answer(votes: list[AnalysedVote]) -> Estimate:
    (one,) = found("acr", votes)
    assert one.told is None
    assert one.answer is not None
    return one.answer


def test_a_planted_change_lies_in_its_interval_and_none_is_made_of_trials() -> None:
    tired = answer(opinions(-0.8))
    assert tired.low is not None
    assert tired.high is not None
    assert tired.low < -0.8 < tired.high < 0
    assert tired.p_value is not None
    assert tired.p_value < 0.001
    assert tired.exploratory
    assert "per 10 trials later in the session, the score changed by −0." in tired.sentence
    fresh = answer(opinions(0.0, seed=2))
    assert fresh.low is not None
    assert fresh.high is not None
    assert fresh.low < 0 < fresh.high


def test_it_is_least_squares_with_a_level_for_each_trial() -> None:
    votes = opinions(-0.5, seed=3)
    x = np.zeros((len(votes), len(TRIALS) + 1))
    for row, one in enumerate(votes):
        x[row, 0] = one.position / 10
        x[row, 1 + TRIALS.index(one.trial)] = 1
    values = np.linalg.lstsq(x, [float(one.answer) for one in votes], rcond=None)[0]
    assert answer(votes).value == pytest.approx(values[0])


def test_where_each_trial_has_one_position_nothing_is_told() -> None:
    assert found("acr", opinions(-0.8, mixed=False)) == []


def test_of_pairs_both_the_answer_and_whether_there_was_a_difference_are_told() -> None:
    chance = np.random.default_rng(4)
    votes = []
    for person in range(40):
        for place, number in enumerate(chance.permutation(len(TRIALS)), 1):
            first: MemberName = "a" if (person + number) % 2 else "b"
            # Whoever tires hears nothing any more; what they prefer stays.
            heard = chance.random() < 1.1 - 0.08 * place
            better: ChoiceName = "second" if first == "a" else "first"
            answered = vote(
                f"p{person}",
                TRIALS[number],
                better if heard else "no_difference",
                first=first,
                run=person % 4,
            )
            votes.append(replace(answered, position=place))
    (one,) = found("preference", votes)
    assert one.told is not None
    assert one.told.high is not None
    assert one.told.high < -0.5
    # All who tell of one prefer b: that does not vary.
    assert one.answer is not None
    assert one.answer.value == pytest.approx(0)
    (forced,) = found("preference", votes, no_difference=False)
    assert forced.told is None
