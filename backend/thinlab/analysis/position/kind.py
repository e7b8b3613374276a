"""Position in the session, as a kind of result.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.analysis.figure import Figure, of_estimate
from thinlab.analysis.position.findings import PositionPart
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said
from thinlab.analysis.votes import AnalysisPlan


class PositionKind(ResultKind[PositionPart, None]):
    """Fatigue and practice."""

    name = "position"
    part = PositionPart

    def applies(self, plan: AnalysisPlan) -> bool:
        """Of one trial there is one position."""
        return sum(len(block.trials) for block in plan.blocks) > 1

    def found(self, case: Case, needed: None) -> PositionPart:  # noqa: ARG002
        """Block by block."""
        from thinlab.analysis.position.found import positions

        return positions(case)

    def sentences(self, found: PositionPart) -> Iterator[Said]:
        """After everything that is about conditions."""
        for one in found.positions:
            for estimate in (one.answer, one.told):
                if estimate is not None:
                    yield Rank.DETAIL, estimate.sentence

    def figures(self, found: PositionPart) -> Iterator[Figure]:
        """Both changes of each block."""
        for one in found.positions:
            for name, estimate in (("answer", one.answer), ("told", one.told)):
                if estimate is not None:
                    yield of_estimate("position", one.block, one.block, name, estimate)
