"""The audience's votes: on the disk before they are acknowledged, counted from there.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
from collections import Counter
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.engine import Database
from thinlab.database.schema import DemoPoll, DemoVote
from thinlab.demo.audience_message import NO_DIFFERENCE
from thinlab.demo.letters import Order


class PollClosedError(Exception):
    """There is no open poll to vote in, or none with this choice."""


@dataclass
class Poll:
    """A poll of a running demo. Its votes here are those of the table."""

    row_id: int
    number: int
    question: str
    order: tuple[int, ...]
    """Which lane each letter stands for."""
    names: tuple[str, ...]
    """What each letter stands for, in words, as it was when the poll was opened."""
    blind: bool
    """Whether who votes is not told that."""
    votes: dict[UUID, str]
    open: bool = True
    revealed: bool = False

    @property
    def letters(self) -> str:
        """What can be voted for, beside no difference."""
        return "ABCD"[: len(self.order)]

    def counts(self) -> Counter[str]:
        """How many voted for what."""
        return Counter(self.votes.values())


class Ballots:
    """One demo's polls."""

    def __init__(self, database: Database, demo_id: int) -> None:
        self._database = database
        self._demo_id = demo_id
        self._polls = 0

    async def open(self, question: str, order: Order, names: list[str], at_ms: float) -> Poll:
        """A new poll; `names` of the lanes, by their numbers."""
        number = self._polls + 1
        called = tuple(names[lane] for lane in order.lanes)
        async with self._database.transaction() as session:
            row = DemoPoll(
                demo_id=self._demo_id,
                number=number,
                question=question,
                lane_order=list(order.lanes),
                lane_names=list(called),
                opened_at_ms=at_ms,
            )
            session.add(row)
        self._polls = number
        return Poll(row.id, number, question, order.lanes, called, order.blind, {})

    async def vote(self, poll: Poll | None, listener: UUID, choice: str) -> None:
        """Returns once the vote is stored. Raises `PollClosedError`."""
        if poll is None or not poll.open or choice not in {*poll.letters, NO_DIFFERENCE}:
            raise PollClosedError
        async with self._database.transaction() as session:
            # Held until the vote is in: whoever closes the poll waits for it.
            is_open = await session.scalar(
                select(DemoPoll.id)
                .where(DemoPoll.id == poll.row_id, DemoPoll.closed_at_ms.is_(None))
                .with_for_update(read=True)
            )
            if is_open is None:
                raise PollClosedError
            values = {"choice": choice, "voted_at": func.now()}
            await session.execute(
                insert(DemoVote)
                .values(poll_id=poll.row_id, listener_hash=self._hash(listener), **values)
                .on_conflict_do_update(constraint="pk_demo_vote", set_=values)
            )
        poll.votes[listener] = choice

    async def close(self, poll: Poll, at_ms: float) -> None:
        """Takes no more votes."""
        async with self._database.transaction() as session:
            await self._set(session, poll, closed_at_ms=at_ms)
        poll.open = False

    async def reveal(self, poll: Poll, at_ms: float) -> None:
        """Notes that the audience was told what the letters stand for; closes the poll, too."""
        async with self._database.transaction() as session:
            if poll.open:
                await self._set(session, poll, closed_at_ms=at_ms)
            await self._set(session, poll, revealed_at_ms=at_ms)
        poll.open, poll.revealed = False, True

    async def _set(self, session: AsyncSession, poll: Poll, **values: float) -> None:
        await session.execute(update(DemoPoll).where(DemoPoll.id == poll.row_id).values(**values))

    def _hash(self, listener: UUID) -> bytes:
        # Another in every demo: nobody can be followed from one to the next.
        return hashlib.sha256(f"{self._demo_id}:{listener}".encode()).digest()
