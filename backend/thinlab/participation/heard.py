"""Whether a vote can have been heard: recordings were fetched, and time has passed to play them.

A page that is none of ours says that it played what it likes. What the server sees for itself is
when each recording was first fetched, and when the vote comes. A page fetches trials ahead and may
send several votes at once, when the network is back; so what counts is no trial alone: of all that
was fetched since any moment, nobody can have heard more than fits into the time since.

Lenient: clocks differ, and what a page plays may begin before the last byte of it is here.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, Recording, RecordingFetch, Vote
from thinlab.participation.participant import locked
from thinlab.study.definition import StudyDefinition

# What the page asks of each recording before it takes an answer: frontend/src/player/listening.ts.
MUST_HEAR_S = 5.0
LENIENCY = 0.9


class NotFetchedError(Exception):
    """A recording of the trial was never fetched."""


class TooSoonError(Exception):
    """The recordings cannot have been heard yet."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(f"{wait_s:.1f} s too soon")
        self.wait_s = wait_s


@dataclass(frozen=True)
class Fetched:
    """A trial whose recordings are at the page."""

    at: datetime
    """When the last of them was fetched first."""
    takes_s: float
    """Hearing them, at least."""


def lack_s(trials: Iterable[Fetched], now: datetime) -> float:
    """How much longer hearing all of these takes, at least; 0 or less if they can have been."""
    lack, sum_s = 0.0, 0.0
    for trial in sorted(trials, key=lambda one: one.at, reverse=True):
        sum_s += trial.takes_s
        lack = max(lack, sum_s - (now - trial.at).total_seconds())
    return lack


async def fetched(
    session: AsyncSession, participant: Participant, presentation_id: int, place: str
) -> None:
    """Notes that a page fetches a recording; the first time counts. Raises `WithdrawnError`."""
    if await session.get(RecordingFetch, (presentation_id, place)) is not None:
        return
    # A withdrawal beside this one takes the presentation away.
    await locked(session, participant)
    await session.execute(
        insert(RecordingFetch)
        .values(presentation_id=presentation_id, place=place)
        .on_conflict_do_nothing()
    )


async def check(
    session: AsyncSession, presentation: Presentation, definition: StudyDefinition, *, timed: bool
) -> None:
    """Raises `NotFetchedError`, `TooSoonError`; the latter only if `timed`."""
    rows = await session.execute(
        select(
            Presentation.id,
            Presentation.block_id,
            Presentation.second_token.is_not(None).label("paired"),
            Recording.duration_ms,
            func.max(RecordingFetch.at).label("at"),
            func.count(RecordingFetch.place).label("places"),
        )
        .join(Recording, Recording.id == Presentation.first_recording_id)
        .outerjoin(RecordingFetch, RecordingFetch.presentation_id == Presentation.id)
        .outerjoin(Vote, Vote.presentation_id == Presentation.id)
        .where(
            Presentation.participant_id == presentation.participant_id,
            Vote.id.is_not(None) | (Presentation.id == presentation.id),
        )
        .group_by(Presentation.id, Recording.duration_ms)
    )
    playback = {block.id: block.playback for block in definition.blocks}
    trials: list[Fetched] = []
    for row in rows:
        if row.places < 1 + row.paired:
            if row.id == presentation.id:
                raise NotFetchedError
            # Voted on before anybody noted what was fetched.
            continue
        duration_s = row.duration_ms / 1000
        whole = playback[row.block_id] == "in_turn"
        each_s = duration_s if whole else min(duration_s, MUST_HEAR_S)
        trials.append(Fetched(row.at, LENIENCY * each_s * (1 + row.paired)))
    now = await session.scalar(select(func.now()))
    if timed and now is not None and (wait_s := lack_s(trials, now)) > 0:
        raise TooSoonError(wait_s)
