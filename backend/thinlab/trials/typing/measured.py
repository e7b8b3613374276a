"""What was measured of typing sessions that a typist may have noticed.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.contract.columns import Flat, flatten, named
from thinlab.database.schema import Participant, Presentation, Study, TypingSession
from thinlab.trials.typing.columns import MEASURES, RESULT

_OF_MEASURES = named(
    MEASURES, "echo_p50_ms", "echo_p99_ms", "echo_max_ms", "bursts_count", "bursts_keys_max"
)
_OF_RESULT = named(
    RESULT, "felt_share_later_than_150_ms", "felt_longest_stall_ms", "felt_sojourn_p99_us"
)
DELAY_METRICS = (*_OF_MEASURES, *_OF_RESULT)
PLACES = 2


async def measured(session: AsyncSession, slug: str) -> Mapping[int, tuple[Flat, ...]]:
    """By presentation: of the sessions that count, first and second."""
    rows = await session.execute(
        select(TypingSession.presentation_id, TypingSession.measures, TypingSession.result)
        .join(Presentation, Presentation.id == TypingSession.presentation_id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, TypingSession.state == "done")
        .order_by(TypingSession.presentation_id, TypingSession.place)
    )
    found: dict[int, tuple[Flat, ...]] = {}
    for presentation, measures, result in rows:
        own = {
            **flatten(_OF_MEASURES, measures or {}),
            **flatten(_OF_RESULT, result or {}),
        }
        found[presentation] = (*found.get(presentation, ()), own)
    return {presentation: places for presentation, places in found.items() if len(places) == PLACES}
