"""How often a study shows what its hypotheses declare, were it so: its power, by simulation.

The file is handed out and answered as for `power`, controls included, and each simulated study is
judged by `thinlab.analysis.hypotheses.judged`, which judges the votes of people: directions,
smallest effects, Holm's correction or all together, and looks before the end with their boundaries.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from thinlab.analysis.hypotheses.interim import is_decided
from thinlab.analysis.hypotheses.judged import hypotheses
from thinlab.analysis.looks import Levels, Schedule
from thinlab.analysis.plan import plan_of
from thinlab.analysis.simulated.answers import Answers, simulate
from thinlab.analysis.simulated.cast import Casting
from thinlab.analysis.simulated.declared import Declared, declared_of
from thinlab.analysis.simulated.outcome import Counts, Found, Outcome
from thinlab.analysis.simulated.planting import Planting
from thinlab.analysis.simulated.power import MOST_ANSWERS_AT_ONCE, Assumed
from thinlab.analysis.simulated.presented import Numbers, PresentedBlock, blocks_of
from thinlab.analysis.votes import AnalysedVote, TrialKind
from thinlab.study.definition import StudyDefinition
from thinlab.study.interim_consistency import look_sizes

if TYPE_CHECKING:
    from thinlab.analysis.hypotheses.findings import HypothesisFindings, TogetherFindings

KINDS: tuple[TrialKind, ...] = ("pair", "single", "control")


@dataclass
class DeclaredPlanner:
    """Simulates one study file with as many participants, and as large effects, as asked for.

    Raises `ValueError` where the file declares no hypotheses.

    All hypotheses have their effects at once. Of two that would plant different effects in one
    trial, each is simulated in turn, and what the other one finds is not told.
    """

    definition: StudyDefinition
    studies: int
    seed: int
    assumed: Assumed = field(default_factory=Assumed)
    told: Callable[[], None] = lambda: None
    """Called after each simulated study."""
    simulated: int = 0
    """So many studies so far."""
    declared: list[Declared] = field(init=False)

    def __post_init__(self) -> None:
        """Finds what is declared."""
        self.declared = declared_of(self.definition)
        if not self.declared:
            raise ValueError(f"{self.definition.slug} declares no `hypotheses`")
        self.plan = plan_of(self.definition)
        self.has_looks = bool(self.plan.looks)

    def power(self, effects: Mapping[str, float], participants: int) -> Outcome:
        """`effects`: distances from none, by id. Raises `EffectError`."""
        first: Outcome | None = None
        each: dict[str, Found] = {}
        waiting = list(self.declared)
        turn = 0
        while waiting:
            order = [*waiting, *(one for one in self.declared if one not in waiting)]
            planting = Planting(order, effects, self.assumed)
            stages = self._stages(participants)
            outcome = self._scenario(planting, effects, participants, turn, stages)
            each |= {
                one.one.id: outcome.each[one.one.id] for one in waiting if one in planting.placed
            }
            waiting = [one for one in waiting if one not in planting.placed]
            first = first or outcome
            turn += 1
        assert first is not None, "there is a hypothesis"  # noqa: S101
        return replace(first, each=each)

    def unadjusted(self, effects: Mapping[str, float], participants: int) -> Outcome:
        """As `power`, were each look judged at the full level: what planned looks are against."""
        level = Levels.without_looks(self.plan.confidence)
        stages = [(people, level) for people, _ in self._stages(participants)]
        planting = Planting(self.declared, effects, self.assumed)
        return self._scenario(planting, effects, participants, 0, stages)

    def at_level(self, level: int, participants: int) -> Outcome:
        """With the effects of one size, of which all have as many. Raises `EffectError`."""
        effects = {one.one.id: one.effects[level] for one in self.declared}
        return self.power(effects, participants)

    def _scenario(
        self,
        planting: Planting,
        effects: Mapping[str, float],
        participants: int,
        turn: int,
        stages: Sequence[tuple[int, Levels]],
    ) -> Outcome:
        chance = np.random.default_rng([self.seed, participants, turn])
        names = {name for one in self.declared for name in one.asked}
        left = _left(participants, self.assumed.excluded)
        people = np.sort(chance.permutation(participants)[:left])
        everything = blocks_of(self.definition, participants, self.seed, kinds=KINDS)
        blocks = [_asking(block, names, people) for block in everything]
        blocks = [block for block in blocks if block.trials]
        castings = [Casting(block) for block in blocks]
        counts = Counts(self.declared, effects, self.plan.rule)
        at_once = max(1, MOST_ANSWERS_AT_ONCE // (participants * len(names)))
        for start in range(0, self.studies, at_once):
            studies = min(at_once, self.studies - start)
            answers = [
                simulate(
                    block,
                    self.assumed.of(block.scale),
                    studies,
                    chance,
                    planting.of(block),
                )
                for block in blocks
            ]
            for study in range(studies):
                counts.add(*self._judged(castings, answers, study, stages))
                self.simulated += 1
                self.told()
        return counts.outcome(has_looks=self.has_looks)

    def _stages(self, participants: int) -> list[tuple[int, Levels]]:
        """How many are analysed at each look, and at which levels."""
        plan = self.definition.analysis
        interim = plan and plan.interim
        sizes = look_sizes(interim, participants) if interim else (participants,)
        if not interim:
            left = _left(participants, self.assumed.excluded)
            return [(left, Levels.without_looks(self.plan.confidence))]
        stages: list[tuple[int, Levels]] = []
        for size in sizes:
            analysed = _left(size, self.assumed.excluded)
            schedule = Schedule(participants, tuple(count for count, _ in stages))
            levels = schedule.levels(analysed, self.plan.confidence, last=size == participants)
            stages.append((analysed, levels))
        return stages

    def _judged(
        self,
        castings: Sequence[Casting],
        answers: Sequence[Mapping[str, Answers]],
        study: int,
        stages: Sequence[tuple[int, Levels]],
    ) -> "tuple[list[HypothesisFindings], TogetherFindings | None, int, bool]":
        for number, (people, levels) in enumerate(stages, 1):
            votes: list[AnalysedVote] = []
            for casting, given in zip(castings, answers, strict=True):
                votes += casting.votes(given, study, people)
            findings, together = hypotheses(self.plan, votes, levels)
            is_last = number == len(stages)
            if is_last or is_decided(findings, together):
                return findings, together, people, not is_last
        raise AssertionError("there is a last stage")


def _left(participants: int, excluded: float) -> int:
    return participants - round(excluded * participants)


def _asking(block: PresentedBlock, names: Collection[str], people: Numbers) -> PresentedBlock:
    """These trials alone, as these people get them."""
    return replace(
        block,
        participants=len(people),
        trials=tuple(
            replace(trial, run=trial.run[people], b_first=trial.b_first[people])
            for trial in block.trials
            if trial.id in names
        ),
    )
