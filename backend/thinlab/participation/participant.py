"""A person in a study: joining, being recognised, what comes next for them.

SPDX-License-Identifier: Apache-2.0
"""

import secrets
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab import tokens
from thinlab.database.schema import (
    PanelSeat,
    Participant,
    Presentation,
    QuestionnaireAnswer,
    ServerSecret,
    Study,
    Vote,
)
from thinlab.participation import invitation, panel_return, panel_seat, places
from thinlab.participation.kind import Due, Kinds
from thinlab.participation.messages import PanelEnd, PanelIds, Stage
from thinlab.study import catalogue, study_state
from thinlab.study.blocks.registry import trials_total
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.study.kind import kinds_of
from thinlab.study.panel import Outcome

# Ends that are none of the checks before the trials.
NO_SCREENS = {Stage.COMPLETE, Stage.WITHDRAWN, Stage.TIMED_OUT}


class OtherConsentError(Exception):
    """The browser showed another version of the consent text."""


class ClosedError(Exception):
    """The study takes no more participants."""


class PreparingError(Exception):
    """Not all of the study's recordings exist."""


class NoHostError(Exception):
    """There is no host of the live lab at this moment, as when it starts again."""


class WithdrawnError(Exception):
    """The participant has left the study."""


class PanelNeededError(Exception):
    """The study takes only whom its panel sends."""


class TookPartError(Exception):
    """The panel's id has come to an end before, in another visit or without joining."""


class InvitationNeededError(Exception):
    """The study takes only who was invited."""


@dataclass(frozen=True)
class Joining:
    """What somebody brings who wants to join."""

    join_key: UUID
    consent_version: str
    language: str
    kind: str
    invitation: str | None
    panel: PanelIds | None
    current: bool
    """Whether the study still has its file."""
    hosted: bool
    """Whether there is a host of the live lab, for a study that needs one."""


@dataclass(frozen=True)
class Joined:
    """A participant and the credentials to give to the browser."""

    participant: Participant
    token: str
    withdraw_token: str
    new: bool


@dataclass(frozen=True)
class Progress:
    """How far a participant is."""

    study: StoredStudy
    participant: Participant
    due: Due
    trials_done: int
    seat: PanelSeat | None
    """Of who came from a panel."""
    end: PanelEnd | None
    """Of whom, once they have come to an end."""


async def join(session: AsyncSession, study: StoredStudy, joining: Joining) -> Joined:
    """Makes a participant, or finds the one that joined with this key, invitation or panel's id.

    Raises `OtherConsentError`, `ClosedError`, `PreparingError`, `NoHostError`,
    `InvitationNeededError`, `UnknownInvitationError`, `PanelNeededError`, `TookPartError` and
    `FullError`; a preview needs no open study, no invitation and no panel.
    """
    known = await _joined_before(session, study.slug, joining.join_key)
    if known is not None:
        return known
    invited = None
    # A preview must not use up somebody's invitation.
    if joining.invitation is not None and joining.kind == "person":
        invited = await invitation.admit(session, study.slug, joining.invitation)
        if invited.participant_id is not None:
            found = await session.get_one(Participant, invited.participant_id)
            return await _credentials(session, found, new=False)
    panel = study.definition.panel if joining.kind == "person" else None
    if panel is not None and joining.panel is not None:
        # A place is reserved with the seat: nobody else may count meanwhile.
        await places.lock(session, study.slug)
        seat = await panel_seat.find(session, study.slug, joining.panel)
        if seat is not None:
            return await _seated(session, seat, joining.panel)
    await _admit(session, study, joining)
    key = await _key(session)
    token = tokens.participant_token(key, study.id, joining.join_key)
    # Two requests with one key may come at once: the second finds the first one's row.
    await session.execute(
        insert(Participant)
        .values(
            pseudonym=f"p-{secrets.token_hex(5)}",
            study_id=study.id,
            kind=joining.kind,
            language=joining.language,
            join_key=joining.join_key,
            token_hash=tokens.token_hash(token),
            withdraw_hash=tokens.token_hash(tokens.withdraw_token(key, study.id, joining.join_key)),
            consent_version=joining.consent_version,
        )
        .on_conflict_do_nothing()
    )
    participant = await by_token(session, token)
    if participant is None:
        raise LookupError("a participant just stored is gone")
    if invited is not None:
        await invitation.use(session, invited, participant.id)
    # Its browser may have sent two ids at once with one key: the first holds.
    seated = panel is None or await panel_seat.of(session, participant.id) is not None
    if panel is not None and joining.panel is not None and not seated:
        await panel_seat.take(session, study.slug, joining.panel, panel, participant.id)
    return await _credentials(session, participant, new=True)


