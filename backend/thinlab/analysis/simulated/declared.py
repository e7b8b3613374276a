"""What a study file's hypotheses are about, as far as a simulation has to know.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from dataclasses import dataclass

from thinlab.analysis.compared import SHARES, Unit, trials_of, unit
from thinlab.analysis.crossed import FEWEST_RECORDINGS
from thinlab.analysis.plan import plan_of
from thinlab.analysis.votes import AnalysedBlock
from thinlab.study.definition import StudyDefinition
from thinlab.study.hypothesis import ControlHypothesis, Hypothesis, TrialHypothesis
from thinlab.study.scale import RATED, ScaleKind
from thinlab.study.trial import member_conditions, runs_of

# No effect, and small, middling and large ones where the file names no smallest that matters.
USUAL: Mapping[Unit, tuple[float, ...]] = {
    "share": (0.0, 0.1, 0.2, 0.3),
    "share_right": (0.0, 0.1, 0.2, 0.3),
    "cmos": (0.0, 0.25, 0.5, 1.0),
    "mos": (0.0, 0.25, 0.5, 1.0),
    "difference_of_shares": (0.0, 0.1, 0.2, 0.3),
}
STEPS_OF_FIVE = 4
# Multiples of the smallest that matters, and how large they may become.
OF_SMALLEST = (0.0, 1.0, 1.5, 2.0)
LARGEST: Mapping[Unit, float] = {
    "share": 0.4,
    "share_right": 0.4,
    "cmos": 2.0,
    "mos": 2.5,
    "difference_of_shares": 0.5,
}


@dataclass(frozen=True)
class Declared:
    """A hypothesis, and what its simulation needs to know of the file."""

    one: Hypothesis
    unit: Unit
    block: str
    scale: ScaleKind
    ties: bool
    """Whether "no difference" may be said."""
    conditions: tuple[str, str] | None
    """a and b; of controls none."""
    trials: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    """Of each trial, its conditions."""
    recordings: int
    """Behind its estimate, those of controls included."""

    @property
    def asked(self) -> tuple[str, ...]:
        """All trials that it rests on."""
        controls = self.one.controls if isinstance(self.one, ControlHypothesis) else ()
        return (*self.trials, *controls)

    @property
    def generalises(self) -> bool:
        """Whether it is about other losses than those of its recordings."""
        return self.recordings >= FEWEST_RECORDINGS

    @property
    def sign(self) -> int:
        """Of the effect that is looked for: for b, or where a is expected to be better, for a."""
        is_a = self.conditions is not None and self.one.direction == self.conditions[0]
        return -1 if is_a else 1

    @property
    def null(self) -> float:
        """The estimate without any effect."""
        return 0.5 if self.unit in SHARES else 0.0

    @property
    def effects(self) -> tuple[float, ...]:
        """None, and three that are worth knowing about: distances from none."""
        smallest = self.one.smallest_effect
        # In steps of a scale of five; where others rate, in as large a part of theirs.
        steps = 1.0
        if self.unit == "mos":
            steps = (RATED[self.scale].highest - RATED[self.scale].lowest) / STEPS_OF_FIVE
        if smallest is None:
            return tuple(one * steps for one in USUAL[self.unit])
        largest = max(LARGEST[self.unit] * steps, smallest)
        return tuple(min(times * smallest, largest) for times in OF_SMALLEST)


def declared_of(definition: StudyDefinition) -> list[Declared]:
    """Every hypothesis, in the file's order."""
    plan = plan_of(definition)
    scales = {trial: block for block in plan.blocks for trial in block.trials}
    return [_declared(definition, one, scales) for one in plan.hypotheses]


def _declared(
    definition: StudyDefinition, one: Hypothesis, scales: dict[str, AnalysedBlock]
) -> Declared:
    trials = [definition.trial(name)[1] for name in trials_of(one)]
    block, first = definition.trial(trials_of(one)[0])
    heard = list(trials)
    conditions: tuple[str, ...] | None
    if isinstance(one, ControlHypothesis):
        conditions = None
        heard += [definition.trial(name)[1] for name in one.controls]
    else:
        conditions = (
            member_conditions(first) if isinstance(one, TrialHypothesis) else one.conditions
        )
    return Declared(
        one=one,
        unit=unit(one, scales),
        block=block.id,
        scale=block.scale.kind,
        ties=scales[first.id].no_difference,
        conditions=(conditions[0], conditions[1]) if conditions else None,
        trials=trials_of(one),
        members=tuple(member_conditions(trial) for trial in trials),
        recordings=sum(runs_of(trial) for trial in heard),
    )
