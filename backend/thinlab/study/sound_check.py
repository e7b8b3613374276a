"""How a participant set their sound, and whether they wear headphones.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant
from thinlab.study.participation import HEADPHONES_PASS_SHARE, locked


@dataclass(frozen=True)
class HeadphoneTest:
    """The outcome of the last try."""

    correct: int
    of: int
    tries: int

    @property
    def passed(self) -> bool:
        """Whether so many are seldom right without headphones."""
        return self.correct / self.of >= HEADPHONES_PASS_SHARE


async def store(
    session: AsyncSession,
    participant: Participant,
    level_percent: int,
    headphones: HeadphoneTest | None,
) -> Participant:
    """Stores the last sound check; a device changed on the way has one of its own.

    A test once passed stays passed, and tries are never taken back. The same
    check may arrive twice: the browser sends it again when an answer is lost.
    """
    row = await locked(session, participant)
    row.sound_checked_at = await session.scalar(select(func.now()))
    row.last_seen_at = row.sound_checked_at or row.last_seen_at
    row.level_percent = level_percent
    if headphones is not None and not row.headphones_passed:
        row.headphones_correct = headphones.correct
        row.headphones_of = headphones.of
        row.headphones_tries = max(headphones.tries, row.headphones_tries or 0)
        row.headphones_passed = headphones.passed
    await session.flush()
    return row
