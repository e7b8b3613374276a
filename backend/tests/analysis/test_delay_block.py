"""What is told of votes against delay, and what must not be told."""

from dataclasses import replace

import numpy as np
import pytest

from thinlab.analysis.delay.block import of_block
from thinlab.analysis.delay.findings import DelayBlock, DelayResults
from thinlab.analysis.delay.observed import MeasuredVote
from thinlab.analysis.simulated.thresholds import (
    PLANTED,
    RIGHT,
    WRONG,
    Design,
    planted_slope,
    study_votes,
)
from thinlab.analysis.votes import AnalysedBlock
from thinlab.contract.columns import MetricColumn
from thinlab.study.scale import ScaleKind
from thinlab.study.trial import ChoiceName

SCALES: tuple[ScaleKind, ...] = ("preference", "ccr", "acr")


def metric(name: str, unit: str = "ms") -> MetricColumn:
    return MetricColumn(
        name, (name,), float, nullable=True, title=name.title(), meaning="", unit=unit, source=""
    )


METRICS = (metric(WRONG), metric(RIGHT))


def made(scale: ScaleKind, seed: int = 1, **changes: float) -> list[MeasuredVote]:
    design = replace(Design(scale), **changes)  # type: ignore[arg-type]  # numbers only
    return study_votes(design, planted_slope(design), np.random.default_rng(seed))


def block(
    scale: ScaleKind,
    votes: list[MeasuredVote],
    *,
    asked: str | None = RIGHT,
    planned: str | None = None,
) -> DelayBlock:
    found = of_block(
        AnalysedBlock("main", scale), votes, METRICS, asked=asked, planned=planned, confidence=0.95
    )
    assert found is not None
    return found


def times(votes: list[MeasuredVote], factor: float) -> list[MeasuredVote]:
    """The same answers to other delays."""
    return [
        replace(
            one,
            presented=tuple(
                {name: factor * (value or 0.0) for name, value in part.items()}
                for part in one.presented
            ),
        )
        for one in votes
    ]


def at(votes: list[MeasuredVote], value: float, levels: int = 1) -> list[MeasuredVote]:
    """The same answers, all of the more delayed with one of a few values."""
    return [
        replace(
            one,
            presented=tuple(
                {
                    name: value * (1 + int(one.vote.trial[1:]) % levels) if known else known
                    for name, known in part.items()
                }
                for part in one.presented
            ),
        )
        for one in votes
    ]


@pytest.mark.parametrize("scale", SCALES)
def test_a_planted_threshold_is_told_with_its_interval(scale: ScaleKind) -> None:
    found = block(scale, made(scale))
    assert found.metric == RIGHT
    curve = found.curve
    assert curve is not None
    assert curve.threshold is not None, curve.sentence
    assert curve.threshold.low is not None
    assert curve.threshold.low < PLANTED
    assert curve.threshold.high is None or curve.threshold.high > PLANTED
    assert "95 % CI" in curve.sentence
    assert "other losses" in curve.sentence
    assert curve.threshold.exploratory
    assert curve.threshold.p_value is None
    assert len(curve.points) == 24
    assert sum(point.votes + point.undecided for point in curve.points) == 48 * 12
    for point in curve.curve:
        assert point.low <= point.value + 1e-9
        assert point.value <= point.high + 1e-9


@pytest.mark.parametrize("scale", SCALES)
def test_the_metric_that_votes_follow_predicts_best_and_is_chosen(scale: ScaleKind) -> None:
    found = block(scale, made(scale, seed=3, recordings_differ=0.1), asked=None)
    assert [one.name for one in found.metrics] == [RIGHT, WRONG]
    assert found.metric == RIGHT
    assert found.metrics[0].accuracy is not None
    assert found.metrics[0].accuracy.no_worse
    assert found.best is not None
    assert found.best.startswith("Exploratory: of 2 metrics, “Right” predicts")


def test_what_is_planned_is_shown_first_and_called_so() -> None:
    found = block("preference", made("preference"), asked=None, planned=WRONG)
    assert (found.metric, found.planned) == (WRONG, True)
    assert [one.planned for one in found.metrics if one.name == WRONG] == [True]
    asked = block("preference", made("preference"), asked=RIGHT, planned=WRONG)
    assert (asked.metric, asked.planned) == (RIGHT, False)


def test_an_unknown_metric_is_not_one_that_is_asked_for() -> None:
    assert block("preference", made("preference"), asked="nonsense").metric in {RIGHT, WRONG}


@pytest.mark.parametrize("scale", SCALES)
def test_a_threshold_beyond_what_was_measured_is_no_number(scale: ScaleKind) -> None:
    votes = [one for one in made(scale, seed=2) if (max(_delays(one)) < 0.25)]
    curve = block(scale, votes).curve
    assert curve is not None
    assert curve.threshold is None
    assert "Add " in curve.sentence
    assert "0.4" not in curve.sentence.split("95 % CI")[0]


