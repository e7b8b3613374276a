"""Thresholds of adaptive blocks, as a kind of result.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.analysis.adaptive.findings import AdaptivePart, StaircaseFindings
from thinlab.analysis.figure import Figure
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said
from thinlab.analysis.votes import AnalysisPlan


class AdaptiveKind(ResultKind[AdaptivePart, None]):
    """Each participant's threshold, and the typical one's."""

    name = "adaptive"
    part = AdaptivePart

    def applies(self, plan: AnalysisPlan) -> bool:
        """Where a block has staircases."""
        return any(block.staircases for block in plan.blocks)

    def found(self, case: Case, needed: None) -> AdaptivePart:  # noqa: ARG002
        """Clip by clip."""
        from thinlab.analysis.adaptive.found import thresholds

        return thresholds(case)

    def sentences(self, found: AdaptivePart) -> Iterator[Said]:
        """The typical participant's."""
        return ((Rank.FINDING, one.sentence) for one in found.staircases)

    def figures(self, found: AdaptivePart) -> Iterator[Figure]:
        """The group's, each person's, and how often each level was told rightly."""
        for one in found.staircases:
            yield from _of_group(one)
            for person in one.people:
                yield Figure(
                    "threshold", one.block, f"{one.clip}: {person.participant}", "threshold",
                    person.threshold, low=person.low, high=person.high, votes=len(person.steps),
                    participants=1, recordings=person.recordings,
                )  # fmt: skip
            for level in one.levels:
                subject = f"{one.clip} at {level.level:g}"
                yield Figure("level", one.block, subject, "votes", level.votes)
                yield Figure("level", one.block, subject, "votes_right", level.right)


def _of_group(one: StaircaseFindings) -> Iterator[Figure]:
    if one.group is None:
        return
    yield Figure(
        "threshold", one.block, one.clip, "threshold", one.group.threshold,
        low=one.group.low, high=one.group.high, votes=one.votes, participants=len(one.people),
        recordings=one.recordings, sentence=one.sentence,
    )  # fmt: skip
    yield Figure("threshold", one.block, one.clip, "between_factor", one.group.between_factor)
