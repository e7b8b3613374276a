"""At which level a study is judged that is looked at before its end.

Information is counted in participants who are analysed. That errs on the safe side where
recordings are a sample too: what they add to the variance is the same at each look, so that looks
are more alike than they are taken for, and together find less by chance.

A look's p-values are of Student's t, and judged at the level that the boundary of the normal
statistic has (Jennison, Turnbull: Group sequential methods with applications to clinical trials.
2000, section 3.3). The interval at that level is the repeated one: all looks' intervals together
cover the truth at the study's confidence (chapter 9). One-sided tests, the two of equivalence
among them, spend on one side only.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from thinlab.analysis.boundary import critical_values, nominal, spent
from thinlab.study.hypothesis import TWO_SIDED, Hypothesis

# An interval at no level at all would be endless.
LEAST = 1e-10


@dataclass(frozen=True)
class Levels:
    """At which p-values are judged."""

    two_sided: float
    one_sided: float

    @classmethod
    def without_looks(cls, confidence: float) -> "Levels":
        """Of a study that is judged once."""
        return cls(1 - confidence, 1 - confidence)

    def of(self, one: Hypothesis) -> float:
        """At which its difference is judged."""
        return self.two_sided if one.direction == TWO_SIDED else self.one_sided


@dataclass(frozen=True)
class Schedule:
    """How much information there was at each look so far, and how much was planned."""

    planned: int
    """Participants at the last look."""
    analysed: tuple[int, ...] = ()
    """At each look that was taken, in order."""

    def fraction(self, analysed: int) -> float:
        """Of the planned information."""
        return min(1.0, analysed / self.planned)

    def levels(self, analysed: int, confidence: float, *, last: bool) -> Levels:
        """At the next look, with so many; the `last` may spend all that is left.

        Where a look adds nobody to the one before, nothing can be found at it.
        """
        seen = [*self.analysed, analysed]
        if any(after <= before for before, after in zip([0, *seen], seen, strict=False)):
            return Levels(LEAST, LEAST)
        alpha = 1 - confidence
        found = []
        for sides in (2, 1):
            spending = [spent(self.fraction(count), alpha, sides) for count in seen]
            if last:
                spending[-1] = alpha
            critical = critical_values([float(count) for count in seen], spending, sides)
            found.append(max(LEAST, nominal(critical[-1], sides)))
        return Levels(*found)
