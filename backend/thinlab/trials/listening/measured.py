"""What was measured of recordings that a listener may have noticed.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.contract.columns import SESSION_COLUMNS, Flat, flatten, named
from thinlab.database.schema import Participant, Presentation, Recording, Study

DELAY_METRICS = named(
    SESSION_COLUMNS,
    "felt_share_later_than_150_ms",
    "felt_share_later_than_400_ms",
    "felt_longest_stall_ms",
    "felt_sojourn_p99_us",
    "playout_gaps",
    "playout_concealed_ms",
    "playout_longest_gap_ms",
    "playout_delay_mean_ms",
    "playout_damaged_ms",
)


async def measured(session: AsyncSession, slug: str) -> Mapping[int, tuple[Flat, ...]]:
    """By presentation: of the first recording, and of the second where there is one."""
    first, second = Presentation.first_recording_id, Presentation.second_recording_id
    presented = (
        await session.execute(
            select(Presentation.id, first, second)
            .join(Participant, Participant.id == Presentation.participant_id)
            .join(Study, Study.id == Participant.study_id)
            .where(Study.slug == slug, first.is_not(None))
        )
    ).all()
    used = {id_ for _, *ids in presented for id_ in ids if id_ is not None}
    rows = await session.execute(
        select(Recording.id, Recording.result).where(Recording.id.in_(used))
    )
    found = {id_: _flat(result) for id_, result in rows}
    return {
        presentation: tuple(found[id_] for id_ in ids if id_ is not None)
        for presentation, *ids in presented
    }


def _flat(result: Mapping[str, Any]) -> Flat:
    """Agents tell damage where there is some, and earlier ones refused it."""
    flat = flatten(DELAY_METRICS, result)
    if flat["playout_damaged_ms"] is None and flat["playout_concealed_ms"] is not None:
        flat["playout_damaged_ms"] = 0.0
    return flat
