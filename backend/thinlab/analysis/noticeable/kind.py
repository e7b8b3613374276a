"""How noticeable differences were, as a kind of result.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.analysis.figure import Figure, of_counts, of_estimate, two
from thinlab.analysis.noticeable.findings import NoticeablePart
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said


class NoticeableKind(ResultKind[NoticeablePart, None]):
    """Steps from 1 to 4, of those who preferred one."""

    name = "noticeable"
    part = NoticeablePart

    def found(self, case: Case, needed: None) -> NoticeablePart:  # noqa: ARG002
        """By what was preferred, and in controls."""
        from thinlab.analysis.noticeable.found import noticeable

        return noticeable(case)

    def sentences(self, found: NoticeablePart) -> Iterator[Said]:
        """One each."""
        return ((Rank.FINDING, one.mean.sentence) for one in found.noticeable)

    def figures(self, found: NoticeablePart) -> Iterator[Figure]:
        """Votes for each step, and their mean."""
        for one in found.noticeable:
            subject = "controls"
            if one.preferred is not None:
                subject = f"{two(one.condition_a, one.condition_b)} preferring {one.preferred}"
            yield from of_counts("noticeable", one.block, subject, "step", one.histogram)
            yield of_estimate("noticeable", one.block, subject, "mean", one.mean)
