"""Scores beside a reference: medians, quartiles, whiskers, means, and what they differ by."""

from itertools import product

import pytest

from thinlab.analysis.mushra.kind import MushraKind
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, AnalysisPlan, TrialWords

pytestmark = pytest.mark.unit

WORDS = TrialWords("heard", "copies", "listeners", "who hear these recordings")
BLOCK = AnalysedBlock("main", "mushra", reference="clip", trials=("plain", "clip", "anchor"))
PLAN = AnalysisPlan((BLOCK,))


def vote(person: int, condition: str, score: int, clip: str = "speech") -> AnalysedVote:
    return AnalysedVote(
        participant=f"p{person}",
        block="main",
        trial=condition,
        kind="single",
        clip=clip,
        conditions=(condition,),
        answer=score,
        words=WORDS,
        recording=f"{condition} {clip} {person % 3}",
    )


def test_a_condition_is_told_by_median_and_quartiles_and_the_reference_comes_first() -> None:
    scores = {"plain": [40, 50, 60, 70, 5], "clip": [100, 100, 95, 100, 90], "anchor": [0] * 5}
    votes = [
        vote(person, name, given[person]) for name, given in scores.items() for person in range(5)
    ]
    found = analyse(PLAN, votes)
    assert [(one.condition, one.is_reference) for one in found.beside] == [
        ("clip", True),
        ("plain", False),
        ("anchor", False),
    ]
    plain = found.beside[1]
    assert (plain.lower_quartile, plain.median, plain.upper_quartile) == (40, 50, 60)
    # 5 lies more than 1.5 interquartile ranges below 40.
    assert (plain.lower_whisker, plain.upper_whisker, plain.beyond) == (40, 70, [5])
    assert plain.mean.value == pytest.approx(45)
    differ = {(one.condition_a, one.condition_b): one for one in found.beside_differences}
    assert differ["clip", "plain"].difference.value == pytest.approx(45 - 97)
    assert differ["clip", "plain"].to_reference
    assert not differ["plain", "anchor"].to_reference
    assert found.conditions == []
    said = "clip, the hidden reference, had a median of 100 (interquartile range 95 to 100; "
    assert f"{said}5 ratings)." in found.sentences


def test_each_clip_is_told_of_where_there_are_several() -> None:
    votes = [
        vote(person, name, 10 * person, clip)
        for person, name, clip in product(range(4), ("clip", "plain"), ("speech", "song"))
    ]
    found = analyse(PLAN, votes)
    assert [(one.condition, one.clip) for one in found.beside] == [
        (name, clip) for name in ("clip", "plain") for clip in (None, "speech", "song")
    ]


def test_primary_differences_are_over_their_trials_and_decide() -> None:
    plan = AnalysisPlan((BLOCK,), primary=frozenset({"plain", "clip"}), correction="holm")
    votes = [
        vote(person, name, base + person)
        for person in range(6)
        for name, base in (("plain", 30), ("clip", 90), ("anchor", 10))
    ]
    first, *others = analyse(plan, votes).beside_differences
    assert first.primary
    assert first.difference.p_adjusted is None or not first.difference.exploratory
    assert not any(one.primary for one in others)


def test_studies_without_pages_have_none() -> None:
    block = AnalysedBlock("main", "acr")
    assert not MushraKind().applies(AnalysisPlan((block,)))
    assert analyse(AnalysisPlan((block,)), []).beside == []
