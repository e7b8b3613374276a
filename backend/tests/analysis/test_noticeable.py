"""How noticeable a difference was: by what was preferred, and of differences that were none."""

from typing import Any

import pytest

from thinlab.analysis.registry import StudyResults
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, AnalysisPlan
from thinlab.trials.registry import KINDS

PLAN = AnalysisPlan(blocks=(AnalysedBlock("main", "preference", trials=("t0", "t1", "same")),))


def typed(participant: str, answer: Any, noticeable: int | None, **changes: Any) -> AnalysedVote:  # noqa: ANN401
    """A vote on two sessions."""
    values = {"trial": "t0", "kind": "pair", "conditions": ("plain", "modified"), "first": "a"}
    return AnalysedVote(
        participant=participant,
        block="main",
        clip="sentences",
        answer=answer,
        words=KINDS["typed"].trial_words,
        noticeable=noticeable,
        **(values | changes),
    )


def control(participant: str, answer: str, noticeable: int | None) -> AnalysedVote:
    """A vote on two sessions under one condition."""
    return typed(
        participant, answer, noticeable, trial="same", kind="control", conditions=("plain",)
    )


def found(results: StudyResults, preferred: str | None) -> dict[str, Any]:
    """The findings of those who preferred a condition, as a document."""
    (one,) = (one for one in results.noticeable if one.preferred == preferred)
    return one.model_dump()


def test_steps_are_told_by_what_was_preferred_whichever_came_first() -> None:
    votes = [
        typed("p1", "second", 4),
        typed("p2", "first", 3, first="b"),
        typed("p3", "second", 3),
        typed("p4", "first", 1),
        typed("p5", "no_difference", None),
    ]
    results = analyse(PLAN, votes)
    modified, plain = found(results, "modified"), found(results, "plain")
    assert modified["histogram"] == {1: 0, 2: 0, 3: 2, 4: 1}
    assert modified["mean"]["value"] == pytest.approx(10 / 3)
    assert (modified["mean"]["votes"], plain["mean"]["votes"]) == (3, 1)
    assert modified["mean"]["low"] < 10 / 3 < modified["mean"]["high"]
    assert plain["mean"]["low"] is None
    said = [one for one in results.sentences if "noticeable" in one]
    assert said[0] == f"{plain['mean']['sentence']}"
    assert said[1].startswith("Who preferred modified to plain called the difference noticeable at")


def test_a_trial_that_turns_its_conditions_round_is_counted_with_the_others() -> None:
    turned = {"trial": "t1", "conditions": ("modified", "plain")}
    votes = [typed("p1", "second", 4), typed("p2", "first", 2, **turned)]
    results = analyse(PLAN, votes)
    assert found(results, "modified")["histogram"] == {1: 0, 2: 1, 3: 0, 4: 1}
    assert len(results.noticeable) == 1


def test_controls_tell_what_a_step_is_worth() -> None:
    votes = [control("p1", "first", 2), control("p2", "no_difference", None)]
    results = analyse(PLAN, votes)
    assert found(results, None)["histogram"] == {1: 0, 2: 1, 3: 0, 4: 0}
    (checked,) = results.controls
    assert checked.false_differences is not None
    assert checked.false_differences.value == 0.5
    assert checked.false_differences.sentence == (
        "Too few votes (2 of 2 participants) to say how often a difference is felt in controls."
    )
    assert checked.side is not None
    assert "lean in controls" in checked.side.sentence


def test_what_is_not_asked_is_not_told() -> None:
    results = analyse(PLAN, [typed("p1", "second", None), control("p1", "first", None)])
    assert results.noticeable == []
    assert not [one for one in results.sentences if "noticeable" in one]


def test_typists_feel_what_listeners_hear() -> None:
    votes = [typed(f"p{n}", "second", 4) for n in range(7)]
    votes.append(typed("p7", "no_difference", None))
    (trial,) = analyse(PLAN, votes).trials
    assert trial.share is not None
    assert "1 of 8 felt no difference" in trial.share.sentence
