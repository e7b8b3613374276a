"""How often "no difference that matters" is found where there is one that just matters.

The effect that is planted is the smallest that matters, in what the analysis estimates: a share
among votes with a preference, CMOS, a difference of MOS. Two one-sided tests then find that it is
smaller in at most 1 − confidence of studies: in as many where intervals are so narrow that the
other end of what would not matter is never in doubt, and in fewer where they are wider.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from thinlab.analysis import linear
from thinlab.analysis.compared import Tails
from thinlab.analysis.crossed import FEWEST_RECORDINGS, Array
from thinlab.analysis.hypotheses.judged import equivalence
from thinlab.analysis.proportion import proportion
from thinlab.analysis.simulated.answers import (
    NO_DIFFERENCE,
    Answers,
    Planted,
    simulate,
)
from thinlab.analysis.simulated.column import Column, rated_difference
from thinlab.analysis.simulated.false_positives import CONFIDENCE, PARTICIPANTS
from thinlab.analysis.simulated.planted import NO_EFFECT, planted
from thinlab.analysis.simulated.presented import (
    PresentedBlock,
    PresentedTrial,
    blocks_of,
    in_both_orders,
)
from thinlab.analysis.simulated.scales import EFFECTS, SIMULATED, Effects
from thinlab.study.definition import StudyDefinition
from thinlab.study.scale import RATINGS, ScaleKind

# Of so many studies at most may the other end be in doubt.
SELDOM = 0.01


@dataclass(frozen=True)
class EquivalenceRate:
    """Of one kind of finding of a study."""

    study: str
    finding: str
    recordings: int
    smallest: float
    tests: int
    found: int
    in_doubt: int
    """Where the interval reaches beyond the other end as well."""

    @property
    def is_narrow(self) -> bool:
        """Whether it is found as often as it may be, and not less."""
        return self.recordings >= FEWEST_RECORDINGS and self.in_doubt <= SELDOM * self.tests


@dataclass(frozen=True)
class _Test:
    """A finding, the trials that it is made of, and the effect that each of them gets."""

    finding: str
    scale: ScaleKind
    trials: tuple[PresentedTrial, ...]
    signs: Mapping[str, float]

    @property
    def recordings(self) -> int:
        return sum(trial.runs for trial in self.trials)


def equivalence_rates(
    definition: StudyDefinition, studies: int, seed: int, *, scale: float = 1.0
) -> list[EquivalenceRate]:
    """`scale`: how much recordings differ, as a multiple of `EFFECTS`."""
    stop = definition.stop
    participants = PARTICIPANTS if stop is None else stop.completed or PARTICIPANTS
    chance = np.random.default_rng(seed)
    counts: dict[tuple[str, int, float], list[int]] = {}
    for block in blocks_of(definition, participants, seed):
        for test in _tests(block):
            effects = EFFECTS[test.scale]
            few = test.recordings < FEWEST_RECORDINGS
            effects = replace(effects, recordings=0.0 if few else scale * effects.recordings)
            answers = simulate(block, effects, studies, chance, _planted(test, effects, block))
            smallest, null = SIMULATED[test.scale].smallest, NO_EFFECT[test.scale]
            count = counts.setdefault((test.finding, test.recordings, smallest), [0, 0, 0])
            for study in range(studies):
                tails = _tails(test, answers, study)
                count[0] += 1
                if tails is None:
                    count[2] += 1
                    continue
                count[1] += equivalence(tails, null, smallest) < 1 - CONFIDENCE
                # The effect is at the end above for b, so the other is the one below.
                count[2] += tails.p_above(null - smallest) >= 1 - CONFIDENCE
    return [
        EquivalenceRate(definition.slug, finding, recordings, smallest, *count)
        for (finding, recordings, smallest), count in counts.items()
    ]


def _tests(block: PresentedBlock) -> Iterator[_Test]:
    """Trials and comparisons, as `false_positives` has them; each is simulated anew."""
    if block.scale in RATINGS:
        for a, b in combinations(dict.fromkeys(one.rated for one in block.trials), 2):
            trials = tuple(one for one in block.trials if one.rated in {a, b})
            signs = {one.id: 0.5 if one.rated == b else -0.5 for one in trials}
            yield _Test("difference of MOS", block.scale, trials, signs)
        return
    scale = block.scale
    name = {"ccr": "CMOS", "abx": "share of right answers"}.get(scale, "share")
    compared: dict[frozenset[str], list[PresentedTrial]] = {}
    for trial in block.trials:
        if scale != "preference" or in_both_orders([trial]):
            yield _Test(f"{name}, one trial", scale, (trial,), {trial.id: 1.0})
        compared.setdefault(frozenset(trial.conditions), []).append(trial)
    for together in compared.values():
        if len(together) > 1 and (scale != "preference" or in_both_orders(together)):
            of_first = together[0].conditions
            same = {one.id: one.conditions == of_first or scale == "abx" for one in together}
            signs = {name: 1.0 if is_same else -1.0 for name, is_same in same.items()}
            yield _Test(f"{name}, comparison", scale, tuple(together), signs)


def _planted(test: _Test, effects: Effects, block: PresentedBlock) -> Planted:
    effect = NO_EFFECT[test.scale] + SIMULATED[test.scale].smallest
    shift = planted(effect, test.scale, effects, ties=block.ties)
    assert shift is not None, "all scales show as much"  # noqa: S101
    return Planted({name: sign * shift for name, sign in test.signs.items()})


def _tails(test: _Test, answers: Mapping[str, Answers], study: int) -> Tails | None:
    votes = Column.of(list(test.trials), answers, study)
    if test.scale in {"preference", "abx"}:
        decided = votes.given != NO_DIFFERENCE
        for_b = (votes.given == 0) == votes.b_first
        hits = (votes.given == 1 if test.scale == "abx" else for_b)[decided]
        return proportion(
            hits.tolist(),
            _names(votes.person[decided]),
            2 * CONFIDENCE - 1,
            recordings=_names(votes.recording[decided]),
        )
    scores = votes.given.astype(np.float64)
    fitted = linear.least_squares(
        _design(test, votes),
        scores,
        votes.person,
        votes.recording,
        CONFIDENCE,
        levels=test.scale in RATINGS,
    )
    return fitted[0].told.student if fitted else None


def _names(numbers: np.ndarray) -> Sequence[str]:
    return [str(one) for one in numbers]


def _design(test: _Test, votes: Column) -> Array:
    """What is fitted. CCR: preference and order; else as ratings are."""
    if test.scale == "ccr":
        toward = np.where(votes.b_first, -1.0, 1.0)
        return np.column_stack([toward, np.ones(len(toward))])
    return rated_difference(test.trials, [test.signs[one.id] > 0 for one in test.trials])
