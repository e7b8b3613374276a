"""A study's log: what happened to it, when and why. Nothing in it is ever changed.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, Field
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import StudyEvent
from thinlab.study.catalogue import StoredStudy


class EventKind(StrEnum):
    """What happened to a study.

    `stopped`: votes were shown after its rule or its file had ended it;
    `shown`: they were shown while it ran, as it declares; `looked`: at a look
    that was planned; all else the researcher did.
    """

    CLOSED = "closed"
    STOPPED = "stopped"
    SHOWN = "shown"
    REOPENED = "reopened"
    UNBLINDED = "unblinded"
    FROZEN = "frozen"
    LOOKED = "looked"


class Event(BaseModel):
    """Something that happened to a study, and why."""

    kind: EventKind
    reason: str | None
    at: datetime
    deviates: bool = Field(
        description="Whether it was done against the plan: looked before the end, or went on after."
    )


async def enter(
    session: AsyncSession,
    study: StoredStudy,
    kind: EventKind,
    reason: str | None,
    details: dict[str, Any],
) -> None:
    """Puts something on record."""
    session.add(
        StudyEvent(
            slug=study.slug, study_id=study.id, kind=kind.value, reason=reason, details=details
        )
    )
    await session.flush()


async def last_of_each_kind(
    session: AsyncSession, slugs: Collection[str]
) -> dict[str, dict[str, int]]:
    """By study and kind, the id of the last event of that kind; of later events it is higher."""
    rows = await session.execute(
        select(StudyEvent.slug, StudyEvent.kind, func.max(StudyEvent.id))
        .where(StudyEvent.slug.in_(slugs))
        .group_by(StudyEvent.slug, StudyEvent.kind)
    )
    found: dict[str, dict[str, int]] = {slug: {} for slug in slugs}
    for slug, kind, last in rows:
        found[slug][kind] = last
    return found


def last_turn(last: Mapping[str, int]) -> str | None:
    """What last closed or reopened a study, of its last events of each kind."""
    turns = (EventKind.CLOSED, EventKind.STOPPED, EventKind.REOPENED)
    return max((kind for kind in turns if kind in last), key=last.__getitem__, default=None)


async def of_study(session: AsyncSession, slug: str) -> list[Event]:
    """What was done with a study, newest first."""
    rows = await session.execute(
        # Not the whole details: those of a freeze are a copy of the study.
        select(
            StudyEvent.kind,
            StudyEvent.reason,
            StudyEvent.at,
            StudyEvent.details["deviates"].as_boolean(),
        )
        .where(StudyEvent.slug == slug, StudyEvent.kind.in_(list(EventKind)))
        .order_by(StudyEvent.id.desc())
    )
    return [
        Event(kind=EventKind(kind), reason=reason, at=at, deviates=bool(running))
        for kind, reason, at, running in rows
    ]
