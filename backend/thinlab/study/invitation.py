"""Links for invited participants: single use, only their hashes kept.

SPDX-License-Identifier: Apache-2.0
"""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Invitation
from thinlab.study import tokens


class UnknownInvitationError(Exception):
    """No such invitation to this study."""


async def admit(session: AsyncSession, slug: str, token: str) -> Invitation:
    """The invitation behind a link, locked until the transaction ends.

    Its `participant_id` says who used it. Raises `UnknownInvitationError`.
    """
    found = await session.scalar(
        select(Invitation)
        .where(Invitation.slug == slug, Invitation.token_hash == tokens.token_hash(token))
        .with_for_update()
    )
    if found is None:
        raise UnknownInvitationError
    return found


async def use(session: AsyncSession, invitation: Invitation, participant_id: int) -> None:
    """Notes who came with an invitation."""
    invitation.participant_id = participant_id
    invitation.used_at = await session.scalar(select(func.now()))
    await session.flush()
