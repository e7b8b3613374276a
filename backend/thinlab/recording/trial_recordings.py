"""The recordings of a study's trials: which ones they need, lack, and get.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from thinlab.clips.manifest import Clips
from thinlab.condition.reference import recorded
from thinlab.database.schema import Recording, RecordingJob, TrialRecording
from thinlab.recording import queue, registry
from thinlab.recording.identity import RecordingSpec
from thinlab.recording.store import RecordingStore
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.study.trial import Trial, member_conditions, runs_of, seeds_of

InUse = dict[tuple[str, int, str], Recording]


@dataclass(frozen=True)
class Place:
    """What one recording is for."""

    trial_id: str
    run: int
    member: str


@dataclass(frozen=True)
class Wanted:
    """One recording that a study wants."""

    place: Place
    condition: str
    """The study's name for it."""
    spec: RecordingSpec


def members_of(
    definition: StudyDefinition, clips: Clips, trial: Trial, run: int
) -> tuple[Wanted, ...]:
    """What a trial plays in a run: two recordings, or one."""
    clip = trial.clip
    if clip is None:
        raise ValueError(f"trial {trial.id} is typed, not heard")
    names = member_conditions(trial)
    return tuple(
        Wanted(
            place=Place(trial.id, run, member),
            condition=name,
            spec=RecordingSpec(
                clip=clip,
                clip_sha256=clips.manifest[clip].sha256,
                condition=definition.conditions[name].resolved,
                seed=seed,
            ),
        )
        for member, name, seed in zip("ab", names, seeds_of(trial, run), strict=False)
    )


def wanted_by(
    definition: StudyDefinition, clips: Clips, of_clip: str | None = None
) -> Iterator[tuple[Wanted, ...]]:
    """All that a study wants, or wants of one clip, run by run."""
    for trial in definition.recorded_trials:
        if of_clip not in (None, trial.clip):
            continue
        for run in range(runs_of(trial)):
            yield members_of(definition, clips, trial, run)


async def ask_for_missing(
    session: AsyncSession,
    study: StoredStudy,
    clips: Clips,
    store: RecordingStore,
    host_build: str | None = None,
) -> int:
    """Queues what the study lacks; returns how many recordings are on their way then.

    A run lacks both its recordings when one of them is missing or damaged, so
    that its members come from one host. Given the build of the host, runs made
    on another one are asked for anew.
    """
    in_use = await catalogue.recordings_of(session, study)
    keys = {row.key for row in in_use.values()}
    # Reads every file: seconds for a large study.
    whole = await asyncio.to_thread(lambda: {key for key in keys if store.is_whole(key)})
    for key in keys - whole:
        store.forget(key)
    await _take_lost_out_of_use(session, study, clips, in_use, whole)
    lacking: list[Wanted] = []
    for members in wanted_by(study.definition, clips):
        if not all(
            one is not None and one.key in whole and host_build in (None, one.host_build)
            for one in _of(in_use, members)
        ):
            lacking += members
    return await queue.ask(session, [member.spec for member in lacking])


async def ask_for_lost(
    session: AsyncSession, study: StoredStudy, clips: Clips, store: RecordingStore
) -> int:
    """Queues what the study had and whose files are gone; returns how many recordings.

    Until they are made again, nobody can join: they would hear nothing.
    """
    in_use = await catalogue.recordings_of(session, study)
    keys = {row.key for row in in_use.values()}
    there = await asyncio.to_thread(lambda: {key for key in keys if store.is_there(key)})
    lost = await _take_lost_out_of_use(session, study, clips, in_use, there)
    return await queue.ask(session, [member.spec for member in lost])


async def _take_lost_out_of_use(
    session: AsyncSession, study: StoredStudy, clips: Clips, in_use: InUse, usable: set[str]
) -> list[Wanted]:
    """Of runs in use that lack a file: both members, so that they come from one host again."""
    lost: list[Wanted] = []
    for members in wanted_by(study.definition, clips):
        if any(one is not None and one.key not in usable for one in _of(in_use, members)):
            lost += members
            place = members[0].place
            await session.execute(
                delete(TrialRecording).where(
                    TrialRecording.study_id == study.id,
                    TrialRecording.trial_id == place.trial_id,
                    TrialRecording.run == place.run,
                )
            )
    return lost


async def ask_again(session: AsyncSession, key: str) -> bool:
    """Queues a recording that somebody wanted to hear and whose files are gone."""
    row = await session.scalar(select(Recording).where(Recording.key == key))
    if row is None:
        return False
    spec = RecordingSpec(
        clip=row.clip,
        clip_sha256=row.clip_sha256,
        condition=recorded(row.condition),
        seed=row.seed,
    )
    return await queue.ask(session, [spec]) > 0


async def supply(
    session: AsyncSession,
    study: StoredStudy,
    clips: Clips,
    store: RecordingStore,
    entered: RecordingSpec | None = None,
) -> None:
    """Puts finished recordings to use, run by run, both members at once.

    What a study has stays: its sound must not change under its participants.
    Only one that records at every start follows the host.

    Told what was `entered`, it looks at the runs that play it and at no other: all of
    them after each recording would cost more than to record.
    """
    wanted = _playing(study.definition, clips, entered)
    if not wanted:
        return
    in_use = await catalogue.recordings_of(session, study)
    jobs = await queue.of_specs(session, [member.spec for members in wanted for member in members])
    finished = await _finished(session, list(jobs.values()))
    for members in wanted:
        now = _of(in_use, members)
        has_all = all(one is not None and store.is_there(one.key) for one in now)
        if has_all and study.definition.record != "at_start":
            continue
        made = [
            finished.get(jobs[member.spec.spec_key].id) if member.spec.spec_key in jobs else None
            for member in members
        ]
        keys = {
            member.place.member: one.key
            for member, one in zip(members, made, strict=True)
            if one is not None and store.is_there(one.key)
        }
        one_host = len({one.host_build for one in made if one is not None}) == 1
        if len(keys) == len(members) and one_host and made != now:
            place = members[0].place
            await registry.use(session, study.id, place.trial_id, place.run, keys)


def _playing(
    definition: StudyDefinition, clips: Clips, spec: RecordingSpec | None
) -> list[tuple[Wanted, ...]]:
    """The runs that play a recording; given none, all."""
    if spec is None:
        return list(wanted_by(definition, clips))
    of_clip = wanted_by(definition, clips, spec.clip)
    return [members for members in of_clip if any(one.spec.is_as(spec) for one in members)]


async def _finished(session: AsyncSession, jobs: Sequence[RecordingJob]) -> dict[int, Recording]:
    """Recordings of the jobs that are done, by the job's id."""
    ids = {one.recording_id: one.id for one in jobs if one.state == "done"}
    rows = await session.scalars(
        select(Recording).where(Recording.id.in_(ids)).options(defer(Recording.result))
    )
    return {ids[row.id]: row for row in rows}


def _of(in_use: InUse, members: Sequence[Wanted]) -> list[Recording | None]:
    return [
        in_use.get((member.place.trial_id, member.place.run, member.place.member))
        for member in members
    ]
