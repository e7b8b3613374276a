"""Thresholds of adaptive blocks, from votes: what was planted comes out, and nothing else."""

import math

import numpy as np
import pytest

from tests.staircases import staircase_block, staircase_definition
from thinlab.analysis.plan import plan_of
from thinlab.analysis.registry import figures
from thinlab.analysis.study import analyse
from thinlab.analysis.votes import AnalysedVote, TrialWords
from thinlab.questplus.function import right_share
from thinlab.study.blocks.adaptive.choice import next_turn
from thinlab.study.blocks.adaptive.levels import staircases
from thinlab.study.blocks.kind import Taken
from thinlab.study.trial import member_conditions

WORDS = TrialWords("heard", "copies of one recording", "listeners", "who hear these recordings")
DEFINITION = staircase_definition(staircase_block("speech", trials=24))
(BLOCK,) = DEFINITION.blocks


def votes_of(name: str, threshold: float, chance: np.random.Generator) -> list[AnalysedVote]:
    logs = {one.trial: one.log for mine in staircases(DEFINITION, BLOCK).values() for one in mine}
    done: list[Taken] = []
    while turn := next_turn(DEFINITION, BLOCK, name, done):
        right = chance.random() < right_share(logs[turn.trial], math.log10(threshold), 2.0, 0.02)
        done.append(Taken(turn, "first" if right == (turn.first_member == "a") else "second", None))
    return [
        AnalysedVote(
            participant=name,
            block=BLOCK.id,
            trial=BLOCK.trials[one.turn.trial].id,
            kind="level",
            clip="speech",
            conditions=member_conditions(BLOCK.trials[one.turn.trial]),
            answer="first" if one.choice == "first" else "second",
            words=WORDS,
            first=one.turn.first_member,
            run=one.turn.run,
            recording=f"{one.turn.trial} {one.turn.run}",
            position=number,
        )
        for number, one in enumerate(done, start=1)
    ]


def group(thresholds: list[float], seed: int = 5) -> list[AnalysedVote]:
    chance = np.random.default_rng(seed)
    return [
        vote
        for number, threshold in enumerate(thresholds)
        for vote in votes_of(f"p-{number}", threshold, chance)
    ]


def test_planted_thresholds_come_out() -> None:
    planted = [0.02, 0.025, 0.03, 0.035, 0.04, 0.05, 0.03, 0.03, 0.04, 0.02]
    results = analyse(plan_of(DEFINITION), group(planted))
    (found,) = results.staircases
    assert found.group is not None
    assert found.group.low < np.exp(np.log(planted).mean()) < found.group.high
    assert found.group.high / found.group.low < 6
    inside = sum(
        person.low <= planted[int(person.participant[2:])] <= person.high for person in found.people
    )
    assert inside >= 8
    assert [len(person.steps) for person in found.people] == [24] * 10
    assert sum(level.votes for level in found.levels) == found.votes == 240
    assert "the typical listener's threshold is" in found.sentence
    assert found.sentence in results.sentences


def test_chosen_trials_are_no_comparisons() -> None:
    results = analyse(plan_of(DEFINITION), group([0.03] * 4))
    assert results.votes_analysed == 96
    for other in (results.trials, results.comparisons, results.controls, results.positions):
        assert other == []


def test_of_two_people_each_is_told_and_no_group() -> None:
    (found,) = analyse(plan_of(DEFINITION), group([0.03, 0.05])).staircases
    assert len(found.people) == 2
    assert found.group is None
    assert found.curve == []
    assert "takes three or more" in found.sentence


def test_who_hears_nothing_is_beyond_the_levels() -> None:
    (found,) = analyse(plan_of(DEFINITION), group([9.0] * 3)).staircases
    assert all(person.beyond for person in found.people)
    assert "reaches beyond the levels" in found.sentence


def test_of_no_votes_there_is_nothing() -> None:
    assert analyse(plan_of(DEFINITION), []).staircases == []


def test_each_figure_has_a_name_of_its_own() -> None:
    results = analyse(plan_of(DEFINITION), group([0.03] * 3))
    keys = [
        (one.finding, one.block, one.subject, one.run, one.estimate) for one in figures(results)
    ]
    assert len(keys) == len(set(keys))
    values = {(one.subject, one.estimate): one for one in figures(results)}
    assert values["speech", "threshold"].participants == 3
    assert values["speech: p-1", "threshold"].votes == 24
    assert values["speech at 0.03", "votes"].value == pytest.approx(
        sum(level.votes for level in results.staircases[0].levels if level.level == 0.03)
    )
