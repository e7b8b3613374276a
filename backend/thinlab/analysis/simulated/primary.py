"""What a study file's plan tests, and how each test is made of simulated answers.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from thinlab.analysis.crossed import FEWEST_RECORDINGS
from thinlab.analysis.simulated import many
from thinlab.analysis.simulated.answers import NO_DIFFERENCE, Answers
from thinlab.analysis.simulated.column import rated_difference
from thinlab.analysis.simulated.many import Tested
from thinlab.analysis.simulated.presented import PresentedBlock, PresentedTrial, in_both_orders
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.scale import RATINGS, ScaleKind
from thinlab.study.trial import PairTrial, SingleTrial, rated_condition, runs_of


@dataclass(frozen=True)
class PrimaryTest:
    """One p-value that the study is about: of a pair, or of two conditions that are rated."""

    name: str
    """The trial's, or that of block and conditions; no other test has it."""
    block: str
    scale: ScaleKind
    a: str
    b: str
    trials: tuple[str, ...]
    recordings: int

    @property
    def generalises(self) -> bool:
        """Whether it is about other losses than those of its recordings."""
        return self.recordings >= FEWEST_RECORDINGS


def primary_tests(definition: StudyDefinition) -> list[PrimaryTest]:
    """Every primary test, in the order in which the results page corrects them."""
    if definition.analysis is None:
        return []
    primary = frozenset(definition.analysis.primary)
    blocks = [block for block in definition.blocks if block.role == "trials"]
    pairs = [test for block in blocks for test in _pairs(block, primary)]
    return pairs + [test for block in blocks for test in _differences(block, primary)]


def _pairs(block: Block, primary: frozenset[str]) -> Iterator[PrimaryTest]:
    for trial in block.trials:
        if isinstance(trial, PairTrial) and trial.id in primary and block.scale.kind not in RATINGS:
            a, b = trial.conditions
            runs = runs_of(trial)
            yield PrimaryTest(trial.id, block.id, block.scale.kind, a, b, (trial.id,), runs)


def _differences(block: Block, primary: frozenset[str]) -> Iterator[PrimaryTest]:
    """Over the clips that both conditions have primary trials with."""
    if block.scale.kind not in RATINGS:
        return
    rating = [trial for trial in block.trials if isinstance(trial, SingleTrial | PairTrial)]
    declared = [trial for trial in rating if trial.id in primary]
    # In the order of all trials of the block, as the results page has them.
    for a, b in combinations(dict.fromkeys(rated_condition(trial) for trial in rating), 2):
        clips = {
            name: {trial.clip for trial in declared if rated_condition(trial) == name}
            for name in (a, b)
        }
        trials = [
            trial
            for trial in declared
            if rated_condition(trial) in {a, b} and trial.clip in clips[a] & clips[b]
        ]
        if trials:
            names = tuple(trial.id for trial in trials)
            recordings = sum(runs_of(trial) for trial in trials)
            name = f"{block.id}: {b} − {a}"
            yield PrimaryTest(name, block.id, block.scale.kind, a, b, names, recordings)


def outcomes(test: PrimaryTest, block: PresentedBlock, answers: Mapping[str, Answers]) -> Tested:
    """The estimate, of b against a, and the p-value before any correction."""
    trials = [trial for trial in block.trials if trial.id in test.trials]
    found = _difference(test, trials, answers) if test.scale in RATINGS else None
    if test.scale == "preference":
        (trial,) = trials
        given = answers[trial.id].given
        shares = many.shares((given == 0) == trial.b_first, given != NO_DIFFERENCE, trial.run)
        p_values = (
            shares.p_values if in_both_orders(trials) else np.full_like(shares.values, np.nan)
        )
        return Tested(shares.values - 0.5, p_values)
    if test.scale == "abx":
        (trial,) = trials
        given = answers[trial.id].given
        shares = many.shares(given == 1, np.ones_like(given, dtype=np.bool_), trial.run)
        return Tested(shares.values - 0.5, shares.p_values)
    if test.scale == "ccr":
        (trial,) = trials
        x = np.column_stack([np.where(trial.b_first, -1.0, 1.0), np.ones(block.participants)])
        scores = answers[trial.id].given.astype(np.float64)
        found = many.least_squares(x, scores, np.arange(block.participants), trial.run)
    if found is None:
        nothing = np.full(len(answers[trials[0].id].given), np.nan)
        return Tested(nothing, nothing)
    return found


def _difference(
    test: PrimaryTest, trials: list[PresentedTrial], answers: Mapping[str, Answers]
) -> Tested | None:
    given = np.concatenate([answers[trial.id].given for trial in trials], axis=1)
    return many.least_squares(
        rated_difference(trials, [trial.rated == test.b for trial in trials]),
        given.astype(np.float64),
        np.tile(np.arange(len(trials[0].run)), len(trials)),
        np.concatenate([answers[trial.id].recording for trial in trials]),
        levels=True,
    )
