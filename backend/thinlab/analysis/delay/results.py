"""A study's votes against delay, from the database. Worked out in a thread, as all results are.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.delay.findings import DelayResults
from thinlab.analysis.kept import Fingerprint, Kept
from thinlab.analysis.kind import Kinds
from thinlab.analysis.plan import plan_of
from thinlab.analysis.stored_votes import PERSONS, fingerprint_of, votes_of
from thinlab.analysis.votes import AnalysedVote, AnalysisPlan
from thinlab.contract.columns import Flat, MetricColumn
from thinlab.study.catalogue import StoredStudy
from thinlab.study.trial import Medium


@dataclass(frozen=True)
class Reading:
    """What was read of a study: enough to work out its results without the database."""

    fingerprint: Fingerprint
    plan: AnalysisPlan
    metric: str | None
    """Asked for; none: what is planned, or predicts best."""
    metrics: Mapping[Medium, tuple[MetricColumn, ...]]
    votes: tuple[AnalysedVote, ...]
    """Empty where the results are known already."""
    measured: Mapping[int, tuple[Flat, ...]]
    """By presentation."""


_known: Kept[DelayResults] = Kept()


async def read(
    session: AsyncSession,
    study: StoredStudy,
    trial_kinds: Kinds,
    *,
    excluded: frozenset[int],
    kinds: frozenset[str] = PERSONS,
    metric: str | None = None,
) -> Reading:
    """The votes of these kinds of participants; `excluded` are ids of participants."""
    plan = plan_of(study.definition)
    fingerprint = (*await fingerprint_of(session, study, excluded, kinds), metric)
    metrics = {kind.medium: kind.delay_metrics for kind in trial_kinds.values()}
    if fingerprint in _known:
        return Reading(fingerprint, plan, metric, metrics, (), {})
    votes, _ = await votes_of(session, study, trial_kinds, excluded, kinds)
    measured: dict[int, tuple[Flat, ...]] = {}
    for medium in study.definition.media:
        measured |= await trial_kinds[medium].measured(session, study.slug)
    return Reading(fingerprint, plan, metric, metrics, tuple(votes), measured)


async def worked_out(reading: Reading) -> DelayResults:
    """The results, in a thread; the same reading again costs nothing."""
    known = _known.get(reading.fingerprint)
    if known is None:
        known = await asyncio.to_thread(analyse, reading)
        _known.put(reading.fingerprint, known)
    return known


def analyse(reading: Reading) -> DelayResults:
    """Block by block. Pure."""
    from thinlab.analysis.delay.block import of_block  # noqa: PLC0415 - slow to import
    from thinlab.analysis.delay.observed import MeasuredVote  # noqa: PLC0415

    plan = reading.plan
    votes = [
        MeasuredVote(vote, reading.measured.get(vote.presentation or -1, ()))
        for vote in reading.votes
        if not vote.training
    ]
    found = (
        of_block(
            block,
            votes,
            reading.metrics[block.medium],
            asked=reading.metric,
            planned=plan.delay_metric,
            confidence=plan.confidence,
        )
        for block in plan.blocks
    )
    return DelayResults(
        confidence=plan.confidence, blocks=[block for block in found if block is not None]
    )