def _delays(one: MeasuredVote) -> list[float]:
    return [float(part[RIGHT] or 0.0) for part in one.presented]


@pytest.mark.parametrize("scale", SCALES)
def test_votes_that_do_not_follow_a_metric_have_no_threshold(scale: ScaleKind) -> None:
    votes = made(scale)
    chance = np.random.default_rng(4)
    delays = {one.vote.recording: float(chance.random()) for one in votes}
    elsewhere = [
        replace(
            one,
            presented=tuple(
                {RIGHT: delays[one.vote.recording] if part[RIGHT] else 0.0}
                for part in one.presented
            ),
        )
        for one in votes
    ]
    if scale == "preference":
        # b is preferred whatever it is: so that nothing is, turn every other recording round.
        elsewhere = [
            replace(one, presented=one.presented[:: -1 if int(one.vote.trial[1:]) % 2 else 1])
            for one in elsewhere
        ]
    curve = block(scale, elsewhere).curve
    assert curve is not None
    assert curve.threshold is None
    assert "not shown" in curve.sentence or "something else" in curve.sentence


def test_the_same_for_all_recordings_has_no_curve() -> None:
    found = block("preference", at(made("preference"), 5.0))
    assert found.curve is None
    assert found.why_none is not None
    assert "the same in all recordings" in found.why_none
    assert "Add " in found.why_none


@pytest.mark.parametrize("scale", SCALES)
def test_two_values_have_no_curve(scale: ScaleKind) -> None:
    found = block(scale, at(made(scale), 5.0, levels=2))
    assert found.curve is None
    assert found.why_none is not None
    assert "a curve needs 4" in found.why_none


def test_nothing_measured_has_no_curve() -> None:
    votes = [
        replace(one, presented=tuple({RIGHT: None, WRONG: None} for _ in one.presented))
        for one in made("preference")
    ]
    found = block("preference", votes)
    assert found.curve is None
    assert found.why_none is not None
    assert found.why_none.startswith("Nothing was measured")


def test_votes_without_the_metric_are_counted_and_left_out() -> None:
    votes = made("preference")
    lacking = [replace(one, presented=()) for one in votes[:10]] + votes[10:]
    curve = block("preference", lacking).curve
    assert curve is not None
    assert curve.unmeasured == 10


@pytest.mark.parametrize("scale", SCALES)
def test_who_all_answer_alike_get_no_wild_number(scale: ScaleKind) -> None:
    votes = [replace(one, vote=replace(one.vote, answer=_best(scale, one))) for one in made(scale)]
    found = block(scale, votes)
    told = found.why_none or (found.curve.sentence if found.curve else "")
    assert found.curve is None or found.curve.threshold is None
    assert "differ" in told


def _best(scale: ScaleKind, one: MeasuredVote) -> ChoiceName | int:
    if scale == "acr":
        return 5
    second = one.vote.first == "a"
    if scale == "ccr":
        return 3 if second else -3
    return "second" if second else "first"


def test_two_participants_have_no_curve() -> None:
    votes = [one for one in made("preference") if one.vote.participant in {"p1", "p2"}]
    assert "2 participants cannot tell" in (block("preference", votes).why_none or "")


def test_a_block_without_votes_has_nothing_to_tell() -> None:
    empty = of_block(
        AnalysedBlock("other", "preference"),
        made("preference"),
        METRICS,
        asked=None,
        planned=None,
        confidence=0.95,
    )
    assert empty is None


def test_units_are_written_as_people_read_them() -> None:
    votes = times(made("preference"), 250_000.0)
    found = of_block(
        AnalysedBlock("main", "preference"),
        votes,
        (metric(RIGHT, "µs"),),
        asked=None,
        planned=None,
        confidence=0.95,
    )
    assert found is not None
    assert found.best is None
    assert found.curve is not None
    assert " ms (95 % CI" in found.curve.sentence


@pytest.mark.parametrize(
    ("scale", "is_told"), [("preference", True), ("acr", True), ("ccr", False)]
)
def test_two_metrics_are_weighed_where_answers_can_be(scale: ScaleKind, is_told: bool) -> None:
    found = of_block(
        AnalysedBlock("main", scale),
        made(scale),
        METRICS,
        asked=None,
        planned=RIGHT,
        weighed_against=WRONG,
        confidence=0.95,
    )
    assert found is not None
    assert (found.weighed is not None) == is_told
    said = DelayResults(confidence=0.95, blocks=[found]).sentences
    assert any(f"“{WRONG.title()}” counts" in one for one in said) == is_told
