"""Two metrics against each other: the line of equal preference, and what tells none."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from scipy import stats

from thinlab.analysis.delay.fieller import Ratio
from thinlab.analysis.delay.observed import MeasuredVote
from thinlab.analysis.delay.weighed import findings, line, weigh
from thinlab.analysis.simulated.tastes import DAMAGED, LATE, Taste, recovered, study_votes
from thinlab.contract.columns import MetricColumn

NAMES = (LATE, DAMAGED)


def metric(name: str) -> MetricColumn:
    return MetricColumn(
        name, (name,), float, nullable=True, title=name.title(), meaning="", unit="ms", source=""
    )


def made(seed: int = 1, worth: float = 1.0) -> list[MeasuredVote]:
    return study_votes(Taste(worth), np.random.default_rng(seed))


def told(votes: list[MeasuredVote]) -> Ratio:
    found = line(weigh("preference", votes, NAMES), 0.95)
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


@pytest.mark.parametrize("scale", ["preference", "acr"])
@pytest.mark.parametrize("worth", [0.5, 2.0])
def test_a_planted_taste_lies_in_its_interval_at_the_nominal_rate(
    worth: float, scale: Literal["preference", "acr"]
) -> None:
    found = recovered(Taste(worth, scale), 60, seed=1)
    # Of five words, what is rated over 0.8 points is not always told from nought.
    assert found.told >= (57 if scale == "preference" else 40)
    # At 95 %, each of these lies within this but for one time in five hundred.
    assert stats.binomtest(found.inside, found.told, 0.95).pvalue > 0.002


def test_who_does_not_mind_damage_is_told_so_with_ends_on_either_side_of_nought() -> None:
    found = told(made(worth=0.0))
    assert found.low < 0 < found.high
    assert found.scope == "other_losses"


def test_a_metric_in_another_unit_is_worth_as_much() -> None:
    found, smaller = told(made()), told(with_damage(made(), 1000))
    for one, other in zip(
        (found.value, found.low, found.high),
        (smaller.value, smaller.low, smaller.high),
        strict=True,
    ):
        assert one == pytest.approx(1000 * other, rel=1e-3)


def test_members_exchanged_tell_the_same() -> None:
    votes = made()
    turned = [
        replace(one, vote=replace(one.vote, first="b" if one.vote.first == "a" else "a"))
        for one in votes
    ]
    assert told(turned).value == pytest.approx(told(votes).value, rel=1e-6)
    assert told(turned).low == pytest.approx(told(votes).low, rel=1e-4)


def test_no_line_is_told_where_votes_set_none() -> None:
    votes = made()
    # Both metrics in one ratio; no damage at all; one order; nobody who chooses; nobody who minds.
    assert line(weigh("preference", with_damage(votes, 0, 2.0), NAMES), 0.95) is None
    assert line(weigh("preference", with_damage(votes, 0), NAMES), 0.95) is None
    assert (
        line(weigh("preference", [one for one in votes if one.vote.first == "a"], NAMES), 0.95)
        is None
    )
    neither = [replace(one, vote=replace(one.vote, answer="no_difference")) for one in votes]
    assert line(weigh("preference", neither, NAMES), 0.95) is None
    careless = study_votes(Taste(1.0, slope=0.0), np.random.default_rng(3))
    assert line(weigh("preference", careless, NAMES), 0.95) is None
    assert line(weigh("preference", [], NAMES), 0.95) is None
    said = findings("preference", careless, (metric(LATE), metric(DAMAGED)), 0.95)
    assert said.worth is None
    assert said.sentence.startswith("The votes do not tell what “Damaged” counts beside “Late”")


def test_what_is_told_names_both_metrics_and_every_pair_of_recordings() -> None:
    votes = made()
    said = findings("preference", votes, (metric(LATE), metric(DAMAGED)), 0.95)
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
    assert len(weigh("preference", [unmeasured, *votes[1:]], NAMES).votes) == len(votes) - 1


def rated(seed: int = 1, worth: float = 1.0) -> list[MeasuredVote]:
    return study_votes(Taste(worth, "acr"), np.random.default_rng(seed))


def told_of_ratings(votes: list[MeasuredVote]) -> Ratio | None:
    return line(weigh("acr", votes, NAMES), 0.95)


def test_how_kindly_somebody_rates_and_which_clip_it_is_changes_no_line() -> None:
    votes = rated()
    found = told_of_ratings(votes)
    assert found is not None
    assert found.first.value < 0, "late is rated lower"
    moved = [
        replace(
            one,
            vote=replace(
                one.vote,
                answer=int(one.vote.answer)
                + int(one.vote.participant == "p3")
                - 2 * int(one.vote.clip == "clip 1"),
            ),
        )
        for one in votes
    ]
    again = told_of_ratings(moved)
    assert again is not None
    assert (again.value, again.low, again.high) == pytest.approx(
        (found.value, found.low, found.high), rel=1e-6
    )


def test_a_reference_beside_it_changes_not_what_is_rated() -> None:
    votes = rated()
    with_reference = [
        replace(one, presented=({LATE: 0.0, DAMAGED: 0.0}, *one.presented)) for one in votes
    ]
    one, other = told_of_ratings(votes), line(weigh("dcr", with_reference, NAMES), 0.95)
    assert one is not None
    assert other is not None
    assert (one.value, one.low) == (other.value, other.low)


def test_no_line_is_told_where_ratings_set_none() -> None:
    votes = rated()
    assert told_of_ratings(with_damage(votes, 0, 2.0)) is None
    assert told_of_ratings(with_damage(votes, 0)) is None
    assert told_of_ratings([]) is None
    alike = [replace(one, vote=replace(one.vote, answer=3)) for one in votes]
    assert told_of_ratings(alike) is None
    said = findings("acr", alike, (metric(LATE), metric(DAMAGED)), 0.95)
    assert said.worth is None
    assert said.sentence.endswith("recordings that have more of the one and less of the other.")


def test_every_recording_is_told_with_its_mean_rating() -> None:
    votes = rated()
    # A reference has no metrics: it is rated, and no point of the plot.
    unmeasured = replace(votes[0], presented=({LATE: None, DAMAGED: None},))
    said = findings("acr", [*votes, unmeasured], (metric(LATE), metric(DAMAGED)), 0.95)
    assert said.points == []
    assert len(said.rated) == 36
    assert sum(point.votes for point in said.rated) == len(votes)
    assert sum(point.votes * point.score for point in said.rated) == pytest.approx(
        sum(int(one.vote.answer) for one in votes)
    )
    assert said.worth is not None
    assert said.worth.recordings == 36
    assert said.worth.method.startswith("least squares over two metrics")
