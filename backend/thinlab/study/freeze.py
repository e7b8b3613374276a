"""Freezing a study: its document goes into the study's log, where nothing is ever changed.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime

from pydantic import BaseModel
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Study, StudyEvent
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.frozen import FrozenDocument, RecordingFacts, RecordingsInUse
from thinlab.study.trial import member_conditions, runs_of

FROZEN = "frozen"
MEMBERS = "ab"
MOST_NAMED = 5


class Freeze(BaseModel):
    """When a study was frozen, why, and as what."""

    at: datetime
    reason: str | None
    document: FrozenDocument


class NotFrozenError(Exception):
    """A study cannot be frozen; the text says why, and the remedy."""


async def freeze(session: AsyncSession, slug: str, reason: str | None) -> Freeze:
    """Freezes the current version of a study. Raises `NotFrozenError`.

    Freezing the same thing again gives the freeze there is. Another freeze is
    taken as long as nobody has joined since: after that it would hide deviations.
    """
    study = await catalogue.current(session, slug)
    if study is None:
        raise NotFrozenError(f"there is no study `{slug}`")
    recordings = await recordings_in_use(session, study)
    _refuse_missing(study, recordings)
    before = await of_study(session, slug)
    document = FrozenDocument.of(
        study.definition, recordings, await _people(session, slug, since=None)
    )
    if before is not None:
        if before.document.hashes.whole == document.hashes.whole:
            return before
        joined = await _people(session, slug, since=before.at)
        if joined:
            raise NotFrozenError(
                f"`{slug}` was frozen at {before.at:%Y-%m-%d %H:%M} UTC and {joined} joined since: "
                "what has changed is shown as deviations. For another plan use another slug"
            )
    event = StudyEvent(
        slug=slug,
        study_id=study.id,
        kind=FROZEN,
        reason=reason,
        details=document.model_dump(mode="json"),
    )
    session.add(event)
    await session.flush()
    await session.refresh(event)
    return Freeze(at=event.at, reason=reason, document=document)


async def of_study(session: AsyncSession, slug: str) -> Freeze | None:
    """The freeze that holds: the newest."""
    event = await session.scalar(
        select(StudyEvent)
        .where(StudyEvent.slug == slug, StudyEvent.kind == FROZEN)
        .order_by(StudyEvent.id.desc())
        .limit(1)
    )
    if event is None:
        return None
    document = FrozenDocument.model_validate(event.details)
    return Freeze(at=event.at, reason=event.reason, document=document)


async def recordings_in_use(session: AsyncSession, study: StoredStudy) -> RecordingsInUse:
    """What each trial plays from now on."""
    return {
        place: RecordingFacts(
            key=recording.key,
            clip_sha256=recording.clip_sha256,
            audio_sha256=recording.audio_sha256,
            host_build=recording.host_build,
            duration_ms=recording.duration_ms,
        )
        for place, recording in (await catalogue.recordings_of(session, study)).items()
    }


def _refuse_missing(study: StoredStudy, recordings: RecordingsInUse) -> None:
    missing = [
        f"{trial.id}, run {run}, member {member}"
        for trial in study.definition.recorded_trials
        for run in range(runs_of(trial))
        for member in MEMBERS[: len(member_conditions(trial))]
        if (trial.id, run, member) not in recordings
    ]
    if missing:
        named = "; ".join(missing[:MOST_NAMED])
        more = len(missing) - MOST_NAMED
        raise NotFrozenError(
            f"{len(missing)} recordings of `{study.slug}` are missing "
            f"({named}{f'; and {more} more' if more > 0 else ''}). "
            "Press Record on the researcher's page, and freeze when they are ready"
        )


async def _people(session: AsyncSession, slug: str, since: datetime | None) -> int:
    """How many people have joined, the withdrawn among them."""
    query = (
        select(func.count())
        .select_from(Participant)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, Participant.kind == "person")
    )
    if since is not None:
        query = query.where(Participant.joined_at >= since)
    return await session.scalar(query) or 0
