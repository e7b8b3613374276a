"""A person in a study: joining, being recognised, progress.

SPDX-License-Identifier: Apache-2.0
"""

import secrets
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, ServerSecret, Study, Vote
from thinlab.study import catalogue, tokens
from thinlab.study.catalogue import StoredStudy


class OtherConsentError(Exception):
    """The browser showed another version of the consent text."""


class NotOpenError(Exception):
    """The study is closed, or not all of its recordings exist."""


@dataclass(frozen=True)
class Joined:
    """A participant and the credential to give to the browser."""

    participant: Participant
    token: str
    new: bool


@dataclass(frozen=True)
class Progress:
    """How far a participant is."""

    study: StoredStudy
    trials_total: int
    trials_done: int
    completion_code: str | None
    preview: bool


async def join(
    session: AsyncSession,
    study: StoredStudy,
    *,
    join_key: UUID,
    consent_version: str,
    preview: bool,
) -> Joined:
    """Makes a participant, or finds the one that joined with this key.

    Raises `OtherConsentError`, `NotOpenError`; a preview needs no open study.
    """
    known = await _joined_before(session, study.slug, join_key)
    if known is not None:
        return known
    if consent_version != study.definition.consent.version:
        raise OtherConsentError
    ready = await catalogue.is_ready(session, study)
    if not ready or not (study.definition.open or preview):
        raise NotOpenError
    token = tokens.participant_token(await _key(session), study.id, join_key)
    # Two requests with one key may come at once: the second finds the first one's row.
    await session.execute(
        insert(Participant)
        .values(
            pseudonym=f"p-{secrets.token_hex(5)}",
            study_id=study.id,
            join_key=join_key,
            token_hash=tokens.token_hash(token),
            consent_version=consent_version,
            preview=preview,
        )
        .on_conflict_do_nothing(index_elements=[Participant.study_id, Participant.join_key])
    )
    participant = await by_token(session, token)
    if participant is None:
        raise LookupError("a participant just stored is gone")
    return Joined(participant, token, new=True)


async def _joined_before(session: AsyncSession, slug: str, join_key: UUID) -> Joined | None:
    """A browser stays in the version of the study that it joined."""
    participant = await session.scalar(
        select(Participant)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, Participant.join_key == join_key)
        .order_by(Participant.id.desc())
        .limit(1)
    )
    if participant is None:
        return None
    token = tokens.participant_token(await _key(session), participant.study_id, join_key)
    return Joined(participant, token, new=False)


async def _key(session: AsyncSession) -> bytes:
    return (await session.scalars(select(ServerSecret.participant_key))).one()


async def by_token(session: AsyncSession, token: str) -> Participant | None:
    """The participant behind a credential; none for a forged one."""
    return await session.scalar(
        select(Participant).where(Participant.token_hash == tokens.token_hash(token))
    )


async def votes_of(session: AsyncSession, participant_id: int) -> int:
    """How many of a participant's votes the server holds."""
    counted = await session.scalar(
        select(func.count())
        .select_from(Vote)
        .join(Presentation, Presentation.id == Vote.presentation_id)
        .where(Presentation.participant_id == participant_id)
    )
    return counted or 0


async def progress(session: AsyncSession, participant: Participant) -> Progress:
    """How far a participant is, counted from the votes themselves."""
    study = await catalogue.by_id(session, participant.study_id)
    row = await session.get_one(Participant, participant.id)
    return Progress(
        study=study,
        trials_total=len(study.definition.trials),
        trials_done=await votes_of(session, participant.id),
        completion_code=row.completion_code,
        preview=row.preview,
    )


async def answers(session: AsyncSession) -> None:
    """Returns once the database answered a query."""
    await session.execute(text("select 1"))
