"""How often a study that is looked at before its end finds, at any look, what is not so.

Looks are added to a study that declares hypotheses, and each simulated study without any effect is
looked at as a real one would be: the same levels, the same tests. Over all looks, one of the
hypotheses is to be found as seldom as a study that is judged once finds it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from dataclasses import dataclass

from thinlab.analysis.simulated.declared import declared_of
from thinlab.analysis.simulated.declared_power import DeclaredPlanner
from thinlab.analysis.simulated.false_positives import CONFIDENCE, PARTICIPANTS
from thinlab.analysis.simulated.power import Assumed
from thinlab.study.definition import StudyDefinition
from thinlab.study.interim import Interim
from thinlab.study.rules import StopRule

LOOKS = ((0.5,), (0.25, 0.5, 0.75))


@dataclass(frozen=True)
class InterimRate:
    """Of one hypothesis, looked at so often."""

    study: str
    hypothesis: str
    looks: int
    """The end included."""
    recordings_differ: bool
    generalises: bool
    """Else its tests are exact ones, and may find too little."""
    studies: int
    found: int
    found_unadjusted: int
    """Were each look judged at the full level."""

    @property
    def is_narrow(self) -> bool:
        """Whether it is found as often as it may be, and not less."""
        return self.generalises and not self.recordings_differ


def interim_rates(
    definition: StudyDefinition, studies: int, seed: int, *, scale: float = 1.0
) -> Iterator[InterimRate]:
    """Of a study with hypotheses; of others none.

    Where recordings do not differ, the normal boundaries are exact but for what Student's t adds;
    where they do, looks are more alike than is assumed, and less is found.
    """
    for one in declared_of(definition):
        for fractions in LOOKS:
            looked = _looked_at(definition, one.one.id, fractions)
            size = looked.stop.completed if looked.stop else None
            for differ in (0.0, scale):
                planner = DeclaredPlanner(looked, studies, seed, Assumed(recordings=differ))
                found = planner.power({one.one.id: 0.0}, size or PARTICIPANTS)
                naive = planner.unadjusted({one.one.id: 0.0}, size or PARTICIPANTS)
                yield InterimRate(
                    study=definition.slug,
                    hypothesis=one.one.id,
                    looks=len(fractions) + 1,
                    recordings_differ=differ > 0,
                    generalises=one.generalises,
                    studies=studies,
                    found=found.each[one.one.id].difference.found,
                    found_unadjusted=naive.each[one.one.id].difference.found,
                )


def _looked_at(
    definition: StudyDefinition, hypothesis: str, fractions: tuple[float, ...]
) -> StudyDefinition:
    """The study with this hypothesis alone, two-sided, and with looks."""
    plan, stop = definition.analysis, definition.stop
    assert plan is not None, "it declares hypotheses"  # noqa: S101
    mine = tuple(
        one.model_copy(update={"direction": "two_sided", "smallest_effect": None})
        for one in plan.hypotheses or ()
        if one.id == hypothesis
    )
    changed = plan.model_copy(
        update={
            "hypotheses": mine,
            "rule": None,
            "confidence": CONFIDENCE,
            "interim": Interim(looks=fractions),
        }
    )
    wanted = PARTICIPANTS if stop is None else stop.completed or PARTICIPANTS
    return definition.model_copy(update={"analysis": changed, "stop": StopRule(completed=wanted)})
