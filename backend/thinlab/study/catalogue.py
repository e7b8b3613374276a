"""Studies in the database: which version is current, and whether it can be heard.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from thinlab.database.schema import Recording, Study, TrialRecording
from thinlab.study.definition import StudyDefinition
from thinlab.study.trial import member_conditions, runs_of


@dataclass(frozen=True)
class StoredStudy:
    """One version of a study, as loaded from its file."""

    id: int
    content_hash: str
    """Of the definition: a file that says the same is the same version."""
    definition: StudyDefinition

    @property
    def slug(self) -> str:
        """The study's name in addresses."""
        return self.definition.slug


# A stored version never changes, and reading one costs more than storing a vote.
# By engine, since another database gives the same numbers to other studies.
_read: WeakKeyDictionary[object, dict[int, StoredStudy]] = WeakKeyDictionary()


def _known(session: AsyncSession) -> dict[int, StoredStudy]:
    bind = session.get_bind()
    return _read.setdefault(bind.engine, {})


def _stored(session: AsyncSession, row: Study) -> StoredStudy:
    known = _known(session)
    if row.id not in known:
        definition = StudyDefinition.model_validate(row.definition)
        known[row.id] = StoredStudy(row.id, row.content_hash, definition)
    return known[row.id]


async def load(session: AsyncSession, definition: StudyDefinition) -> StoredStudy:
    """Makes this the current version of its study; an unchanged file changes nothing.

    A condition that is as it was written means what it meant when it was first loaded.
    """
    before = await newest(session, definition.slug)
    if before is not None:
        definition = definition.as_it_was_meant(before[0].definition)
    await session.execute(
        update(Study)
        .where(Study.slug == definition.slug, Study.content_hash != definition.content_hash)
        .values(is_current=False)
    )
    values = {
        "slug": definition.slug,
        "content_hash": definition.content_hash,
        "definition": definition.model_dump(mode="json"),
        "is_current": True,
    }
    row = await session.scalar(
        insert(Study)
        .values(values)
        .on_conflict_do_update(
            index_elements=[Study.slug, Study.content_hash], set_={"is_current": True}
        )
        .returning(Study)
    )
    if row is None:
        raise LookupError(definition.slug)
    return _stored(session, row)


async def retire_all_but(session: AsyncSession, slugs: set[str]) -> None:
    """Studies whose file is gone take no more participants; what they hold stays."""
    await session.execute(update(Study).where(Study.slug.not_in(slugs)).values(is_current=False))


async def current(session: AsyncSession, slug: str) -> StoredStudy | None:
    """The version that new participants join."""
    found = await session.scalar(select(Study.id).where(Study.slug == slug, Study.is_current))
    return None if found is None else await by_id(session, found)


async def newest(session: AsyncSession, slug: str) -> tuple[StoredStudy, bool] | None:
    """The version last loaded, and whether it is current: a file that is gone leaves none."""
    found = await session.execute(
        select(Study.id, Study.is_current)
        .where(Study.slug == slug)
        .order_by(Study.is_current.desc(), Study.id.desc())
        .limit(1)
    )
    row = found.one_or_none()
    return None if row is None else (await by_id(session, row.id), row.is_current)


async def all_current(session: AsyncSession) -> list[StoredStudy]:
    """Every current study, by slug."""
    found = await session.scalars(select(Study.id).where(Study.is_current).order_by(Study.slug))
    return [await by_id(session, study_id) for study_id in found.all()]


async def by_id(session: AsyncSession, study_id: int) -> StoredStudy:
    """The version that a participant joined."""
    known = _known(session).get(study_id)
    return known or _stored(session, await session.get_one(Study, study_id))


def members_total(definition: StudyDefinition) -> int:
    """How many recordings a study needs: one for each trial, run and member."""
    return sum(
        len(member_conditions(trial)) * runs_of(trial) for trial in definition.recorded_trials
    )


async def members_ready(session: AsyncSession, studies: Sequence[StoredStudy]) -> list[int]:
    """How many of them there are, of each study."""
    rows = await session.execute(
        select(TrialRecording.study_id, func.count())
        .where(TrialRecording.study_id.in_([study.id for study in studies]))
        .group_by(TrialRecording.study_id)
    )
    found = dict(rows.all())
    return [found.get(study.id, 0) for study in studies]


async def is_ready(session: AsyncSession, study: StoredStudy) -> bool:
    """Whether every trial can be heard."""
    return await members_ready(session, [study]) == [members_total(study.definition)]


async def recordings_of(
    session: AsyncSession, study: StoredStudy
) -> dict[tuple[str, int, str], Recording]:
    """The recordings in use, by trial id, run and member; without what was measured of them."""
    rows = await session.execute(
        select(TrialRecording.trial_id, TrialRecording.run, TrialRecording.member, Recording)
        .join(Recording, Recording.id == TrialRecording.recording_id)
        .where(TrialRecording.study_id == study.id)
        .options(defer(Recording.result))
    )
    return {(trial_id, run, member): recording for trial_id, run, member, recording in rows}


async def recording_ids_of(
    session: AsyncSession, study: StoredStudy
) -> dict[tuple[str, int, str], int]:
    """The ids of the recordings in use, by trial id, run and member."""
    rows = await session.execute(
        select(
            TrialRecording.trial_id,
            TrialRecording.run,
            TrialRecording.member,
            TrialRecording.recording_id,
        ).where(TrialRecording.study_id == study.id)
    )
    return {(trial_id, run, member): id_ for trial_id, run, member, id_ in rows}


async def durations_ms_of(session: AsyncSession, study: StoredStudy) -> dict[str, int]:
    """How long each recorded trial's recordings are; all of a trial are alike."""
    rows = await session.execute(
        select(TrialRecording.trial_id, func.max(Recording.duration_ms))
        .join(Recording, Recording.id == TrialRecording.recording_id)
        .where(TrialRecording.study_id == study.id)
        .group_by(TrialRecording.trial_id)
    )
    return {trial_id: int(duration_ms) for trial_id, duration_ms in rows}


async def recording_key(session: AsyncSession, recording_id: int) -> str | None:
    """Where a recording's files lie; none for an unknown id."""
    return await session.scalar(select(Recording.key).where(Recording.id == recording_id))