async def _seated(session: AsyncSession, seat: PanelSeat, ids: PanelIds) -> Joined:
    ended = seat.outcome is not None
    if seat.participant_id is None or (ended and not panel_seat.is_theirs(seat, ids)):
        raise TookPartError
    await panel_seat.come_again(session, seat, ids)
    found = await session.get_one(Participant, seat.participant_id)
    return await _credentials(session, found, new=False)


async def _admit(session: AsyncSession, study: StoredStudy, joining: Joining) -> None:
    definition = study.definition
    if not joining.current:
        raise ClosedError
    if joining.consent_version != definition.consent.version:
        raise OtherConsentError
    if joining.kind != "preview":
        if not definition.open or (await study_state.of(session, study)).closed:
            raise ClosedError
        if definition.access == "invitation" and joining.invitation is None:
            raise InvitationNeededError
    if joining.kind == "person" and definition.panel is not None and joining.panel is None:
        raise PanelNeededError
    if not await catalogue.is_ready(session, study):
        raise PreparingError
    if not joining.hosted:
        raise NoHostError
    if joining.kind != "preview" and await places.is_full(
        session, study, kind=joining.kind, language=joining.language
    ):
        raise places.FullError


async def _joined_before(session: AsyncSession, slug: str, join_key: UUID) -> Joined | None:
    """A browser stays in the version of the study that it joined."""
    participant = await session.scalar(
        select(Participant)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, Participant.join_key == join_key)
        .order_by(Participant.id.desc())
        .limit(1)
    )
    return None if participant is None else await _credentials(session, participant, new=False)


async def _credentials(session: AsyncSession, participant: Participant, *, new: bool) -> Joined:
    if participant.join_key is None:
        # The study's retention has ended: nobody can be recognised any more.
        raise ClosedError
    key = await _key(session)
    return Joined(
        participant,
        tokens.participant_token(key, participant.study_id, participant.join_key),
        tokens.withdraw_token(key, participant.study_id, participant.join_key),
        new=new,
    )


async def _key(session: AsyncSession) -> bytes:
    return (await session.scalars(select(ServerSecret.participant_key))).one()


async def by_token(session: AsyncSession, token: str) -> Participant | None:
    """The participant behind a credential; none for a forged one."""
    return await session.scalar(
        select(Participant).where(Participant.token_hash == tokens.token_hash(token))
    )


async def by_either_token(session: AsyncSession, token: str) -> Participant | None:
    """The participant behind a credential or behind a withdraw token."""
    hashed = tokens.token_hash(token)
    return await session.scalar(
        select(Participant).where(
            (Participant.token_hash == hashed) | (Participant.withdraw_hash == hashed)
        )
    )


async def seen(session: AsyncSession, participant: Participant) -> Participant:
    """Notes that somebody is still there: their place stays theirs."""
    row = await locked(session, participant)
    row.last_seen_at = await session.scalar(select(func.now())) or row.last_seen_at
    await session.flush()
    return row


async def votes_of(session: AsyncSession, participant_id: int) -> int:
    """How many of a participant's votes the server holds."""
    counted = await session.scalar(
        select(func.count())
        .select_from(Vote)
        .join(Presentation, Presentation.id == Vote.presentation_id)
        .where(Presentation.participant_id == participant_id)
    )
    return counted or 0


