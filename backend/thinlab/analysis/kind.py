"""What the analysis asks of a kind of trial; `thinlab.trials` has the kinds.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.findings import SessionFindings
from thinlab.analysis.votes import TrialWords
from thinlab.contract.columns import Flat, MetricColumn
from thinlab.study.trial import Medium


class AnalysedKind(Protocol):
    """A kind of trial in the analysis."""

    medium: Medium
    trial_words: TrialWords
    delay_metrics: tuple[MetricColumn, ...]
    """Of what was presented: those that people may have noticed, and so voted by. More is worse."""

    async def session_findings(
        self, session: AsyncSession, slug: str, *, excluded: frozenset[int], kinds: frozenset[str]
    ) -> SessionFindings | None:
        """Of the participants who are analysed; none where they had no live sessions.

        `SessionsPart` has a field for them, by the medium's name.
        """

    async def measured(self, session: AsyncSession, slug: str) -> Mapping[int, tuple[Flat, ...]]:
        """Of each presentation of a study, by its id: those metrics at each place, in order.

        Without presentations of which nothing was measured, at some place or at all.
        """


Kinds = Mapping[str, AnalysedKind]
"""By medium."""
