"""A study's results from the database: which votes count, and what they say.

The numerical libraries are imported on the first call and the work is done in a thread, so that
the server starts fast and goes on taking votes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.findings import LookFindings, SessionFindings, StudyResults
from thinlab.analysis.kept import Kept
from thinlab.analysis.kind import Kinds
from thinlab.analysis.plan import plan_of
from thinlab.analysis.stored_votes import PERSONS, fingerprint_of, votes_of
from thinlab.analysis.votes import AnalysedVote, AnalysisPlan, LeftOut
from thinlab.database.schema import StudyEvent
from thinlab.study import study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.study.study_event import EventKind

if TYPE_CHECKING:
    from thinlab.analysis.interim import Looked


@dataclass(frozen=True)
class Reading:
    """What was read of a study: enough to work out its results without the database."""

    fingerprint: tuple[object, ...]
    """Changes whenever the results could."""
    plan: AnalysisPlan
    votes: tuple[AnalysedVote, ...]
    """Empty where the results are known already."""
    left_out: LeftOut
    looked: "Looked | None"
    """What was seen before the end, where looks are planned."""
    sessions: Mapping[str, SessionFindings]
    """What each kind of trial has to say of its live sessions, by medium."""


_known: Kept[StudyResults] = Kept()


async def of_study(
    session: AsyncSession,
    study: StoredStudy,
    trial_kinds: Kinds,
    *,
    excluded: frozenset[int],
    kinds: frozenset[str] = PERSONS,
) -> StudyResults:
    """What the votes say. Holds the transaction while it works: a server takes two steps."""
    return await worked_out(await read(session, study, trial_kinds, excluded=excluded, kinds=kinds))


async def read(
    session: AsyncSession,
    study: StoredStudy,
    trial_kinds: Kinds,
    *,
    excluded: frozenset[int],
    kinds: frozenset[str] = PERSONS,
) -> Reading:
    """The votes of these kinds of participants; `excluded` are ids of participants."""
    plan = plan_of(study.definition)
    if kinds != PERSONS:
        # Who rehearses looks whenever they want.
        plan = replace(plan, looks=())
    fingerprint = await fingerprint_of(session, study, excluded, kinds)
    looked = None
    if plan.looks:
        from thinlab.analysis.interim import Looked  # noqa: PLC0415 - slow to import

        status = await study_state.of(session, study)
        looked = Looked(await looks_taken(session, study.slug), ended=status.closed)
        fingerprint += (len(looked.taken), looked.ended)
    sessions = {
        medium: found
        for medium, trials in trial_kinds.items()
        if (
            found := await trials.session_findings(
                session, study.slug, excluded=excluded, kinds=kinds
            )
        )
    }
    if fingerprint in _known:
        return Reading(fingerprint, plan, (), LeftOut(), looked, sessions)
    votes, left_out = await votes_of(session, study, trial_kinds, excluded, kinds)
    return Reading(fingerprint, plan, tuple(votes), left_out, looked, sessions)


async def worked_out(reading: Reading) -> StudyResults:
    """The results, in a thread; the same reading again costs nothing."""
    known = _known.get(reading.fingerprint)
    if known is None:
        known = await asyncio.to_thread(_analyse, reading)
        _known.put(reading.fingerprint, known)
    if not reading.sessions:
        return known
    spoilt = [one.sentence for one in reading.sessions.values() if one.spoilt]
    well = [one.sentence for one in reading.sessions.values() if not one.spoilt]
    return known.model_copy(
        update={**reading.sessions, "sentences": [*spoilt, *known.sentences, *well]}
    )


def _analyse(reading: Reading) -> StudyResults:
    from thinlab.analysis.study import analyse  # noqa: PLC0415 - slow to import, see above

    if reading.looked is None:
        return analyse(reading.plan, reading.votes, reading.left_out)
    return analyse(reading.plan, reading.votes, reading.left_out, reading.looked)


async def looks_taken(session: AsyncSession, slug: str) -> tuple[LookFindings, ...]:
    """What was found at each look of a study, as it was put on record."""
    rows = await session.scalars(
        select(StudyEvent.details)
        .where(StudyEvent.slug == slug, StudyEvent.kind == EventKind.LOOKED)
        .order_by(StudyEvent.id)
    )
    return tuple(LookFindings.model_validate(details) for details in rows)
