"""How often a study shows what its hypotheses declare, were it so: its power, by simulation.

The file is handed out and answered as for `power`, controls included, and each simulated study is
judged by `thinlab.analysis.hypotheses`, which judges the votes of people: directions, smallest
effects, Holm's correction or all together, and looks before the end with their boundaries.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from thinlab.analysis.findings import HypothesisFindings, TogetherFindings
from thinlab.analysis.hypotheses import hypotheses
from thinlab.analysis.interim import is_decided
from thinlab.analysis.looks import Levels, Schedule
from thinlab.analysis.plan import plan_of
from thinlab.analysis.simulated.answers import Answers, simulate
from thinlab.analysis.simulated.cast import Casting
from thinlab.analysis.simulated.declared import Declared, declared_of
from thinlab.analysis.simulated.planting import Planting
from thinlab.analysis.simulated.power import MOST_ANSWERS_AT_ONCE, Assumed, Power
from thinlab.analysis.simulated.presented import Numbers, PresentedBlock, blocks_of
from thinlab.analysis.votes import AnalysedVote, TrialKind
from thinlab.study.definition import StudyDefinition
from thinlab.study.hypothesis import TWO_SIDED, Rule
from thinlab.study.interim_consistency import look_sizes

KINDS: tuple[TrialKind, ...] = ("pair", "single", "control")
SHOWN = {"difference", "small_difference"}
NONE_THAT_MATTERS = {"no_difference", "small_difference"}


@dataclass(frozen=True)
class Found:
    """How often, of the simulated studies."""

    difference: Power
    """Shown, with the effect's sign where there is one."""
    equivalence: Power | None
    """None that matters is shown; none: the file names no smallest effect."""
    mean: float
    """Of the estimates."""


@dataclass(frozen=True)
class Outcome:
    """Of one size and one set of effects."""

    each: Mapping[str, Found]
    """By the hypothesis's id."""
    differences: Power
    """All are shown with `all`, and at least one with `any`."""
    equivalences: Power | None
    """The same of no difference that matters; none: not all have a smallest effect."""
    stopped: Power | None
    """Before the end; none: no looks are planned."""
    participants: float
    """On average, when it stopped or ended."""


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
        counts = _Counts(self.declared, effects, self.plan.rule)
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


@dataclass
class _Counts:
    """What the simulated studies found so far."""

    declared: Sequence[Declared]
    effects: Mapping[str, float]
    rule: Rule
    studies: int = 0
    stopped: int = 0
    people: int = 0
    differences: int = 0
    equivalences: int = 0
    each: dict[str, list[float]] = field(default_factory=dict)
    """By id: differences, equivalences, estimates and their sum."""

    def add(
        self,
        findings: Sequence[HypothesisFindings],
        together: TogetherFindings | None,
        people: int,
        stopped: bool,
    ) -> None:
        """One study."""
        self.studies += 1
        self.stopped += stopped
        self.people += people
        shown, none = [], []
        for one, found in zip(self.declared, findings, strict=True):
            counts = self.each.setdefault(found.id, [0, 0, 0, 0.0])
            shown.append(found.verdict in SHOWN and self._is_right(one, found))
            none.append(found.verdict in NONE_THAT_MATTERS)
            counts[0] += shown[-1]
            counts[1] += none[-1]
            if found.estimate is not None:
                counts[2] += 1
                counts[3] += found.estimate.value
        if together is None:
            self.differences += any(shown)
            self.equivalences += any(none)
        else:
            self.differences += together.differences_shown and all(shown)
            self.equivalences += together.equivalences_shown is True

    def _is_right(self, one: Declared, found: HypothesisFindings) -> bool:
        """Of a two-sided test, the sign; where there is no effect, any is as wrong."""
        if one.one.direction != TWO_SIDED or self.effects[found.id] == 0 or not found.estimate:
            return True
        return found.estimate.value > one.null

    def outcome(self, *, has_looks: bool) -> Outcome:
        """Of all of them."""
        banded = [one.one.smallest_effect is not None for one in self.declared]
        return Outcome(
            each={
                one.one.id: Found(
                    Power(int(self.each[one.one.id][0]), self.studies),
                    Power(int(self.each[one.one.id][1]), self.studies)
                    if one.one.smallest_effect is not None
                    else None,
                    self.each[one.one.id][3] / max(1, self.each[one.one.id][2]),
                )
                for one in self.declared
            },
            differences=Power(self.differences, self.studies),
            equivalences=Power(self.equivalences, self.studies)
            if (all if self.rule == "all" else any)(banded)
            else None,
            stopped=Power(self.stopped, self.studies) if has_looks else None,
            participants=self.people / self.studies,
        )
