"""A study's recordings as its researcher sees them: what is there, under way, and failed.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum, auto
from typing import Any, Literal

from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from thinlab.clips.manifest import Clips
from thinlab.condition.reference import RecordedCondition
from thinlab.condition.words import ConditionWords
from thinlab.database.schema import (
    PredictedQuality,
    Recording,
    RecordingJob,
    TrialRecording,
)
from thinlab.recording import queue
from thinlab.recording.time_left import time_left_s
from thinlab.recording.trial_recordings import Wanted, wanted_by
from thinlab.study.catalogue import StoredStudy
from thinlab.study.trial import PairTrial

# Where in a result the key figures are.
FIGURES = {
    "lost_share": ("metrics", "loss_share_forward"),
    "late_share": ("felt", "share_later_than_150_ms"),
    "longest_stall_ms": ("felt", "longest_stall_ms"),
    "gaps": ("playout", "gaps"),
    "concealed_ms": ("playout", "concealed_ms"),
    "stretched_ms": ("playout", "stretched_ms"),
}


class RecordingStatus(StrEnum):
    """Where a recording is on its way."""

    MISSING = auto()
    QUEUED = auto()
    MAKING = auto()
    READY = auto()
    FAILED = auto()


class RecordingCounts(BaseModel):
    """How many recordings a study has, of those it wants."""

    total: int
    ready: int
    under_way: int = Field(description="Queued or being made.")
    failed: int


class NamedCondition(BaseModel):
    """Under which condition a recording is made."""

    name: str = Field(description="The study's name for it.")
    condition: RecordedCondition
    words: ConditionWords


class PredictedScore(BaseModel):
    """What an objective measure predicts; not a measurement of what people hear."""

    measure: str
    version: str
    score: float | None
    reason: str | None = Field(description="Why there is no score.")


class KeyFigures(BaseModel):
    """Of a session's result, what is asked for first."""

    lost_share: float = Field(description="Packets lost towards the receiver.")
    late_share: float = Field(description="Messages later than the minimum by over 150 ms.")
    longest_stall_ms: float
    gaps: int
    concealed_ms: float
    stretched_ms: float


class MemberRecording(BaseModel):
    """One recording, ready or on its way."""

    member: Literal["a", "b"]
    id: int | None = Field(description="For audio, waveform, result and captures.")
    status: RecordingStatus
    progress_share: float = Field(description="Of the making, 0…1.")
    problem: str | None = Field(description="Why the making failed.")
    remedy: str | None = Field(description="What to do about it.")
    condition: NamedCondition
    seed: int
    duration_ms: int | None
    made_at: datetime | None
    host_build: str | None
    kernel_release: str | None
    predicted: list[PredictedScore]
    figures: KeyFigures | None = Field(
        description="None before it is made, and of a reference: nothing was sent."
    )


class RunRecordings(BaseModel):
    """What a trial plays in one run: two recordings, or one."""

    run: int = Field(description="Counted from 1.")
    members: list[MemberRecording]
    same_audio: bool | None = Field(
        description="Whether both members are the same bytes: then there is nothing to prefer. "
        "Null unless there are two and both are there."
    )


class TrialRecordings(BaseModel):
    """One trial, run by run."""

    id: str
    block: str
    training: bool
    kind: Literal["pair", "control", "single", "gold", "trapping"]
    matched: bool | None = Field(description="Whether both members of a pair have one seed.")
    clip: str
    clip_title: str
    clip_attribution: str = Field(description="To be shown wherever the clip can be heard.")
    runs: list[RunRecordings]


class StudyRecordings(BaseModel):
    """All recordings of a study."""

    slug: str
    counts: RecordingCounts
    progress_share: float = Field(description="Of all recordings that the study wants, 0…1.")
    time_left_s: float | None = Field(
        description="Until those under way are made; null while none are, or too early to say."
    )
    predictions_missing: int = Field(
        description="Recordings that are ready and whose quality is not predicted yet."
    )
    trials: list[TrialRecordings]


@dataclass(frozen=True)
class _Found:
    """What the database holds on a study's recordings."""

    in_use: Mapping[tuple[str, int, str], Recording]
    figures: Mapping[int, KeyFigures]
    jobs: Mapping[str, RecordingJob]
    predictions: Mapping[int, list[PredictedQuality]]


async def counts(session: AsyncSession, study: StoredStudy, clips: Clips) -> RecordingCounts:
    """How far a study's recordings are."""
    return _counts(study, clips, await _found(session, study, clips))


async def of_study(session: AsyncSession, study: StoredStudy, clips: Clips) -> StudyRecordings:
    """Everything about a study's recordings but their results, which are long."""
    found = await _found(session, study, clips)
    members = [member for run in wanted_by(study.definition, clips) for member in run]
    shares = [_share(member, found) for member in members]
    counted = _counts(study, clips, found)
    jobs = {member.spec.spec_key: found.jobs.get(member.spec.spec_key) for member in members}
    left_s = time_left_s([one for one in jobs.values() if one is not None], datetime.now(UTC))
    return StudyRecordings(
        slug=study.slug,
        counts=counted,
        # Nothing wanted, as where all is typed, is nothing missing.
        progress_share=sum(shares) / len(shares) if shares else 1.0,
        time_left_s=left_s,
        predictions_missing=len({row.id for row in found.in_use.values()} - set(found.predictions)),
        trials=_trials(study, clips, found),
    )