async def progress(session: AsyncSession, participant: Participant, kinds: Kinds) -> Progress:
    """How far a participant is, counted from the votes and answers themselves.

    Of whom a panel has sent, an outcome is written as soon as it shows.
    """
    study = await catalogue.by_id(session, participant.study_id)
    panel = study.definition.panel
    seat = None if panel is None else await panel_seat.of(session, participant.id)
    done = await votes_of(session, participant.id)
    answered = set(
        await session.scalars(
            select(QuestionnaireAnswer.question_id).where(
                QuestionnaireAnswer.participant_id == participant.id
            )
        )
    )
    late = seat is not None and seat.outcome == Outcome.TIMED_OUT
    stage = due(study.definition, participant, done, answered, kinds, late=late)
    end = None
    if panel is not None and seat is not None:
        if stage.over and stage.stage not in NO_SCREENS:
            await panel_seat.settle(session, seat, Outcome.SCREENED_OUT)
        end = await panel_return.end_of(session, panel, seat, participant.completion_code)
    return Progress(study, participant, stage, done, seat, end)


def due(
    definition: StudyDefinition,
    participant: Participant,
    votes: int,
    answered: set[str],
    kinds: Kinds,
    *,
    late: bool = False,
) -> Due:
    """What comes next for somebody who has given so many votes and these answers.

    `late`: they have let the deadline of their place pass.
    """
    if end := _end_of(participant, late=late):
        return Due(end, over=True)
    open_questions = {
        question.when for question in definition.questionnaire if question.id not in answered
    }
    # Nobody has to find headphones for a study that is not about them.
    if definition.screens and "before" in open_questions:
        return Due(Stage.QUESTIONS_BEFORE)
    # In the order of the session: the first that is not done comes next.
    for kind in kinds_of(definition, kinds):
        if check := kind.check_due(definition, participant):
            return check
    steps = (
        (Stage.QUESTIONS_BEFORE, "before" in open_questions),
        (Stage.TRIALS, votes < trials_total(definition)),
        (Stage.QUESTIONS_AFTER, "after" in open_questions),
    )
    left = next((stage for stage, is_left in steps if is_left), None)
    return Due(Stage.COMPLETE, over=True) if left is None else Due(left)


def _end_of(participant: Participant, *, late: bool) -> Stage | None:
    ends = (
        (Stage.WITHDRAWN, participant.withdrawn_at is not None),
        (Stage.COMPLETE, participant.completed_at is not None),
        (Stage.TIMED_OUT, late),
        (Stage.INELIGIBLE, participant.ineligible_by is not None),
    )
    return next((stage for stage, has_come in ends if has_come), None)


async def complete_if_done(session: AsyncSession, participant: Participant, kinds: Kinds) -> None:
    """Completes the session once nothing is left to do; the caller holds the row's lock.

    Not that of somebody whose place went to somebody else at their deadline.
    """
    now = await progress(session, participant, kinds)
    if now.due.stage is Stage.COMPLETE and participant.completed_at is None:
        if now.seat is not None:
            held = await panel_seat.settle(session, now.seat, Outcome.COMPLETE)
            if held is not Outcome.COMPLETE:
                return
        participant.completed_at = await session.scalar(select(func.now()))
        participant.completion_code = tokens.code()
        await session.flush()


async def locked(session: AsyncSession, participant: Participant) -> Participant:
    """The participant's row, locked until the transaction ends: one change of theirs at a time.

    Raises `WithdrawnError`: after a withdrawal nothing of theirs is stored any more.
    """
    row = await locked_or_withdrawn(session, participant)
    if row.withdrawn_at is not None:
        raise WithdrawnError
    return row


async def locked_or_withdrawn(session: AsyncSession, participant: Participant) -> Participant:
    """Likewise, whether they have withdrawn or not."""
    row = await session.scalar(
        select(Participant)
        .where(Participant.id == participant.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if row is None:
        raise LookupError("a participant is gone")
    return row


async def answers(session: AsyncSession) -> None:
    """Returns once the database answered a query."""
    await session.execute(text("select 1"))
