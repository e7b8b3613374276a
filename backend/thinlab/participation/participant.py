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
    Participant,
    Presentation,
    QuestionnaireAnswer,
    ServerSecret,
    Study,
    Vote,
)
from thinlab.participation import invitation, places
from thinlab.participation.kind import Due, Kinds
from thinlab.participation.messages import Stage
from thinlab.study import catalogue, study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.study.kind import kinds_of


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


async def join(session: AsyncSession, study: StoredStudy, joining: Joining) -> Joined:
    """Makes a participant, or finds the one that joined with this key or invitation.

    Raises `OtherConsentError`, `ClosedError`, `PreparingError`, `NoHostError`,
    `InvitationNeededError`, `UnknownInvitationError` and `FullError`; a preview
    needs no open study and no invitation.
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
    return await _credentials(session, participant, new=True)


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
    """How far a participant is, counted from the votes and answers themselves."""
    study = await catalogue.by_id(session, participant.study_id)
    done = await votes_of(session, participant.id)
    answered = set(
        await session.scalars(
            select(QuestionnaireAnswer.question_id).where(
                QuestionnaireAnswer.participant_id == participant.id
            )
        )
    )
    return Progress(
        study, participant, due(study.definition, participant, done, answered, kinds), done
    )


def due(
    definition: StudyDefinition,
    participant: Participant,
    votes: int,
    answered: set[str],
    kinds: Kinds,
) -> Due:
    """What comes next for somebody who has given so many votes and these answers."""
    if participant.withdrawn_at is not None:
        return Due(Stage.WITHDRAWN, over=True)
    if participant.completed_at is not None:
        return Due(Stage.COMPLETE, over=True)
    # In the order of the session: the first that is not done comes next.
    for kind in kinds_of(definition, kinds):
        if check := kind.check_due(definition, participant):
            return check
    open_questions = {
        question.when for question in definition.questionnaire if question.id not in answered
    }
    steps = (
        (Stage.QUESTIONS_BEFORE, "before" in open_questions),
        (Stage.TRIALS, votes < len(definition.trials)),
        (Stage.QUESTIONS_AFTER, "after" in open_questions),
    )
    left = next((stage for stage, is_left in steps if is_left), None)
    return Due(Stage.COMPLETE, over=True) if left is None else Due(left)


async def complete_if_done(session: AsyncSession, participant: Participant, kinds: Kinds) -> None:
    """Completes the session once nothing is left to do; the caller holds the row's lock."""
    now = await progress(session, participant, kinds)
    if now.due.stage is Stage.COMPLETE and participant.completed_at is None:
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
