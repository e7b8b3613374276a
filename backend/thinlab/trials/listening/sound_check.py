"""How a participant set their sound, and whether they have to yet.

SPDX-License-Identifier: Apache-2.0
"""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant
from thinlab.participation.kind import Due
from thinlab.participation.messages import Stage
from thinlab.participation.participant import locked
from thinlab.study.definition import StudyDefinition


def due(definition: StudyDefinition, participant: Participant) -> Due | None:
    """The check, until the sound was set and headphones were heard where they are needed."""
    unheard = definition.headphones == "required" and not participant.headphones_passed
    if unheard and (participant.headphones_tries or 0) >= definition.headphone_rule.tries:
        return Due(Stage.HEADPHONES_FAILED, over=True)
    return Due(Stage.SOUND_CHECK) if unheard or participant.sound_checked_at is None else None


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
