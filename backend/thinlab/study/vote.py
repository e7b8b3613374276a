"""Votes: stored once, never changed, harmless to send again.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, Vote
from thinlab.study import catalogue, tokens
from thinlab.study.participation import votes_of


class UnknownTrialError(Exception):
    """This participant has no such trial."""


class OtherVoteError(Exception):
    """The trial holds another vote, or the key belongs to another trial."""


class Choice(StrEnum):
    """An answer, in the words of the presentation."""

    FIRST = "first"
    SECOND = "second"
    NO_DIFFERENCE = "no_difference"


@dataclass(frozen=True)
class Ballot:
    """A vote as the browser sends it."""

    trial_token: str
    vote_key: UUID
    choice: Choice
    plays_first: int
    plays_second: int
    switches: int
    decision_ms: int
    played_first: str | None
    output_latency_ms: float | None
    events: list[dict[str, Any]]


@dataclass(frozen=True)
class Stored:
    """A vote that the server holds."""

    position: int
    received_at: datetime
    new: bool


async def cast(
    session: AsyncSession, participant: Participant, ballot: Ballot, *, build: str
) -> Stored:
    """Stores a vote and, with the last one, completes the session.

    Raises `UnknownTrialError`, `OtherVoteError`.
    """
    # One vote of a participant at a time: the last one must see all others.
    locked = await session.scalar(
        select(Participant).where(Participant.id == participant.id).with_for_update()
    )
    presentation = await session.scalar(
        select(Presentation).where(
            Presentation.participant_id == participant.id,
            Presentation.trial_token == ballot.trial_token,
        )
    )
    if presentation is None or locked is None:
        raise UnknownTrialError
    stored = await session.scalar(
        insert(Vote)
        .values(
            presentation_id=presentation.id,
            vote_key=ballot.vote_key,
            choice=ballot.choice.value,
            plays_first=ballot.plays_first,
            plays_second=ballot.plays_second,
            switches=ballot.switches,
            decision_ms=ballot.decision_ms,
            played_first=ballot.played_first,
            output_latency_ms=ballot.output_latency_ms,
            events=ballot.events,
            build=build,
        )
        .on_conflict_do_nothing()
        .returning(Vote.received_at)
    )
    if stored is None:
        return await _stored_before(session, presentation, ballot)
    await _complete_if_last(session, locked)
    return Stored(presentation.position, stored, new=True)


async def _stored_before(
    session: AsyncSession, presentation: Presentation, ballot: Ballot
) -> Stored:
    vote = await session.scalar(select(Vote).where(Vote.presentation_id == presentation.id))
    if vote is None or vote.vote_key != ballot.vote_key or vote.choice != ballot.choice.value:
        raise OtherVoteError
    return Stored(presentation.position, vote.received_at, new=False)


async def _complete_if_last(session: AsyncSession, participant: Participant) -> None:
    study = await catalogue.by_id(session, participant.study_id)
    if await votes_of(session, participant.id) == len(study.definition.trials):
        participant.completed_at = await session.scalar(select(func.now()))
        participant.completion_code = tokens.code()
        await session.flush()
