"""When a participant's keys came in sessions before this one.

SPDX-License-Identifier: Apache-2.0
"""

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Keystroke, Presentation, TypingSession
from thinlab.monitoring.rhythm import gaps_ms

# The latest: whoever replays something replays it soon.
SESSIONS_LIMIT = 16


async def earlier_gaps_ms(session: AsyncSession, participant_id: int) -> list[list[float]]:
    """Between the characters of each session that counts, repeats of held keys aside."""
    presses = func.array_agg(aggregate_order_by(Keystroke.pressed_us, Keystroke.number))
    rows = await session.scalars(
        select(presses)
        .join(TypingSession, TypingSession.id == Keystroke.session_id)
        .join(Presentation, Presentation.id == TypingSession.presentation_id)
        .where(
            Presentation.participant_id == participant_id,
            TypingSession.state == "done",
            Keystroke.kind == "character",
            Keystroke.repeat.is_(False),
        )
        .group_by(Keystroke.session_id)
        .order_by(Keystroke.session_id.desc())
        .limit(SESSIONS_LIMIT)
    )
    return [gaps_ms(one) for one in rows]
