"""Recordings in the database: entered when their files are whole, then put to use.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import exists, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.contract.columns import apart, together
from thinlab.contract.generated.results import SessionResult
from thinlab.database.schema import (
    PredictedQuality,
    Recording,
    RecordingJob,
    TrialRecording,
)
from thinlab.recording.identity import RecordingSpec
from thinlab.recording.prediction import Prediction
from thinlab.recording.store import OtherRecordingError, Sheet


async def enter(session: AsyncSession, key: str, spec: RecordingSpec, sheet: Sheet) -> int:
    """Enters a recording with its metrics, once; returns its id.

    Raises `OtherRecordingError` when the key is known with other audio: votes
    on the old one would be joined with the new one.
    """
    measured = {} if sheet.result is None else sheet.result.model_dump(mode="json")
    result, series = apart(measured)
    recording_id = await session.scalar(
        insert(Recording)
        .values(
            key=key,
            clip=spec.clip,
            clip_sha256=spec.clip_sha256,
            condition=spec.condition.model_dump(mode="json"),
            seed=spec.seed,
            host_build=sheet.host.build,
            agent_version=sheet.host.agent_version,
            kernel_release=sheet.host.kernel_release,
            duration_ms=sheet.duration_ms,
            audio_sha256=sheet.audio_sha256,
            result=result,
            series=series,
        )
        .on_conflict_do_nothing(index_elements=[Recording.key])
        .returning(Recording.id)
    )
    if recording_id is None:
        await refuse_other_audio(session, key, sheet.audio_sha256)
        known = await session.execute(select(Recording.id).where(Recording.key == key))
        return int(known.scalar_one())
    return int(recording_id)


async def refuse_other_audio(session: AsyncSession, key: str, audio_sha256: str) -> None:
    """Raises `OtherRecordingError` when the key is known with other audio."""
    known = await session.scalar(select(Recording.audio_sha256).where(Recording.key == key))
    if known not in {None, audio_sha256}:
        raise OtherRecordingError(
            f"recording {key} came out differently than before: this host does not repeat "
            "itself, or its build does not name all that it is"
        )


async def result_of(session: AsyncSession, recording_id: int) -> SessionResult | None:
    """What was measured while a recording was made; none for an unknown id, and of a reference."""
    rows = await session.execute(
        select(Recording.result, Recording.series).where(Recording.id == recording_id)
    )
    found = rows.one_or_none()
    if found is None or not found.result:
        return None
    return SessionResult.model_validate(together(*found))


@dataclass(frozen=True)
class Unpredicted:
    """A recording without a prediction."""

    id: int
    key: str
    clip: str
    clip_sha256: str


async def unpredicted(session: AsyncSession, but: Collection[int] = ()) -> list[Unpredicted]:
    """Recordings that were asked for and have no prediction, the shortest first."""
    rows = await session.execute(
        select(Recording.id, Recording.key, Recording.clip, Recording.clip_sha256)
        .where(
            exists().where(RecordingJob.recording_id == Recording.id),
            ~exists().where(PredictedQuality.recording_id == Recording.id),
            Recording.id.not_in(but),
        )
        .order_by(Recording.duration_ms, Recording.id)
    )
    return [Unpredicted(*row) for row in rows]


async def enter_prediction(session: AsyncSession, recording_id: int, found: Prediction) -> None:
    """Keeps what an objective measure predicts of a recording, once a measure."""
    await session.execute(
        insert(PredictedQuality)
        .values(
            recording_id=recording_id,
            measure=found.measure.value,
            version=found.version,
            score=found.score,
            reason=found.reason,
        )
        .on_conflict_do_nothing()
    )


async def use(
    session: AsyncSession, study_id: int, trial_id: str, run: int, keys: Mapping[str, str]
) -> None:
    """Gives a trial its recordings of a run, by member, all in one transaction.

    So that no participant hears one member of an older host build and one of
    a newer.
    """
    for member, key in keys.items():
        recording_id = await session.scalar(select(Recording.id).where(Recording.key == key))
        await session.execute(
            insert(TrialRecording)
            .values(
                study_id=study_id,
                trial_id=trial_id,
                run=run,
                member=member,
                recording_id=recording_id,
            )
            .on_conflict_do_update(
                index_elements=[
                    TrialRecording.study_id,
                    TrialRecording.trial_id,
                    TrialRecording.run,
                    TrialRecording.member,
                ],
                set_={"recording_id": recording_id},
            )
        )
