"""Votes: stored once, never changed, harmless to send again.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, Vote
from thinlab.participation import presentation as presentations
from thinlab.participation.kind import Kinds
from thinlab.participation.messages import VoteCast
from thinlab.participation.participant import complete_if_done, locked
from thinlab.study import catalogue

ANSWER = ("choice", "score", "noticeable")
# What tells a vote that is sent again from another one.
SAME = ("vote_key", *ANSWER)


class UnknownTrialError(Exception):
    """This participant has no such trial."""


class OtherVoteError(Exception):
    """The trial holds another vote, or the key belongs to another trial."""


class NotOnScaleError(Exception):
    """The answer cannot be given on the trial's scale."""


class NotNoticeableError(Exception):
    """How noticeable the difference was is missing, or was not asked."""


class OtherAccountError(Exception):
    """The account is of another kind of trial."""


@dataclass(frozen=True)
class Stored:
    """A vote that the server holds."""

    position: int
    received_at: datetime
    new: bool


async def cast(
    session: AsyncSession,
    participant: Participant,
    ballot: VoteCast,
    kinds: Kinds,
    *,
    build: str,
    timed: bool,
) -> Stored:
    """Stores a vote and, where nothing else is left, completes the session.

    `timed`: only once its recordings can have been heard, and as much of them as the study asks
    for; researchers look and bots vote at once.
    Raises `UnknownTrialError`, `NotOnScaleError`, `NotNoticeableError`, `OtherAccountError`,
    `kind.NotDoneError`, `OtherVoteError`.
    """
    # One vote of a participant at a time: the last one must see all others.
    row = await locked(session, participant)
    presentation = await session.scalar(
        select(Presentation).where(
            Presentation.participant_id == participant.id,
            Presentation.trial_token == ballot.trial_token,
        )
    )
    if presentation is None:
        raise UnknownTrialError
    study = await catalogue.by_id(session, row.study_id)
    block, _ = study.definition.trial(presentation.trial_id)
    if not block.scale.takes(ballot.choice, ballot.score):
        raise NotOnScaleError
    if not block.scale.takes_noticeable(ballot.choice, ballot.noticeable):
        raise NotNoticeableError
    if ballot.account.medium != presentation.medium:
        raise OtherAccountError
    timed = timed and participant.kind == "person"
    await kinds[presentation.medium].check(
        session, presentation, study.definition, ballot.account, timed=timed
    )
    stored = await session.scalar(
        insert(Vote)
        .values(
            **ballot.model_dump(include={"vote_key", "decision_ms", *ANSWER}),
            presentation_id=presentation.id,
            account=ballot.account.model_dump(mode="json", exclude={"medium"}),
            events=[event.model_dump(mode="json", exclude_none=True) for event in ballot.events],
            build=build,
        )
        .on_conflict_do_nothing()
        .returning(Vote.received_at)
    )
    if stored is None:
        return await _stored_before(session, presentation, ballot)
    row.last_seen_at = stored
    await presentations.draw_next(session, study, presentation, kinds)
    await complete_if_done(session, row, kinds)
    return Stored(presentation.position, stored, new=True)


async def _stored_before(
    session: AsyncSession, presentation: Presentation, ballot: VoteCast
) -> Stored:
    vote = await session.scalar(select(Vote).where(Vote.presentation_id == presentation.id))
    if vote is None or any(getattr(vote, name) != getattr(ballot, name) for name in SAME):
        raise OtherVoteError
    return Stored(presentation.position, vote.received_at, new=False)
