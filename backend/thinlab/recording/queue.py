"""Jobs: the recordings asked for, kept in the database from the asking to the end.

A job is one recording, whoever asks for it and however often. Whoever asks and
whoever makes are two processes; both may die, and the rows tell how to go on.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.condition.reference import recorded
from thinlab.database.schema import RecordingJob
from thinlab.recording.identity import RecordingSpec
from thinlab.recording.trouble import Trouble

OPEN = ("queued", "making")


@dataclass(frozen=True)
class Job:
    """A recording to be made."""

    id: int
    spec: RecordingSpec


async def ask(session: AsyncSession, specs: Iterable[RecordingSpec]) -> int:
    """Queues recordings; those queued or being made already stay as they are.

    Returns how many of them are on their way now.
    """
    wanted = {spec.spec_key: spec for spec in specs}
    if not wanted:
        return 0
    fresh = insert(RecordingJob).values(
        [
            {
                "spec_key": key,
                "clip": spec.clip,
                "clip_sha256": spec.clip_sha256,
                "condition": spec.condition.model_dump(mode="json"),
                "seed": spec.seed,
            }
            for key, spec in wanted.items()
        ]
    )
    await session.execute(
        fresh.on_conflict_do_update(
            index_elements=[RecordingJob.spec_key],
            set_={
                "state": "queued",
                "share": 0.0,
                "problem": None,
                "remedy": None,
                "asked_at": func.now(),
                "started_at": None,
                "finished_at": None,
            },
            where=RecordingJob.state.not_in(OPEN),
        )
    )
    return len(wanted)


async def all_open(session: AsyncSession) -> list[RecordingJob]:
    """What is still to be done."""
    return list(await session.scalars(select(RecordingJob).where(RecordingJob.state.in_(OPEN))))


async def asked_since(session: AsyncSession, since: datetime) -> list[RecordingJob]:
    """What was asked for then or later, done or not."""
    return list(await session.scalars(select(RecordingJob).where(RecordingJob.asked_at >= since)))


async def take_back(session: AsyncSession) -> None:
    """Queues again what a maker that died had under way."""
    await session.execute(
        update(RecordingJob)
        .where(RecordingJob.state == "making")
        .values(state="queued", share=0.0, started_at=None)
    )


async def take(session: AsyncSession) -> Job | None:
    """The job that has waited longest, now being made; none if nothing waits."""
    oldest = (
        select(RecordingJob.id)
        .where(RecordingJob.state == "queued")
        .order_by(RecordingJob.asked_at, RecordingJob.id)
        .limit(1)
        .scalar_subquery()
    )
    row = await session.scalar(
        update(RecordingJob)
        .where(RecordingJob.id == oldest)
        .values(state="making", started_at=func.clock_timestamp())
        .returning(RecordingJob)
    )
    return None if row is None else Job(row.id, spec_of(row))


def spec_of(row: RecordingJob) -> RecordingSpec:
    """What the job is about."""
    return RecordingSpec(
        clip=row.clip,
        clip_sha256=row.clip_sha256,
        condition=recorded(row.condition),
        seed=row.seed,
    )


async def tell_shares(session: AsyncSession, shares: Mapping[int, float]) -> None:
    """How far jobs under way have come, by id."""
    await (await session.connection()).execute(
        update(RecordingJob)
        .where(RecordingJob.id == bindparam("job"), RecordingJob.state == "making")
        .values(share=bindparam("far")),
        [{"job": id_, "far": share} for id_, share in shares.items()],
    )


async def finish(session: AsyncSession, job_id: int, recording_id: int) -> None:
    """The recording is there."""
    await session.execute(
        update(RecordingJob)
        .where(RecordingJob.id == job_id)
        .values(
            state="done", share=1.0, recording_id=recording_id, finished_at=func.clock_timestamp()
        )
    )


async def fail(session: AsyncSession, job_id: int, trouble: Trouble) -> None:
    """There is no recording, and why."""
    await session.execute(
        update(RecordingJob).where(RecordingJob.id == job_id).values(**_failed(trouble))
    )


async def fail_all_open(session: AsyncSession, trouble: Trouble) -> None:
    """What keeps every job from being done."""
    await session.execute(
        update(RecordingJob).where(RecordingJob.state.in_(OPEN)).values(**_failed(trouble))
    )


def _failed(trouble: Trouble) -> dict[str, object]:
    return {
        "state": "failed",
        "problem": trouble.problem,
        "remedy": trouble.remedy,
        "finished_at": func.clock_timestamp(),
    }


async def of_specs(
    session: AsyncSession, specs: Collection[RecordingSpec]
) -> dict[str, RecordingJob]:
    """The jobs of these recordings, by `spec_key`."""
    rows = await session.scalars(
        select(RecordingJob).where(RecordingJob.spec_key.in_({spec.spec_key for spec in specs}))
    )
    return {row.spec_key: row for row in rows}
