"""Bias, as a kind of result.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thinlab.analysis.bias.findings import BiasPart
from thinlab.analysis.figure import Figure, of_estimate
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said

if TYPE_CHECKING:
    from thinlab.analysis.findings import Estimate


class BiasKind(ResultKind[BiasPart, None]):
    """Leaning to a place, and controls."""

    name = "bias"
    part = BiasPart

    def found(self, case: Case, needed: None) -> BiasPart:  # noqa: ARG002
        """Orders and controls."""
        from thinlab.analysis.bias.found import bias

        return bias(case)

    def sentences(self, found: BiasPart) -> Iterator[Said]:
        """Block by block."""
        for order in found.order_effects:
            yield Rank.FINDING, order.effect.sentence
        for same in found.identical:
            yield Rank.FINDING, same.sentence
        for control in found.controls:
            for estimate in (control.false_differences, control.side):
                if estimate is not None:
                    yield Rank.FINDING, estimate.sentence

    def figures(self, found: BiasPart) -> Iterator[Figure]:
        """Order effects, controls, and votes on pairs of the same bytes."""
        for order in found.order_effects:
            yield of_estimate("order", order.block, order.block, "effect", order.effect)
        for control in found.controls:
            for name in ("false_differences", "side"):
                estimate: Estimate | None = getattr(control, name)
                if estimate is not None:
                    yield of_estimate("control", control.block, control.block, name, estimate)
        for same in found.identical:
            yield Figure("same_bytes", same.block, same.trial_id, "votes", same.votes)
