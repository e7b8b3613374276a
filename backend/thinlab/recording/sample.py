"""The recordings of a study's sample: asked for at start, played once both are there.

SPDX-License-Identifier: Apache-2.0
"""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.clips.manifest import Clips
from thinlab.database.schema import Recording
from thinlab.recording import queue
from thinlab.recording.identity import RecordingSpec
from thinlab.recording.store import RecordingStore
from thinlab.study.catalogue import StoredStudy


def specs_of(study: StoredStudy, clips: Clips) -> list[RecordingSpec]:
    """What the sample plays, member by member; nothing where the study has none."""
    sample = study.definition.sample
    if sample is None:
        return []
    return [
        RecordingSpec(
            clip=sample.clip,
            clip_sha256=clips.manifest[sample.clip].sha256,
            condition=study.definition.conditions[member.condition].resolved,
            seed=sample.seed,
        )
        for member in sample.members
    ]


async def recordings_of(
    session: AsyncSession, study: StoredStudy, clips: Clips, store: RecordingStore
) -> list[Recording]:
    """The members' recordings; nothing until both are there, made on one host."""
    specs = specs_of(study, clips)
    jobs = await queue.of_specs(session, specs)
    ids = [one.recording_id for spec in specs if (one := jobs.get(spec.spec_key)) is not None]
    found = await session.scalars(select(Recording).where(Recording.id.in_(ids)))
    made = {one.id: one for one in found}
    members = [made[id_] for id_ in ids if id_ in made]
    one_host = len({one.host_build for one in members}) == 1
    there = len(members) == len(specs) and all(store.is_there(one.key) for one in members)
    return members if one_host and there else []


async def ask_for_missing(
    session: AsyncSession, study: StoredStudy, clips: Clips, store: RecordingStore
) -> int:
    """Queues both members unless both are there; returns how many are on their way then."""
    if await recordings_of(session, study, clips, store):
        return 0
    return await queue.ask(session, specs_of(study, clips))
