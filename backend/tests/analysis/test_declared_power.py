"""Planned power of hypotheses is what the results' own judgement finds in simulated votes."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from tests.study.study_files import CLIPS, SURVEY, earlier
from thinlab.analysis.plan import plan_of
from thinlab.analysis.simulated.answers import Planted, simulate
from thinlab.analysis.simulated.cast import Casting
from thinlab.analysis.simulated.curve import curve_of
from thinlab.analysis.simulated.declared import declared_of
from thinlab.analysis.simulated.declared_power import DeclaredPlanner
from thinlab.analysis.simulated.power import Assumed, EffectError
from thinlab.analysis.simulated.presented import blocks_of
from thinlab.analysis.simulated.scales import EFFECTS
from thinlab.analysis.simulated.shortfall import shortfalls
from thinlab.analysis.study import analyse
from thinlab.study.definition import StudyDefinition
from thinlab.study.file import read
from thinlab.study.rules import AnalysisPlan
from thinlab.trials.registry import KINDS

pytestmark = pytest.mark.long
BOTH = ["plain", "modified"]
PAIR = read(SURVEY / "p800-pair.yaml", CLIPS, KINDS)
CCR = read(SURVEY / "p800-ccr.yaml", CLIPS, KINDS)
HEARD = read(SURVEY / "lcn2008-listening.yaml", CLIPS, KINDS)
ACR = read(SURVEY / "p808-acr.yaml", CLIPS, KINDS)
DCR = read(SURVEY / "p800-dcr.yaml", CLIPS, KINDS)
ABX = read(SURVEY / "abx.yaml", CLIPS, KINDS)


def pooled(**more: Any) -> dict[str, Any]:  # noqa: ANN401 (any field)
    one = {"id": "pooled", "compares": "pooled", "conditions": BOTH, "trials": [*"abcd"]}
    return one | more


def declaring(
    study: StudyDefinition,
    *hypotheses: Mapping[str, Any],
    **more: Any,  # noqa: ANN401
) -> StudyDefinition:
    """The study with these hypotheses instead of what it declares."""
    analysis = AnalysisPlan.model_validate(
        {"hypothesis": "It is so.", "hypotheses": hypotheses} | more
    )
    return study.model_copy(update={"analysis": analysis})


def control(study: StudyDefinition, *trials: str) -> dict[str, Any]:
    """These pairs, against all controls of their block."""
    block, _ = study.trial(trials[0])
    names = [trial.id for trial in block.trials if trial.kind == "control"]
    return {"id": "heard", "compares": "control", "trials": trials, "controls": names}


def opinion(**more: Any) -> dict[str, Any]:  # noqa: ANN401
    trials = [f"{clip}-{name}" for clip in "abcd" for name in BOTH]
    return {"id": "mos", "compares": "opinion", "conditions": BOTH, "trials": trials} | more


@pytest.mark.parametrize(
    ("study", "hypothesis", "effect"),
    [
        (PAIR, pooled(), 0.2),
        (PAIR, pooled(direction="plain"), 0.2),
        (CCR, pooled(), 0.6),
        (CCR, pooled(conditions=BOTH[::-1]), 0.6),
        (ACR, opinion(), 0.6),
        (DCR, opinion(), 0.6),
        (ABX, pooled(direction="right"), 0.2),
        (ABX, pooled(), 0.0),
        (HEARD, control(HEARD, "podcast", "song"), 0.2),
        (CCR, control(CCR, *"abcd"), 0.2),
        (CCR, control(CCR, *"abcd"), 0.0),
    ],
    ids=[
        "share",
        "share for a",
        "cmos",
        "turned",
        "mos",
        "dmos",
        "right",
        "by chance",
        "control",
        "ccr control",
        "no effect",
    ],
)
def test_endless_votes_show_the_effect_that_was_meant(
    study: StudyDefinition, hypothesis: Mapping[str, Any], effect: float
) -> None:
    declared = declaring(study, hypothesis)
    (one,) = declared_of(declared)
    planner = DeclaredPlanner(declared, 60, 1)
    found = planner.power({one.one.id: effect}, 96).each[one.one.id]
    # 60 studies with a dozen recordings each.
    assert found.mean == pytest.approx(one.null + one.sign * effect, abs=0.08)


def test_what_is_simulated_is_what_results_judge() -> None:
    study = declaring(CCR, pooled(smallest_effect=0.5), control(CCR, *"abcd"), rule="any")
    planner = DeclaredPlanner(study, 12, 3)
    outcome = planner.power({"pooled": 0.5, "heard": 0.2}, 48)
    again = DeclaredPlanner(study, 12, 3).power({"pooled": 0.5, "heard": 0.2}, 48)
    assert outcome == again
    # The same votes, cast by hand and analysed as a whole study.
    (block,) = (
        one
        for one in blocks_of(study, 48, 3, kinds=("pair", "single", "control"))
        if one.id == declared_of(study)[0].block
    )
    answers = simulate(block, EFFECTS["ccr"], 1, np.random.default_rng(1), Planted())
    votes = Casting(block).votes(answers, 0)
    results = analyse(plan_of(study), votes)
    assert [one.id for one in results.hypotheses] == ["pooled", "heard"]
    assert results.hypotheses[0].estimate is not None
    assert results.hypotheses[0].estimate.votes == 4 * 48
    assert all(one.p_adjusted is not None for one in results.hypotheses)


def test_more_participants_and_larger_effects_show_more() -> None:
    planner = DeclaredPlanner(declaring(CCR, pooled(smallest_effect=0.5)), 150, 1)
    few, many = (planner.at_level(1, size).each["pooled"] for size in (16, 96))
    assert many.difference.share > few.difference.share + 0.1
    none = planner.at_level(0, 96).each["pooled"]
    assert none.difference.share < 0.12
    assert none.equivalence is not None
    assert many.equivalence is not None
    # No difference that matters is found where there is none, and not where one just matters.
    assert none.equivalence.share > 0.3
    assert many.equivalence.share < 0.12


def test_one_side_is_found_more_often_and_the_other_never() -> None:
    two, right, wrong = (
        DeclaredPlanner(declaring(CCR, pooled(direction=direction)), 150, 1)
        for direction in ("two_sided", "modified", "plain")
    )
    effect = {"pooled": 0.35}
    found = [one.power(effect, 48).each["pooled"].difference.share for one in (two, right, wrong)]
    assert found[1] > found[0]
    # Who expects a to be better is given an effect for a.
    assert found[2] == pytest.approx(found[1], abs=0.12)


def test_all_are_shown_less_often_than_each_and_any_more_often() -> None:
    trials = [{"id": name, "compares": "pair", "trial": name} for name in "ab"]
    for rule in ("all", "any"):
        study = declaring(CCR, *trials, rule=rule)
        found = DeclaredPlanner(study, 120, 1).at_level(3, 48)
        each = [found.each[name].difference.share for name in "ab"]
        together = found.differences.share
        assert (together <= min(each)) if rule == "all" else (together >= max(each))


def test_looks_save_participants_and_cost_little_power() -> None:
    looked = declaring(CCR, pooled(), interim={"looks": [0.5]})
    planner = DeclaredPlanner(looked, 150, 1)
    outcome = planner.power({"pooled": 1.0}, 48)
    alone = DeclaredPlanner(declaring(CCR, pooled()), 150, 1).power({"pooled": 1.0}, 48)
    assert outcome.stopped is not None
    assert outcome.stopped.share > 0.2
    assert 24 <= outcome.participants < 48
    assert outcome.each["pooled"].difference.share > alone.each["pooled"].difference.share - 0.06
    assert alone.stopped is None
    assert alone.participants == 48


def test_hypotheses_on_the_same_trials_have_their_effects_in_turn() -> None:
    one, other = pooled(), {"id": "a", "compares": "pair", "trial": "a"}
    planner = DeclaredPlanner(declaring(CCR, one, other), 40, 1)
    found = planner.power({"pooled": 0.2, "a": 1.0}, 96)
    assert found.each["pooled"].mean == pytest.approx(0.2, abs=0.1)
    assert found.each["a"].mean == pytest.approx(1.0, abs=0.2)
    assert planner.simulated == 80


def test_whoever_is_excluded_adds_no_power() -> None:
    study = declaring(CCR, pooled())
    everybody, half = (
        DeclaredPlanner(study, 150, 1, Assumed(excluded=excluded)).power({"pooled": 0.5}, 24)
        for excluded in (0.0, 0.6)
    )
    assert half.participants == 10
    assert half.each["pooled"].difference.share < everybody.each["pooled"].difference.share - 0.05


def test_effects_that_votes_cannot_show_are_refused() -> None:
    with pytest.raises(EffectError, match="pooled cannot show an effect of 3"):
        DeclaredPlanner(declaring(CCR, pooled()), 1, 1).power({"pooled": 3.5}, 24)
    with pytest.raises(EffectError, match="heard cannot show an effect of 0"):
        DeclaredPlanner(declaring(HEARD, control(HEARD, "podcast")), 1, 1).power(
            {"heard": 0.95}, 24
        )
    nothing = CCR.model_copy(update={"analysis": None})
    with pytest.raises(ValueError, match="declares no `hypotheses`"):
        DeclaredPlanner(nothing, 1, 1)


def lines(study: StudyDefinition) -> Sequence[str]:
    return list(shortfalls(study, studies=60))


def test_plans_are_warned_of_by_their_own_smallest_effect() -> None:
    (told, *_) = lines(declaring(CCR, pooled(smallest_effect=0.1)))
    assert told.startswith("with 48 participants, pooled would find its smallest effect, 0.1, in")
    assert not lines(declaring(CCR, pooled(direction="modified")))
    few = {"id": "a", "compares": "pair", "trial": "a"}
    assert any(
        "a would find even a large effect (1) in" in one for one in lines(declaring(CCR, few))
    )
    alike = lines(declaring(CCR, pooled(smallest_effect=0.2)))
    assert any("would show that there is no difference that matters in" in one for one in alike)


def test_a_curve_tells_everything_once_and_how_far_it_is() -> None:
    study = declaring(CCR, pooled(smallest_effect=0.5), interim={"looks": [0.5]})
    told: list[tuple[int, int]] = []
    curve = curve_of(study, 4, lambda done, total: told.append((done, total)))
    assert curve.participants == [12, 24, 48, 96, 192]
    assert curve.planned == 48
    (test,) = curve.tests
    assert len(test.points) == 4 * 5
    assert [point.effect for point in test.points[::5]] == [0.0, 0.5, 0.75, 1.0]
    assert all(point.none_that_matters for point in test.points)
    assert len(curve.together) == 20
    assert curve.together[0].stopped is not None
    assert told[-1] == (80, 80)
    assert told == sorted(told)


def test_a_curve_of_primary_trials_is_told_alike() -> None:
    told: list[tuple[int, int]] = []
    literal = read(earlier("lcn2008-listening-literal"), CLIPS, KINDS)
    curve = curve_of(literal, 40, lambda done, total: told.append((done, total)))
    assert [test.id for test in curve.tests] == ["podcast", "song"]
    assert curve.tests[0].null_value == 0.5
    assert [point.effect for point in curve.tests[0].points[:: len(curve.participants)]] == [
        0.5,
        0.6,
        0.7,
        0.8,
    ]
    assert curve.together == []
    assert told[-1][0] == told[-1][1]
