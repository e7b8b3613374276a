"""How often a study finds what its primary tests are about, were it so: its power, by simulation.

The study file itself is handed out, answered, and tested as the results page does: its rows, runs
and sides, its scales, its primary tests and their correction. Participants and recordings are both
drawn anew in each study, so that power has the bounds that few recordings set, whoever takes part
(Westfall, Kenny, Judd: Statistical power and optimal design in experiments in which samples of
participants respond to samples of stimuli. J Experimental Psychology: General 143, 2014).

SPDX-License-Identifier: Apache-2.0
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import stats

from thinlab.analysis.correction import holm
from thinlab.analysis.crossed import Array
from thinlab.analysis.simulated.answers import Planted, simulate
from thinlab.analysis.simulated.many import Tested
from thinlab.analysis.simulated.planted import planted
from thinlab.analysis.simulated.presented import PresentedBlock, blocks_of
from thinlab.analysis.simulated.primary import PrimaryTest, outcomes, primary_tests
from thinlab.analysis.simulated.scales import SIMULATED, Effects
from thinlab.study.definition import StudyDefinition
from thinlab.study.scale import RATINGS, ScaleKind

# Numbers of participants that are tried for a power: about an eighth apart, 1000 at most.
LADDER = (*range(8, 16), *range(16, 32, 2), *range(32, 64, 4), *range(64, 128, 8))
LADDER += (*range(128, 256, 16), *range(256, 512, 32), *range(512, 1000, 64), 1000)
FEWEST, MOST = LADDER[0], LADDER[-1]
# Of all studies together, so that memory does not grow with them.
MOST_ANSWERS_AT_ONCE = 2_000_000


class EffectError(ValueError):
    """An effect that votes on a scale cannot show."""


@dataclass(frozen=True)
class Assumed:
    """What nobody knows before the first vote."""

    recordings: float = 1.0
    """How much recordings differ, as a multiple of what `SIMULATED` says."""
    participants: float = 1.0
    """How much participants differ."""
    excluded: float = 0.0
    """The share of completed sessions that the analysis leaves out."""

    def of(self, scale: ScaleKind) -> Effects:
        """What listeners and recordings add on a scale."""
        stated = SIMULATED[scale].effects
        return replace(
            stated,
            recordings=self.recordings * stated.recordings,
            listeners=self.participants * stated.listeners,
            tastes=self.participants * stated.tastes,
        )


@dataclass(frozen=True)
class Power:
    """How many of the simulated studies find an effect of its sign."""

    found: int
    studies: int

    @property
    def share(self) -> float:
        """The power."""
        return self.found / self.studies

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """What so few simulated studies leave open (Wilson)."""
        ends = stats.binomtest(self.found, self.studies).proportion_ci(confidence, method="wilson")
        return float(ends.low), float(ends.high)


@dataclass
class Planner:
    """Simulates one study file, with as many participants and as large an effect as asked for.

    Raises `ValueError` where the file plans no test.

    Every primary pair has the effect at once; conditions that are judged alone have it two by two,
    and others lie between. A test on too few recordings to be about others is planned for
    these: there, recordings do not differ.
    """

    definition: StudyDefinition
    studies: int
    seed: int
    assumed: Assumed = Assumed()
    simulated: int = 0
    """So many studies so far."""
    _known: dict[tuple[float, int], Mapping[str, Power]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Finds what is tested."""
        self.tests = primary_tests(self.definition)
        plan = self.definition.analysis
        if plan is None or not self.tests:
            raise ValueError(f"{self.definition.slug} plans no test: name trials in `analysis`")
        self._plan = plan

    def power(self, effect: float, participants: int) -> Mapping[str, Power]:
        """Of each primary test, by its name. Raises `EffectError`."""
        key = (effect, participants)
        if key not in self._known:
            self._known[key] = self._power(effect, participants)
        return self._known[key]

    def needed(self, test: PrimaryTest, effect: float, power: float) -> int | None:
        """About as many participants as reach the power; none where `MOST` do not."""

        def reaches(participants: int) -> bool:
            return self.power(effect, participants)[test.name].share >= power

        if not reaches(MOST):
            return None
        first: int = LADDER[bisect_left(LADDER, x=True, key=reaches)]
        return first

    def _power(self, effect: float, participants: int) -> Mapping[str, Power]:
        alone = [test for test in self.tests if test.scale in RATINGS]
        # Two conditions at a time can be apart by the effect; pairs are, whichever two it is.
        found: dict[str, Power] = {}
        for turn in range(max(1, len(alone))):
            shown = [test for test in self.tests if test.scale not in RATINGS] + alone[
                turn : turn + 1
            ]
            for name, power in self._scenario(shown, effect, participants, turn).items():
                found.setdefault(name, power)
        return found

    def _scenario(
        self, shown: Sequence[PrimaryTest], effect: float, participants: int, turn: int
    ) -> Mapping[str, Power]:
        chance = np.random.default_rng([self.seed, participants, turn])
        blocks = []
        for block in blocks_of(self.definition, participants, self.seed):
            tests = [test for test in self.tests if test.block == block.id]
            if tests:
                analysed = _analysed(block, tests, self.assumed.excluded, chance)
                blocks.append((analysed, tests, self._planted(analysed, tests, shown, effect)))
        answers = participants * sum(len(test.trials) for test in self.tests)
        at_once = max(1, MOST_ANSWERS_AT_ONCE // answers)
        found = dict.fromkeys((test.name for test in shown), 0)
        for start in range(0, self.studies, at_once):
            studies = min(at_once, self.studies - start)
            results: dict[str, Tested] = {}
            for block, tests, there in blocks:
                given = simulate(block, self.assumed.of(block.scale), studies, chance, there)
                results |= {test.name: outcomes(test, block, given) for test in tests}
            for name, p_value in self._corrected(results).items():
                if name in found:
                    below = p_value < 1 - self._plan.confidence
                    found[name] += int(np.sum(below & (results[name].values > 0)))
        self.simulated += self.studies
        return {name: Power(count, self.studies) for name, count in found.items()}

    def _corrected(self, results: Mapping[str, Tested]) -> Mapping[str, Array]:
        p_values = np.array([results[test.name].p_values for test in self.tests])
        if self._plan.correction == "holm":
            p_values = _after_holm(p_values)
        return dict(zip((test.name for test in self.tests), p_values, strict=True))

    def _planted(
        self,
        block: PresentedBlock,
        tests: Sequence[PrimaryTest],
        shown: Sequence[PrimaryTest],
        effect: float,
    ) -> Planted:
        effects = self.assumed.of(block.scale)
        shifts: dict[str, float] = {}
        for test in (test for test in shown if test.block == block.id):
            own = effects if test.generalises else replace(effects, recordings=0.0)
            shift = planted(effect, test.scale, own, ties=block.ties)
            if shift is None:
                raise EffectError(f"votes of {test.name} cannot show an effect of {effect:g}")
            for trial in block.trials:
                if trial.id in test.trials:
                    half = shift / 2 if trial.rated == test.b else -shift / 2
                    shifts[trial.id] = half if test.scale in RATINGS else shift
        few = frozenset(name for test in tests if not test.generalises for name in test.trials)
        return Planted(shifts, alike=few)


def _analysed(
    block: PresentedBlock,
    tests: Sequence[PrimaryTest],
    excluded: float,
    chance: np.random.Generator,
) -> PresentedBlock:
    """The primary trials, without whom the analysis leaves out: by chance, whatever they had."""
    left = block.participants - round(excluded * block.participants)
    kept = np.sort(chance.permutation(block.participants)[:left])
    names = {name for test in tests for name in test.trials}
    return replace(
        block,
        participants=left,
        trials=tuple(
            replace(trial, run=trial.run[kept], b_first=trial.b_first[kept])
            for trial in block.trials
            if trial.id in names
        ),
    )


def _after_holm(p_values: Array) -> Array:
    """A row a test, a column a study; tests that a study has no p-value of are not counted."""
    adjusted = p_values.copy()
    for study in range(p_values.shape[1]):
        there = ~np.isnan(p_values[:, study])
        adjusted[there, study] = holm(p_values[there, study].tolist())
    return adjusted
