"""Planned power is that of the analysis that the votes will meet, and not of a formula."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.analysis.simulated import CHOICES, vote
from tests.study.study_files import CLIPS, DEMO, SURVEY, earlier
from thinlab.analysis.plan import plan_of
from thinlab.analysis.simulated.answers import Answers, Planted, simulate
from thinlab.analysis.simulated.planted import planted
from thinlab.analysis.simulated.power import Assumed, EffectError, Planner
from thinlab.analysis.simulated.presented import PresentedBlock, blocks_of
from thinlab.analysis.simulated.primary import PrimaryTest, outcomes, primary_tests
from thinlab.analysis.simulated.scales import EFFECTS
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedVote
from thinlab.study.definition import StudyDefinition
from thinlab.study.file import read
from thinlab.study.scale import ScaleKind
from thinlab.trials.registry import KINDS

SHIPPED = (
    "p800-pair",
    "p800-ccr",
    "p808-acr",
    "lcn2008-typing-literal",
    "lcn2008-listening-literal",
)


def study(name: str) -> StudyDefinition:
    """A shipped study, by its primary trials."""
    file = SURVEY / f"{name}.yaml" if name == "lcn2008-typing-literal" else earlier(name)
    return read(file, CLIPS, KINDS)


def votes_of(block: PresentedBlock, answers: Mapping[str, Answers], row: int) -> list[AnalysedVote]:
    """What people have answered in one simulated study, as the analysis gets it."""
    votes = []
    for trial in block.trials:
        for person in range(block.participants):
            given = int(answers[trial.id].given[row, person])
            one = vote(
                f"p{person}",
                trial.id,
                CHOICES[given] if block.scale == "preference" else given,
                first="b" if trial.b_first[person] else "a",
                conditions=trial.conditions,
                kind="pair" if len(trial.conditions) > 1 else "single",
                clip=trial.clip,
                run=int(trial.run[person]),
            )
            votes.append(replace(one, block=block.id))
    return votes


def p_values(
    definition: StudyDefinition, votes: list[AnalysedVote]
) -> dict[str, tuple[float | None, float]]:
    """The p-value, before any correction, and the estimate of each primary test."""
    results = analyse(plan_of(definition), votes)
    found: dict[str, tuple[float | None, float]] = {}
    for trial in results.trials:
        test = trial.test
        if trial.primary and test is not None:
            found[trial.trial_id] = test.p_value, test.value - (0.5 if test is trial.share else 0.0)
    for one in results.differences:
        if one.primary:
            name = f"{one.block}: {one.condition_b} − {one.condition_a}"
            found[name] = one.difference.p_value, one.difference.value
    return found


def primary_block(
    definition: StudyDefinition, participants: int
) -> tuple[PresentedBlock, list[PrimaryTest]]:
    """The one block that a shipped study tests, without its other trials."""
    tests = primary_tests(definition)
    names = {name for test in tests for name in test.trials}
    (block,) = (
        replace(block, trials=tuple(trial for trial in block.trials if trial.id in names))
        for block in blocks_of(definition, participants, 5)
        if block.id == tests[0].block
    )
    return block, tests


def with_effect(block: PresentedBlock, test: PrimaryTest, effect: float) -> Planted:
    """Of every trial of a block, such that endless votes would show the effect."""
    shift = planted(effect, test.scale, EFFECTS[test.scale], ties=block.ties)
    assert shift is not None
    if test.scale == "acr":
        shifts = {
            trial.id: shift / 2 if trial.conditions == (test.b,) else -shift / 2
            for trial in block.trials
        }
        return Planted(shifts)
    return Planted({trial.id: shift for trial in block.trials})


@pytest.mark.parametrize("name", SHIPPED)
def test_each_simulated_study_is_tested_as_the_results_page_would(name: str) -> None:
    definition = study(name)
    block, tests = primary_block(definition, 30)
    answers = simulate(block, EFFECTS[block.scale], 4, np.random.default_rng(2))
    at_once = {test.name: outcomes(test, block, answers) for test in tests}
    for row in range(4):
        said = p_values(definition, votes_of(block, answers, row))
        assert said.keys() == at_once.keys()
        for test, (p_value, value) in said.items():
            tested = at_once[test].p_values[row]
            assert (p_value is None) == bool(np.isnan(tested))
            assert p_value is None or p_value == pytest.approx(tested, abs=1e-9)
            assert value == pytest.approx(at_once[test].values[row], abs=1e-9)


# Sizes and effects of middling power, where a deviation would show most.
@pytest.mark.parametrize(
    ("name", "effect", "participants"),
    [("lcn2008-typing-literal", 0.75, 26), ("p808-acr", 0.4, 24), ("p800-ccr", 2.0, 24)],
)
def test_planned_power_is_what_the_analysis_gets_from_votes(
    name: str, effect: float, participants: int
) -> None:
    definition = study(name)
    plan = Planner(definition, 2000, 1).power(effect, participants)
    block, tests = primary_block(definition, participants)
    there = with_effect(block, tests[0], effect)
    studies = 60
    answers = simulate(block, EFFECTS[block.scale], studies, np.random.default_rng(77), there)
    found = dict.fromkeys(plan, 0)
    for row in range(studies):
        results = analyse(plan_of(definition), votes_of(block, answers, row))
        decisive = {one.trial_id: one.test for one in results.trials if one.primary}
        decisive |= {
            f"{one.block}: {one.condition_b} − {one.condition_a}": one.difference
            for one in results.differences
            if one.primary
        }
        for test, said in decisive.items():
            if said is None or said.null_value is None:
                continue
            p_value = said.p_adjusted if said.p_adjusted is not None else said.p_value
            found[test] += p_value is not None and p_value < 0.05 and said.value > said.null_value
    for test, count in found.items():
        assert stats.binomtest(count, studies, plan[test].share).pvalue > 0.001, test


@pytest.mark.parametrize(("scale", "effect"), [("preference", 0.7), ("ccr", 0.6), ("acr", 0.6)])
def test_endless_votes_show_what_was_meant(scale: ScaleKind, effect: float) -> None:
    name = {"preference": "lcn2008-typing-literal", "ccr": "p800-ccr", "acr": "p808-acr"}[scale]
    block, tests = primary_block(study(name), 60)
    there = with_effect(block, tests[0], effect)
    answers = simulate(block, EFFECTS[scale], 4000, np.random.default_rng(3), there)
    values = outcomes(tests[0], block, answers).values
    mean = float(values.mean()) + (0.5 if scale == "preference" else 0.0)
    assert mean == pytest.approx(effect, abs=0.015)


def test_no_effect_is_found_as_seldom_as_is_said_and_in_either_direction() -> None:
    planner = Planner(study("lcn2008-typing-literal"), 4000, 1)
    # One half of 5 %: the other half points the wrong way.
    assert 0.012 < planner.power(0.5, 52)["session"].share < 0.035


def test_few_recordings_bound_the_power_whoever_takes_part() -> None:
    planner = Planner(study("p800-ccr"), 400, 1)
    test = planner.tests[0]
    assert planner.needed(test, 0.5, 0.8) is None
    literal = Planner(study("lcn2008-typing-literal"), 400, 1)
    needed = [literal.needed(literal.tests[0], 0.8, power) for power in (0.5, 0.8, 0.9)]
    assert needed == sorted(number for number in needed if number is not None)
    alike = Planner(study("p800-ccr"), 400, 1, Assumed(recordings=0.2))
    assert alike.power(0.5, 96)["a"].share > planner.power(0.5, 96)["a"].share + 0.1


def test_whoever_is_excluded_adds_no_power() -> None:
    definition = study("lcn2008-typing-literal")
    everybody = Planner(definition, 1000, 1).power(0.8, 26)["session"]
    half = Planner(definition, 1000, 1, Assumed(excluded=0.5)).power(0.8, 26)["session"]
    assert half.share < everybody.share - 0.2
    low, high = everybody.interval()
    assert low < everybody.share < high < low + 0.06


def test_one_recording_is_planned_for_itself_and_one_order_for_nothing() -> None:
    literal = study("lcn2008-listening-literal")
    planner = Planner(literal, 400, 1)
    assert [test.generalises for test in planner.tests] == [False, False]
    assert planner.power(0.8, 88)["podcast"].share == 0
    (block,) = literal.blocks
    turned = literal.model_copy(
        update={"blocks": (block.model_copy(update={"sides": "balanced"}),)}
    )
    assert Planner(turned, 400, 1).power(0.8, 88)["podcast"].share > 0.9


def test_a_seed_makes_the_same_studies() -> None:
    definition = study("p800-pair")
    first, second = (Planner(definition, 200, seed=4).power(0.8, 48) for _ in range(2))
    assert first == second
    assert Planner(definition, 200, seed=5).power(0.8, 48) != first


def test_effects_that_votes_cannot_show_are_refused() -> None:
    with pytest.raises(EffectError, match="cannot show an effect of 3"):
        Planner(study("p800-ccr"), 10, 1).power(3.0, 48)
    with pytest.raises(ValueError, match="plans no test"):
        Planner(read(Path(DEMO), CLIPS, KINDS), 10, 1)
