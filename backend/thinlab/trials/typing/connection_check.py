"""Whether a participant's own network is good enough to feel a difference through.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant
from thinlab.participation import participant as participation
from thinlab.participation.kind import Due, Kinds
from thinlab.participation.messages import Stage
from thinlab.participation.participant import locked
from thinlab.participation.places import CONNECTION_TRIES
from thinlab.study.task import ConnectionLimits


class NotDueError(Exception):
    """Nothing is typed in this study, or the participation has come to its end."""


@dataclass(frozen=True)
class ConnectionFound:
    """What a check has measured."""

    transport: str
    rtt_ms: float
    jitter_ms: float
    lost_share: float

    def too_poor_in(self, limits: ConnectionLimits) -> str | None:
        """What is beyond the study's limits; none where the connection is good."""
        if self.rtt_ms > limits.rtt_ms_at_most:
            return "rtt"
        if self.jitter_ms > limits.jitter_ms_at_most:
            return "jitter"
        return "loss" if self.lost_share > limits.lost_share_at_most else None


def due(participant: Participant) -> Due | None:
    """The check, until one was good or none is left."""
    if participant.connection_passed:
        return None
    if (participant.connection_tries or 0) >= CONNECTION_TRIES:
        return Due(Stage.CONNECTION_FAILED, over=True)
    return Due(Stage.CONNECTION_CHECK)


async def expect(session: AsyncSession, participant: Participant, kinds: Kinds) -> ConnectionLimits:
    """The study's limits, where a check makes sense: another device repeats it later.

    Raises `NotDueError`.
    """
    progress = await participation.progress(session, participant, kinds)
    definition = progress.study.definition
    if "typed" not in definition.media or progress.due.over:
        raise NotDueError
    return definition.connection


async def store(
    session: AsyncSession, participant: Participant, found: ConnectionFound, kinds: Kinds
) -> str | None:
    """Stores a check; returns what was too poor. A check once passed stays passed.

    Raises `NotDueError`, `WithdrawnError`.
    """
    row = await locked(session, participant)
    too_poor = found.too_poor_in(await expect(session, row, kinds))
    row.connection_checked_at = await session.scalar(select(func.now()))
    row.last_seen_at = row.connection_checked_at or row.last_seen_at
    if not row.connection_passed:
        row.connection_tries = (row.connection_tries or 0) + 1
        row.connection_passed = too_poor is None
    row.connection_transport = found.transport
    row.connection_rtt_ms = found.rtt_ms
    row.connection_jitter_ms = found.jitter_ms
    row.connection_lost_share = found.lost_share
    await session.flush()
    return too_poor
