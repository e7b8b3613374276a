"""Telling two apart, as a kind of result.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator

from thinlab.analysis.discrimination.findings import DiscriminationFindings, DiscriminationPart
from thinlab.analysis.figure import Figure, of_estimate, of_runs, two
from thinlab.analysis.findings import Estimate
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said


class DiscriminationKind(ResultKind[DiscriminationPart, None]):
    """ABX: how often X was told rightly."""

    name = "discrimination"
    part = DiscriminationPart

    def found(self, case: Case, needed: None) -> DiscriminationPart:  # noqa: ARG002
        """Over all trials, and trial by trial."""
        from thinlab.analysis.discrimination.found import discriminations

        return discriminations(case)

    def with_primary(
        self, found: DiscriminationPart, judged: Callable[[Estimate], Estimate]
    ) -> DiscriminationPart:
        """Trials that were declared."""

        def of_one(one: DiscriminationFindings) -> DiscriminationFindings:
            if not one.primary or one.share is None or one.share.p_value is None:
                return one
            return one.model_copy(update={"share": judged(one.share)})

        told = [of_one(one) for one in found.discriminations]
        return found.model_copy(update={"discriminations": told})

    def sentences(self, found: DiscriminationPart) -> Iterator[Said]:
        """Primary trials, what is said over all trials, then the other trials."""
        for one in found.discriminations:
            if one.share is None:
                continue
            if one.trial_id is None:
                yield Rank.FINDING, one.share.sentence
            else:
                rank = Rank.PRIMARY if one.primary else Rank.DETAIL
                yield rank, f"{one.trial_id}: {one.share.sentence}"

    def figures(self, found: DiscriminationPart) -> Iterator[Figure]:
        """Right and wrong, the share, and run by run."""
        for one in found.discriminations:
            subject = one.trial_id or two(one.condition_a, one.condition_b)
            finding = "comparison" if one.trial_id is None else "trial"
            for name in ("right", "wrong"):
                yield Figure(finding, one.block, subject, f"votes_{name}", getattr(one, name))
            if one.share is not None:
                yield of_estimate(finding, one.block, subject, "share_right", one.share)
            yield from of_runs(finding, one.block, subject, "share_right", one.runs)
