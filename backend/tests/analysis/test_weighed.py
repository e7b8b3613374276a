"""Two metrics against each other: the line of equal preference, and what tells none."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from thinlab.analysis.delay.observed import MeasuredVote
from thinlab.analysis.delay.weighed import Line, findings, line, weigh
from thinlab.analysis.simulated.tastes import DAMAGED, LATE, Taste, recovered, study_votes
from thinlab.contract.columns import MetricColumn

NAMES = (LATE, DAMAGED)


def metric(name: str) -> MetricColumn:
    return MetricColumn(
        name, (name,), float, nullable=True, title=name.title(), meaning="", unit="ms", source=""
    )


def made(seed: int = 1, worth: float = 1.0) -> list[MeasuredVote]:
    return study_votes(Taste(worth), np.random.default_rng(seed))


def told(votes: list[MeasuredVote]) -> Line:
    found = line(weigh(votes, NAMES), 0.95)
    assert found is not None
    return found


def with_damage(
    votes: list[MeasuredVote], change: float, plus_late: float = 0.0
) -> list[MeasuredVote]:
    return [
        replace(
            one,
            presented=tuple(
                {
                    LATE: part[LATE],
                    DAMAGED: change * (part[DAMAGED] or 0.0) + plus_late * (part[LATE] or 0.0),
                }
                for part in one.presented
            ),
        )
        for one in votes
    ]


@pytest.mark.parametrize("worth", [0.5, 2.0])
def test_a_planted_taste_lies_in_its_interval_at_the_nominal_rate(worth: float) -> None:
    found = recovered(Taste(worth), 60, seed=1)
    assert found.told >= 57
    # 60 studies at 95 % lie within this but for one time in a hundred.
    assert stats.binomtest(found.inside, found.told, 0.95).pvalue > 0.01


def test_who_does_not_mind_damage_is_told_so_with_ends_on_either_side_of_nought() -> None:
    found = told(made(worth=0.0))
    assert found.low < 0 < found.high
    assert found.scope == "other_losses"


def test_a_metric_in_another_unit_is_worth_as_much() -> None:
    found, smaller = told(made()), told(with_damage(made(), 1000))
    for one, other in zip(
        (found.worth, found.low, found.high),
        (smaller.worth, smaller.low, smaller.high),
        strict=True,
    ):
        assert one == pytest.approx(1000 * other, rel=1e-3)


def test_members_exchanged_tell_the_same() -> None:
    votes = made()
    turned = [
        replace(one, vote=replace(one.vote, first="b" if one.vote.first == "a" else "a"))
        for one in votes
    ]
    assert told(turned).worth == pytest.approx(told(votes).worth, rel=1e-6)
    assert told(turned).low == pytest.approx(told(votes).low, rel=1e-4)


def test_no_line_is_told_where_votes_set_none() -> None:
    votes = made()
    # Both metrics in one ratio; no damage at all; one order; nobody who chooses; nobody who minds.
    assert line(weigh(with_damage(votes, 0, 2.0), NAMES), 0.95) is None
    assert line(weigh(with_damage(votes, 0), NAMES), 0.95) is None
    assert line(weigh([one for one in votes if one.vote.first == "a"], NAMES), 0.95) is None
    neither = [replace(one, vote=replace(one.vote, answer="no_difference")) for one in votes]
    assert line(weigh(neither, NAMES), 0.95) is None
    careless = study_votes(Taste(1.0, slope=0.0), np.random.default_rng(3))
    assert line(weigh(careless, NAMES), 0.95) is None
    assert line(weigh([], NAMES), 0.95) is None
    said = findings(careless, (metric(LATE), metric(DAMAGED)), 0.95)
    assert said.worth is None
    assert said.sentence.startswith("The votes do not tell what “Damaged” counts beside “Late”")


def test_what_is_told_names_both_metrics_and_every_pair_of_recordings() -> None:
    votes = made()
    said = findings(votes, (metric(LATE), metric(DAMAGED)), 0.95)
    assert said.worth is not None
    assert said.sentence.startswith("1 ms of “Damaged” counts as much as ")
    assert "of “Late” (95 % CI" in said.sentence
    assert len(said.points) == 36
    assert sum(point.votes_a + point.votes_b + point.votes_none for point in said.points) == len(
        votes
    )
    assert all(point.apart < 0 for point in said.points), "what came late is a"


def test_votes_of_which_something_was_not_measured_are_left_out() -> None:
    votes = made()
    one = votes[0]
    unmeasured = replace(one, presented=({LATE: 1.0, DAMAGED: None}, one.presented[1]))
    assert len(weigh([unmeasured, *votes[1:]], NAMES).votes) == len(votes) - 1
