"""Published counts beside our own, as a kind of result.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from thinlab.analysis.figure import Figure
from thinlab.analysis.replication.findings import ReplicationPart
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said
from thinlab.analysis.votes import AnalysisPlan

if TYPE_CHECKING:
    from thinlab.analysis.findings import Estimate


class ReplicationKind(ResultKind[ReplicationPart, None]):
    """What was published, what it foretells, and what was found here."""

    name = "replication"
    part = ReplicationPart

    def applies(self, plan: AnalysisPlan) -> bool:
        """Where the study names what others counted."""
        return bool(plan.published)

    def found(self, case: Case, needed: None) -> ReplicationPart:  # noqa: ARG002
        """Each published count."""
        from thinlab.analysis.replication.found import replications

        plan = case.plan
        return ReplicationPart(
            replications=replications(plan.published, case.votes, plan.confidence)
        )

    def sentences(self, found: ReplicationPart) -> Iterator[Said]:
        """One each."""
        return ((Rank.FINDING, f"{one.trial_id}: {one.sentence}") for one in found.replications)

    def figures(self, found: ReplicationPart) -> Iterator[Figure]:
        """Shares, of which nothing is tested."""
        for one in found.replications:
            for name in ("published", "ours", "predicted"):
                share: Estimate | None = getattr(one, name)
                if share is not None:
                    yield Figure(
                        "published",
                        None,
                        one.trial_id,
                        name,
                        share.value,
                        low=share.low,
                        high=share.high,
                        sentence=share.sentence,
                    )
