"""How a participant set their sound.

SPDX-License-Identifier: Apache-2.0
"""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant
from thinlab.participation.participant import locked


async def store(session: AsyncSession, participant: Participant, level_percent: int) -> Participant:
    """Stores the last sound check; a device changed on the way has one of its own.

    The same check may arrive twice: the browser sends it again when an answer is lost.
    """
    row = await locked(session, participant)
    row.sound_checked_at = await session.scalar(select(func.now()))
    row.last_seen_at = row.sound_checked_at or row.last_seen_at
    row.level_percent = level_percent
    await session.flush()
    return row
