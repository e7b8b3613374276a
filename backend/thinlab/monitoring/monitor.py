"""A running study as its researcher may watch it: who is where, what failed, what is balanced.

How anybody voted is not in here, and cannot be worked out from it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, Field
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Invitation, Participant, Study
from thinlab.monitoring import balance, exclusion, presence
from thinlab.monitoring import monitor_counts as counts
from thinlab.monitoring.balance import BlockBalance
from thinlab.monitoring.flow import Flow, flow
from thinlab.monitoring.kind import Kinds, SessionCounts
from thinlab.study import study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.study.kind import kinds_of
from thinlab.study.study_state import StudyStatus
from thinlab.study.trial import Medium

Kind = Literal["person", "bot", "preview"]


class Monitor(BaseModel):
    """A study at this moment."""

    at: datetime = Field(description="The server's time.")
    kind: Kind = Field(description="Who is counted.")
    others: dict[str, int] = Field(description="Sessions of other kinds, which never count.")
    state: StudyStatus
    funnel: counts.Funnel
    flow: Flow
    whereabouts: counts.Whereabouts
    headphones: counts.HeadphoneCounts
    hearing: list[counts.HearingCounts]
    sessions: dict[Medium, SessionCounts] = Field(
        description="By medium; none of those whose trials are not done live."
    )
    positions: list[counts.Position]
    checks: list[counts.Check]
    exclusions: counts.Exclusions
    targets: list[counts.Target]
    stops_on: date | None
    days: list[counts.Day]
    balance: list[BlockBalance]


async def of_study(
    session: AsyncSession, study: StoredStudy, trial_kinds: Kinds, kind: Kind = "person"
) -> Monitor:
    """The study, counted anew over all its versions."""
    people = await presence.of_study(session, study.slug, kind=kind)
    standings = await exclusion.standings(session, study, kind)
    at = (await session.scalars(select(func.now()))).one()
    others = await _others(session, study.slug, kind)
    invited = await _invited(session, study) if kind == "person" else None
    state = await study_state.of(session, study)
    cells = await balance.of_study(session, study, kind)
    sessions = {
        trials.medium: found
        for trials in kinds_of(study.definition, trial_kinds)
        if (found := await trials.session_counts(session, study.slug, kind)) is not None
    }
    stop = study.definition.stop

    def monitor() -> Monitor:
        return Monitor(
            at=at,
            kind=kind,
            others=others,
            state=state,
            funnel=counts.funnel(people),
            flow=flow(people, standings, invited),
            whereabouts=counts.whereabouts(people),
            headphones=counts.headphones(people),
            hearing=counts.hearing(study, people),
            sessions=sessions,
            positions=counts.positions(study, people),
            checks=counts.checks(study, (one.conduct for one in standings.values())),
            exclusions=counts.exclusions(study, people, standings),
            targets=counts.targets(study, people, standings),
            stops_on=stop.on if stop else None,
            days=counts.days(people),
            balance=cells,
        )

    return await asyncio.to_thread(monitor)


async def _invited(session: AsyncSession, study: StoredStudy) -> int | None:
    """How many personal links there are; none where nobody needs one."""
    if study.definition.access != "invitation":
        return None
    return await session.scalar(
        select(func.count()).select_from(Invitation).where(Invitation.slug == study.slug)
    )


async def _others(session: AsyncSession, slug: str, kind: Kind) -> dict[str, int]:
    rows = await session.execute(
        select(Participant.kind, func.count().label("times"))
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, Participant.kind != kind)
        .group_by(Participant.kind)
        .order_by(Participant.kind)
    )
    return {row.kind: row.times for row in rows}
