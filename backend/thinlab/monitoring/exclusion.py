"""Whom the analysis leaves out, and why: rules declared in advance, and the researcher's word.

Nothing is deleted, and no vote is changed. A rule is computed from the votes
each time it is asked about; the researcher's word is an entry in a log, taken
back by another entry. What a rule says, only a changed study file unsays.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import ExclusionEntry, Participant, Study
from thinlab.monitoring import conduct
from thinlab.monitoring.conduct import Conduct
from thinlab.monitoring.finding import Flag, flags
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy


class UnknownParticipantError(Exception):
    """The study has no such participant."""


class AlreadyError(Exception):
    """The researcher's last word is the same."""


class Entry(BaseModel):
    """The researcher's word on a participant."""

    excluded: bool = Field(description="True: left out; false: taken in again.")
    reason: str
    at: datetime


@dataclass(frozen=True)
class Standing:
    """Whether a participant is analysed, and what speaks against it."""

    conduct: Conduct
    flags: tuple[Flag, ...]
    entries: tuple[Entry, ...]
    """Newest first."""

    @property
    def left_out(self) -> bool:
        """By the researcher's last word."""
        return bool(self.entries) and self.entries[0].excluded

    @property
    def excluded(self) -> bool:
        """By a rule or by the researcher."""
        return bool(self.excluding) or self.left_out

    @property
    def excluding(self) -> tuple[Flag, ...]:
        """The rules that they fall under and that leave them out."""
        return tuple(flag for flag in self.flags if flag.excludes)


async def standings(
    session: AsyncSession, study: StoredStudy, kind: str = "person"
) -> dict[int, Standing]:
    """Everybody in every version of a study who has not withdrawn, by participant id.

    The rules are those of `study`; whether an answer was right is for the
    version to say in which it was given.
    """
    entries = await _entries(session, study.slug, kind)
    rules = study.definition
    gathered = [
        (await conduct.gathered(session, version, rules, kind), version.definition)
        for version in await _versions(session, study.slug, kind)
    ]

    def judged() -> dict[int, Standing]:
        return {
            participant_id: Standing(
                one, flags(one, rules.exclusion), tuple(entries.get(participant_id, ()))
            )
            for found, definition in gathered
            for participant_id, one in conduct.made_of(found, definition, rules).items()
        }

    # Thousands of people take a moment, in which others have votes to store.
    return await asyncio.to_thread(judged)


async def excluded(
    session: AsyncSession, study: StoredStudy, kind: str = "person"
) -> frozenset[int]:
    """Ids of the participants whom the analysis leaves out."""
    everybody = await standings(session, study, kind)
    return frozenset(id_ for id_, standing in everybody.items() if standing.excluded)


async def _versions(session: AsyncSession, slug: str, kind: str) -> list[StoredStudy]:
    ids = await session.scalars(
        select(Study.id)
        .join(Participant, Participant.study_id == Study.id)
        .where(Study.slug == slug, Participant.kind == kind)
        .distinct()
    )
    return [await catalogue.by_id(session, study_id) for study_id in ids.all()]


async def _entries(session: AsyncSession, slug: str, kind: str) -> dict[int, list[Entry]]:
    rows = await session.scalars(
        select(ExclusionEntry)
        .join(Participant, Participant.id == ExclusionEntry.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, Participant.kind == kind)
        .order_by(ExclusionEntry.id.desc())
    )
    found: dict[int, list[Entry]] = {}
    for row in rows:
        entry = Entry(excluded=row.excluded, reason=row.reason, at=row.at)
        found.setdefault(row.participant_id, []).append(entry)
    return found


async def enter(
    session: AsyncSession, slug: str, pseudonym: str, *, excluded: bool, reason: str
) -> None:
    """Leaves a participant out, or takes them in again.

    Raises `UnknownParticipantError`, `AlreadyError`.
    """
    participant = await session.scalar(
        select(Participant)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, Participant.pseudonym == pseudonym)
        # Two entries at once: the second sees the first.
        .with_for_update(of=Participant)
        .execution_options(populate_existing=True)
    )
    if participant is None:
        raise UnknownParticipantError
    if participant.left_out == excluded:
        raise AlreadyError
    session.add(ExclusionEntry(participant_id=participant.id, excluded=excluded, reason=reason))
    # What the log's last entry says, for those who count places.
    participant.left_out = excluded
    await session.flush()
