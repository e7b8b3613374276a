"""Invitations: links for one person each, shown once, kept as hashes.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import date, datetime

from pydantic import BaseModel, Field
from sqlalchemy import Date, cast, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab import tokens
from thinlab.database.schema import Invitation, Participant


class UnknownInvitationError(Exception):
    """The study has no such invitation."""


class UsedInvitationError(Exception):
    """Somebody came with it whom nobody can tell any more, or who has withdrawn."""


class InvitationRow(BaseModel):
    """An invitation as the researcher sees it: the link itself is not kept."""

    id: int
    label: str
    created_at: datetime
    used: bool = Field(description="Whether somebody joined with it.")
    used_on: date | None = Field(description="On which day, UTC; null also after a withdrawal.")
    pseudonym: str | None = Field(description="Of the participant who joined with it.")


async def create(session: AsyncSession, slug: str, *, count: int, label: str) -> list[str]:
    """Makes invitations and gives their tokens, for the only time."""
    made = [tokens.opaque() for _ in range(count)]
    session.add_all(
        Invitation(slug=slug, label=label, token_hash=tokens.token_hash(token)) for token in made
    )
    await session.flush()
    return made


async def admit(session: AsyncSession, slug: str, token: str) -> Invitation:
    """The invitation behind a token, locked until the transaction ends.

    With a `participant_id` it was used before: that participant goes on. Two
    browsers that open one link at once meet at the lock, and become one
    participant. Raises `UnknownInvitationError`, `UsedInvitationError`.
    """
    found = await session.scalar(
        select(Invitation)
        .where(Invitation.slug == slug, Invitation.token_hash == tokens.token_hash(token))
        .with_for_update()
    )
    if found is None:
        raise UnknownInvitationError
    if found.used and found.participant_id is None:
        raise UsedInvitationError
    return found


async def use(session: AsyncSession, invitation: Invitation, participant_id: int) -> None:
    """Ties an admitted invitation to the participant who came with it."""
    invitation.participant_id = participant_id
    invitation.used = True
    invitation.used_on = await session.scalar(select(cast(func.timezone("utc", func.now()), Date)))
    await session.flush()


async def of_study(session: AsyncSession, slug: str) -> list[InvitationRow]:
    """All invitations of a study, newest first."""
    rows = await session.execute(
        select(
            Invitation.id,
            Invitation.label,
            Invitation.created_at,
            Invitation.used,
            Invitation.used_on,
            Participant.pseudonym,
        )
        .outerjoin(Participant, Participant.id == Invitation.participant_id)
        .where(Invitation.slug == slug)
        .order_by(Invitation.id.desc())
    )
    return [InvitationRow.model_validate(dict(row)) for row in rows.mappings()]
