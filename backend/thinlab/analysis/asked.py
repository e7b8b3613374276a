"""Whose votes on which study are asked about, and what of them can be read.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass, replace

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.kept import Fingerprint
from thinlab.analysis.kind import Kinds
from thinlab.analysis.plan import plan_of
from thinlab.analysis.stored_votes import PERSONS, fingerprint_of, votes_of
from thinlab.analysis.votes import AnalysedVote, AnalysisPlan, LeftOut
from thinlab.study.catalogue import StoredStudy


@dataclass(frozen=True)
class Asked:
    """The votes of some kinds of participants on a study."""

    study: StoredStudy
    trial_kinds: Kinds
    excluded: frozenset[int]
    """Ids of participants."""
    kinds: frozenset[str] = PERSONS

    @property
    def plan(self) -> AnalysisPlan:
        """What the study declared."""
        plan = plan_of(self.study.definition)
        # Who rehearses looks whenever they want.
        return plan if self.kinds == PERSONS else replace(plan, looks=())

    async def fingerprint(self, session: AsyncSession) -> Fingerprint:
        """Changes whenever the votes could."""
        return await fingerprint_of(session, self.study, self.excluded, self.kinds)

    async def votes(self, session: AsyncSession) -> tuple[list[AnalysedVote], LeftOut]:
        """Those of completed sessions on trials as the study has them now."""
        return await votes_of(session, self.study, self.trial_kinds, self.excluded, self.kinds)
