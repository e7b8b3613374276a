"""Votes: stored once, never changed, harmless to send again.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, Vote
from thinlab.participation import presentation as presentations
from thinlab.participation.kind import Kinds
from thinlab.participation.messages import Account, VoteCast
from thinlab.participation.participant import complete_if_done, locked
from thinlab.study import catalogue
from thinlab.study.definition import StudyDefinition
from thinlab.study.session_page import page_at

# What tells a vote that is sent again from another one.
SAME = ("vote_key", "choice", "score", "noticeable")


class UnknownTrialError(Exception):
    """This participant has no such trial."""


class OtherVoteError(Exception):
    """The trial holds another vote, or the key belongs to another trial."""


class NotOnScaleError(Exception):
    """The answer cannot be given on the trial's scale."""

    def __init__(self, field: str | None = None) -> None:
        super().__init__()
        self.field = field
        """Of the vote; none: the one that was given."""


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


@dataclass(frozen=True)
class _Answer:
    """What becomes one vote."""

    presentation: Presentation
    vote_key: UUID
    choice: str | None
    score: int | None
    noticeable: int | None
    account: Account


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

    Of a page with several sounds, a vote on each, all or none of them.

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
    answers = (
        await _of_page(session, presentation, study.definition, ballot)
        if block.scale.one_page_a_clip
        else [_Answer(presentation, **ballot.model_dump(include=set(SAME)), account=ballot.account)]
    )
    if any(not block.scale.takes(one.choice, one.score) for one in answers):
        raise NotOnScaleError
    if any(not block.scale.takes_noticeable(one.choice, one.noticeable) for one in answers):
        raise NotNoticeableError
    if any(one.account.medium != presentation.medium for one in answers):
        raise OtherAccountError
    timed = timed and participant.kind == "person"
    received = []
    for one in answers:
        await kinds[presentation.medium].check(
            session, one.presentation, study.definition, one.account, timed=timed
        )
        received.append(await _store(session, one, ballot, build))
    page = page_at(study.definition, presentation.position)
    stored = next((at for at in received if at is not None), None)
    if stored is None:
        return Stored(page, await _stored_before(session, answers), new=False)
    if None in received:
        raise OtherVoteError
    row.last_seen_at = stored
    await presentations.draw_next(session, study, presentation, kinds)
    await complete_if_done(session, row, kinds)
    return Stored(page, stored, new=True)


async def _of_page(
    session: AsyncSession, lead: Presentation, study: StudyDefinition, ballot: VoteCast
) -> list[_Answer]:
    """An answer for each sound of the page. Raises `NotOnScaleError` unless all are rated, once."""
    if ballot.choice is not None or ballot.score is not None or ballot.noticeable is not None:
        raise NotOnScaleError("ratings")
    rows = await session.scalars(
        select(Presentation)
        .where(
            Presentation.participant_id == lead.participant_id,
            Presentation.block_id == lead.block_id,
        )
        .order_by(Presentation.position)
    )
    page = page_at(study, lead.position)
    shown = [one for one in rows if page_at(study, one.position) == page]
    rated = {one.recording_token: one for one in ballot.ratings or ()}
    tokens = {one.first_token for one in shown}
    if rated.keys() != tokens or len(ballot.ratings or ()) != len(shown):
        raise NotOnScaleError("ratings")
    return [
        _Answer(
            one,
            # A key of its own for each, which the same page sent again makes again.
            vote_key=ballot.vote_key
            if one is shown[0]
            else uuid5(ballot.vote_key, one.first_token),
            choice=None,
            score=rated[one.first_token].score,
            noticeable=None,
            account=rated[one.first_token].account,
        )
        for one in shown
    ]


async def _store(
    session: AsyncSession, answer: _Answer, ballot: VoteCast, build: str
) -> datetime | None:
    """When it was received; none where there is a vote, or the key is another's."""
    received: datetime | None = await session.scalar(
        insert(Vote)
        .values(
            **{name: getattr(answer, name) for name in SAME},
            presentation_id=answer.presentation.id,
            decision_ms=ballot.decision_ms,
            account=answer.account.model_dump(mode="json", exclude={"medium"}),
            events=[event.model_dump(mode="json", exclude_none=True) for event in ballot.events],
            build=build,
        )
        .on_conflict_do_nothing()
        .returning(Vote.received_at)
    )
    return received


async def _stored_before(session: AsyncSession, answers: Sequence[_Answer]) -> datetime:
    """When the same was received. Raises `OtherVoteError` unless it was."""
    received = []
    for answer in answers:
        vote = await session.scalar(
            select(Vote).where(Vote.presentation_id == answer.presentation.id)
        )
        if vote is None or any(getattr(vote, name) != getattr(answer, name) for name in SAME):
            raise OtherVoteError
        received.append(vote.received_at)
    return received[0]
