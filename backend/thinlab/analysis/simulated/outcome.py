"""What simulated studies found of their hypotheses, counted.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from thinlab.analysis.hypotheses.findings import HypothesisFindings, TogetherFindings
from thinlab.analysis.simulated.declared import Declared
from thinlab.analysis.simulated.power import Power
from thinlab.study.hypothesis import TWO_SIDED, Rule

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
class Counts:
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
