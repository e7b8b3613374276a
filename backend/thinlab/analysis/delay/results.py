"""A study's votes against delay, from the database.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.asked import Asked
from thinlab.analysis.delay.findings import DelayResults
from thinlab.analysis.kept import Kept, Reading, reading
from thinlab.analysis.votes import AnalysedVote, AnalysisPlan
from thinlab.contract.columns import Flat, MetricColumn
from thinlab.study.trial import Medium

_KEPT: Kept[DelayResults] = Kept()


async def read(
    session: AsyncSession, asked: Asked, metric: str | None = None
) -> Reading[DelayResults]:
    """The votes, and what was measured of what they are about.

    `metric`: that curves are over; none: what is planned, or predicts best.
    """

    async def measured_votes() -> Callable[[], DelayResults]:
        votes, _ = await asked.votes(session)
        measured: dict[int, tuple[Flat, ...]] = {}
        for medium in asked.study.definition.media:
            measured |= await asked.trial_kinds[medium].measured(session, asked.study.slug)
        metrics = {kind.medium: kind.delay_metrics for kind in asked.trial_kinds.values()}
        return partial(_analyse, asked.plan, votes, measured, metrics, metric)

    return await reading(_KEPT, (*await asked.fingerprint(session), metric), measured_votes)


def _analyse(
    plan: AnalysisPlan,
    votes: Sequence[AnalysedVote],
    measured: Mapping[int, tuple[Flat, ...]],
    metrics: Mapping[Medium, tuple[MetricColumn, ...]],
    metric: str | None,
) -> DelayResults:
    """Block by block. Pure. `measured`: by presentation."""
    from thinlab.analysis.delay.block import of_block  # noqa: PLC0415 - slow to import
    from thinlab.analysis.delay.observed import MeasuredVote  # noqa: PLC0415

    observed = [
        MeasuredVote(vote, measured.get(vote.presentation or -1, ()))
        for vote in votes
        if not vote.training
    ]
    found = (
        of_block(
            block,
            observed,
            metrics[block.medium],
            asked=metric,
            planned=plan.delay_metric,
            weighed_against=plan.weighed_against,
            confidence=plan.confidence,
        )
        for block in plan.blocks
    )
    return DelayResults(
        confidence=plan.confidence, blocks=[block for block in found if block is not None]
    )
