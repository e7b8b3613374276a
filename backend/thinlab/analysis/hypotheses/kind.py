"""What was declared to decide, as a kind of result.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.asked import Asked
from thinlab.analysis.figure import Figure, of_estimate
from thinlab.analysis.hypotheses.findings import HypothesesPart, HypothesisFindings
from thinlab.analysis.hypotheses.taken import NOT_LOOKED, Looked, looked
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said
from thinlab.analysis.votes import AnalysisPlan


class HypothesesKind(ResultKind[HypothesesPart, Looked]):
    """Hypotheses, judged once, or at looks before the end as well."""

    name = "hypotheses"
    part = HypothesesPart

    def applies(self, plan: AnalysisPlan) -> bool:
        """Where the study declares any."""
        return bool(plan.hypotheses)

    async def needed(self, session: AsyncSession, asked: Asked) -> Looked | None:
        """What was seen before the end, where looks are planned."""
        return await looked(session, asked.study) if asked.plan.looks else None

    def fingerprint(self, needed: Looked | None) -> object:
        """Looks are only ever added."""
        return None if needed is None else (len(needed.taken), needed.ended)

    def found(self, case: Case, needed: Looked | None) -> HypothesesPart:
        """At the level of the last look, where looks are planned."""
        from thinlab.analysis.hypotheses.interim import at_the_end
        from thinlab.analysis.hypotheses.judged import hypotheses

        if not case.plan.looks:
            found, together = hypotheses(case.plan, case.votes)
            return HypothesesPart(hypotheses=found, together=together)
        interim = at_the_end(case.plan, case.votes, needed or NOT_LOOKED)
        latest = interim.looks[-1]
        return HypothesesPart(
            hypotheses=latest.hypotheses, together=latest.together, interim=interim
        )

    def sentences(self, found: HypothesesPart) -> Iterator[Said]:
        """Where the latest look stands, each verdict, and all together."""
        if found.interim is not None:
            yield Rank.DECISION, found.interim.looks[-1].sentence
        for one in found.hypotheses:
            yield Rank.DECISION, one.sentence
        if found.together is not None:
            yield Rank.DECISION, found.together.sentence

    def figures(self, found: HypothesesPart) -> Iterator[Figure]:
        """Both tests of each."""
        for one in found.hypotheses:
            yield from _of_hypothesis(one)


def _of_hypothesis(one: HypothesisFindings) -> Iterator[Figure]:
    if one.estimate is None:
        return
    tested = one.estimate.model_copy(
        update={"p_value": one.p_value, "p_adjusted": one.p_adjusted, "sentence": one.sentence}
    )
    yield of_estimate("hypothesis", None, one.id, "difference", tested)
    yield Figure(
        "hypothesis",
        None,
        one.id,
        "equivalence",
        one.estimate.value,
        low=one.equivalence_low,
        high=one.equivalence_high,
        p_value=one.equivalence_p,
        p_adjusted=one.equivalence_p_adjusted,
    )