async def _found(session: AsyncSession, study: StoredStudy, clips: Clips) -> _Found:
    in_use = await _in_use(session, study)
    ids = {row.id for row in in_use.values()}
    specs = [member.spec for run in wanted_by(study.definition, clips) for member in run]
    return _Found(
        in_use=in_use,
        figures=await _figures(session, ids),
        jobs=await queue.of_specs(session, specs),
        predictions=await _predictions(session, ids),
    )


async def _in_use(
    session: AsyncSession, study: StoredStudy
) -> dict[tuple[str, int, str], Recording]:
    rows = await session.execute(
        select(TrialRecording, Recording)
        .join(Recording, Recording.id == TrialRecording.recording_id)
        .where(TrialRecording.study_id == study.id)
        # Asked for every second while a study records.
        .options(defer(Recording.result))
    )
    return {(place.trial_id, place.run, place.member): row for place, row in rows}


async def _figures(session: AsyncSession, recording_ids: Collection[int]) -> dict[int, KeyFigures]:
    rows = await session.execute(
        select(Recording.id, Recording.result).where(Recording.id.in_(recording_ids))
    )
    # A reference was sent nowhere, and has none.
    return {id_: _figures_of(result) for id_, result in rows if result}


async def _predictions(
    session: AsyncSession, recording_ids: Collection[int]
) -> dict[int, list[PredictedQuality]]:
    rows = await session.scalars(
        select(PredictedQuality)
        .where(PredictedQuality.recording_id.in_(recording_ids))
        .order_by(PredictedQuality.measure)
    )
    found: dict[int, list[PredictedQuality]] = {}
    for row in rows:
        found.setdefault(row.recording_id, []).append(row)
    return found


def _counts(study: StoredStudy, clips: Clips, found: _Found) -> RecordingCounts:
    statuses = Counter(
        _status(member, found) for run in wanted_by(study.definition, clips) for member in run
    )
    return RecordingCounts(
        total=statuses.total(),
        ready=statuses[RecordingStatus.READY],
        under_way=statuses[RecordingStatus.QUEUED] + statuses[RecordingStatus.MAKING],
        failed=statuses[RecordingStatus.FAILED],
    )


def _trials(study: StoredStudy, clips: Clips, found: _Found) -> list[TrialRecordings]:
    runs: dict[str, list[RunRecordings]] = {}
    for members in wanted_by(study.definition, clips):
        place = members[0].place
        here = [_member(member, found) for member in members]
        runs.setdefault(place.trial_id, []).append(
            RunRecordings(run=place.run + 1, members=here, same_audio=_same_audio(members, found))
        )
    return [
        TrialRecordings(
            id=trial.id,
            block=block.id,
            training=block.role == "training",
            kind=trial.kind,
            matched=trial.matched if isinstance(trial, PairTrial) else None,
            clip=trial.clip,
            clip_title=clips.manifest[trial.clip].title,
            clip_attribution=clips.credits([trial.clip])[0],
            runs=runs[trial.id],
        )
        for block in study.definition.blocks
        for trial in block.trials
        if trial.clip is not None
    ]


def _row(member: Wanted, found: _Found) -> Recording | None:
    place = member.place
    return found.in_use.get((place.trial_id, place.run, place.member))


def _status(member: Wanted, found: _Found) -> RecordingStatus:
    asked = found.jobs.get(member.spec.spec_key)
    if asked is not None and asked.state != "done":
        return RecordingStatus(asked.state)
    return RecordingStatus.READY if _row(member, found) else RecordingStatus.MISSING


def _share(member: Wanted, found: _Found) -> float:
    asked = found.jobs.get(member.spec.spec_key)
    if asked is not None and asked.state in queue.OPEN:
        return asked.share
    return 1.0 if _row(member, found) else 0.0


def _same_audio(members: tuple[Wanted, ...], found: _Found) -> bool | None:
    rows = [_row(member, found) for member in members]
    if len(rows) < 2 or None in rows:  # noqa: PLR2004 (a pair)
        return None
    return len({row.audio_sha256 for row in rows if row is not None}) == 1


def _member(member: Wanted, found: _Found) -> MemberRecording:
    row = _row(member, found)
    asked = found.jobs.get(member.spec.spec_key)
    return MemberRecording(
        member="a" if member.place.member == "a" else "b",
        id=row.id if row else None,
        status=_status(member, found),
        progress_share=_share(member, found),
        problem=asked.problem if asked else None,
        remedy=asked.remedy if asked else None,
        condition=_condition(member.condition, member.spec.condition),
        seed=member.spec.seed,
        duration_ms=row.duration_ms if row else None,
        made_at=row.made_at if row else None,
        host_build=row.host_build if row else None,
        kernel_release=row.kernel_release if row else None,
        predicted=[
            PredictedScore(
                measure=one.measure, version=one.version, score=one.score, reason=one.reason
            )
            for one in found.predictions.get(row.id if row else 0, [])
        ],
        figures=found.figures.get(row.id) if row else None,
    )


def _condition(name: str, condition: RecordedCondition) -> NamedCondition:
    return NamedCondition(name=name, condition=condition, words=ConditionWords.of(condition))


def _figures_of(result: Mapping[str, Any]) -> KeyFigures:
    return KeyFigures.model_validate(
        {ours: result[part][name] for ours, (part, name) in FIGURES.items()}
    )
