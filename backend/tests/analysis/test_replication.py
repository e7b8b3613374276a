"""Published counts beside ours: exact intervals, and what a replication may differ by chance.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from scipy import stats

from tests.analysis.simulated import vote
from thinlab.analysis.replication.findings import ReplicationFindings
from thinlab.analysis.replication.found import Span, predicted, replications
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, AnalysisPlan
from thinlab.study.published import PublishedCount

if TYPE_CHECKING:
    from thinlab.study.trial import ChoiceName

SONG = PublishedCount(trial="song", preferred="modified", count=84, of=88, source="LCN 2008, V-B")
TYPING = PublishedCount(
    trial="session", preferred="modified", count=21, of=26, among="decided", source="LCN 2008, V-D"
)


def votes_on(trial: str, modified: int, plain: int, none: int = 0) -> list[AnalysedVote]:
    """So many for each, half of either with the modified one first."""
    wanted = ["b"] * modified + ["a"] * plain + [None] * none
    cast: list[AnalysedVote] = []
    for number, member in enumerate(wanted):
        other_first = number % 2 == 1
        answer: ChoiceName = "no_difference"
        if member is not None:
            answer = "first" if (member == "b") == other_first else "second"
        cast.append(vote(f"p{number}", trial, answer, first="b" if other_first else "a"))
    return cast


def found(published: PublishedCount, votes: list[AnalysedVote]) -> ReplicationFindings:
    (one,) = replications([published], votes, 0.95)
    return one


def test_published_counts_have_their_exact_intervals() -> None:
    said = found(SONG, []).published
    assert [round(100 * x, 1) for x in (said.value, said.low or 0, said.high or 0)] == [
        95.5,
        88.8,
        98.7,
    ]
    said = found(TYPING, []).published
    assert [round(100 * x, 1) for x in (said.value, said.low or 0, said.high or 0)] == [
        80.8,
        60.6,
        93.4,
    ]


def test_without_votes_the_published_count_stands_alone() -> None:
    alone = found(SONG, [])
    assert (alone.ours, alone.predicted, alone.inside) == (None, None, None)
    assert alone.sentence == (
        "Published: modified was preferred in 84 of 88 votes "
        "(95.5 %, 95 % CI 88.8 % to 98.7 %). Source: LCN 2008, V-B"
    )


def test_ours_stands_beside_it_and_is_inside_or_not() -> None:
    beside = found(SONG, votes_on("song", modified=100, plain=5, none=3))
    assert (beside.count, beside.of, beside.inside) == (100, 108, True)
    assert (beside.predicted_low, beside.predicted_high) == (95, 108)
    assert "Here: modified was preferred in 100 of 108 votes (92.6 %" in beside.sentence
    assert "a replication with 108 votes has 95 to 108 of them" in beside.sentence
    assert "Ours is inside that." in beside.sentence
    below = found(SONG, votes_on("song", modified=60, plain=40, none=8))
    assert below.inside is False
    assert "Ours is below that." in below.sentence


def test_where_one_had_to_be_chosen_only_choices_are_counted() -> None:
    beside = found(TYPING, votes_on("session", modified=20, plain=10, none=42))
    assert (beside.count, beside.of) == (20, 30)
    assert "20 of 30 votes with a preference" in beside.sentence
    # Nobody felt anything: nothing stands beside it.
    assert found(TYPING, votes_on("session", 0, 0, none=9)).ours is None


def test_votes_on_other_trials_are_not_counted() -> None:
    votes = [*votes_on("song", 3, 1), *votes_on("podcast", 0, 9)]
    assert (found(SONG, votes).count, found(SONG, votes).of) == (3, 4)


def test_runs_whose_members_are_the_same_bytes_are_no_pairs() -> None:
    votes = votes_on("song", modified=36, plain=4)
    alike = [replace(one, kind="control") for one in votes_on("song", 5, 5, none=10)]
    beside = found(SONG, [*votes, *alike])
    assert (beside.count, beside.of) == (36, 40)


def test_the_condition_counts_wherever_it_is_named() -> None:
    turned = [
        vote(f"p{number}", "song", "first", conditions=("modified", "plain")) for number in range(4)
    ]
    assert (found(SONG, turned).count, found(SONG, turned).of) == (4, 4)


@pytest.mark.parametrize(("people", "again"), [(26, 26), (26, 72), (88, 88), (88, 108)])
def test_a_replication_falls_where_it_is_foretold(people: int, again: int) -> None:
    """Worked out, not drawn: over all published counts, weighed by their chance.

    For shares from 0.5 to 0.97, which hold what was published. Near 0 and 1 no interval of whole
    counts can be right at each share.
    """
    spans = [predicted(count, people, again, 0.95) for count in range(people + 1)]
    held = []
    for percent in range(50, 98):
        share = percent / 100
        first, second = stats.binom(people, share), stats.binom(again, share)
        held.append(
            sum(
                float(first.pmf(count)) * float(second.cdf(span.high) - second.cdf(span.low - 1))
                for count, span in enumerate(spans)
            )
        )
    assert min(held) > 0.94
    assert 0.95 <= sum(held) / len(held) < 0.98


def test_the_interval_is_of_our_size() -> None:
    assert predicted(84, 88, 88, 0.95) == Span(77, 88)
    assert predicted(21, 26, 26, 0.95) == Span(14, 25)
    wide, narrow = predicted(21, 26, 10, 0.95), predicted(21, 26, 1000, 0.95)
    assert (wide.high - wide.low) / 10 > (narrow.high - narrow.low) / 1000
    # Endless votes would not make it narrower than what was published is sure of.
    assert (narrow.high - narrow.low) / 1000 > 0.25


def test_a_study_tells_it_among_its_findings() -> None:
    plan = AnalysisPlan(blocks=(AnalysedBlock("main", "preference"),), published=(SONG,))
    results = analyse(plan, votes_on("song", modified=10, plain=2))
    (one,) = results.replications
    assert results.sentences[0] == f"song: {one.sentence}"
    assert analyse(AnalysisPlan(blocks=plan.blocks), votes_on("song", 1, 0)).replications == []
