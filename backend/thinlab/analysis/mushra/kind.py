"""Scores beside a reference, as a kind of result.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator

from thinlab.analysis.figure import Figure, of_estimate, two
from thinlab.analysis.findings import Estimate
from thinlab.analysis.mushra.findings import BesideDifference, MushraPart
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said
from thinlab.analysis.votes import AnalysisPlan
from thinlab.analysis.wording import counted

SPREAD = ("median", "lower_quartile", "upper_quartile", "lower_whisker", "upper_whisker")


class MushraKind(ResultKind[MushraPart, None]):
    """Several sounds on one page."""

    name = "mushra"
    part = MushraPart

    def applies(self, plan: AnalysisPlan) -> bool:
        """Only where sounds are rated beside their reference."""
        return any(block.scale == "mushra" for block in plan.blocks)

    def found(self, case: Case, needed: None) -> MushraPart:  # noqa: ARG002
        """Conditions and their differences."""
        from thinlab.analysis.mushra.found import beside_reference

        return beside_reference(case)

    def with_primary(self, found: MushraPart, judged: Callable[[Estimate], Estimate]) -> MushraPart:
        """Differences between conditions that were declared."""

        def of_two(one: BesideDifference) -> BesideDifference:
            if not one.primary or one.difference.p_value is None:
                return one
            return one.model_copy(update={"difference": judged(one.difference)})

        told = [of_two(one) for one in found.beside_differences]
        return found.model_copy(update={"beside_differences": told})

    def sentences(self, found: MushraPart) -> Iterator[Said]:
        """Conditions over all clips, and how they differ."""
        for one in found.beside:
            if one.clip is None:
                hidden = ", the hidden reference," if one.is_reference else ""
                spread = f"{one.lower_quartile:g} to {one.upper_quartile:g}"
                told = f"{one.condition}{hidden} had a median of {one.median:g}"
                votes = counted(one.votes, "rating")
                yield Rank.FINDING, f"{told} (interquartile range {spread}; {votes})."
                yield Rank.FINDING, one.mean.sentence
        for difference in found.beside_differences:
            rank = Rank.PRIMARY if difference.primary else Rank.FINDING
            yield rank, difference.difference.sentence

    def figures(self, found: MushraPart) -> Iterator[Figure]:
        """Conditions, with each clip as well; then differences."""
        for one in found.beside:
            subject = one.condition if one.clip is None else f"{one.condition} with {one.clip}"
            for name in SPREAD:
                yield Figure("beside", one.block, subject, name, getattr(one, name))
            yield of_estimate("beside", one.block, subject, "mean", one.mean)
        for each in found.beside_differences:
            subject = two(each.condition_a, each.condition_b)
            yield of_estimate("difference", each.block, subject, "difference", each.difference)
