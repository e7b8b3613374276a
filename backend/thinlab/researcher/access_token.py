"""The two tokens that are printed: one lets the first password be set, one lets people present.

Each is shown once, when it is made, ends after a day, and ends when another is made in its
place. Only hashes are stored.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import BaseModel
from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import AccessToken
from thinlab.researcher import sessions
from thinlab.researcher.sessions import Role
from thinlab.tokens import opaque, token_hash

LIFE = timedelta(days=1)


class Purpose(StrEnum):
    """What a token is for."""

    SETUP = "setup"
    PRESENTER = "presenter"


class TokenState(BaseModel):
    """A token that somebody may hold."""

    made_at: datetime
    expires_at: datetime


async def make(session: AsyncSession, purpose: Purpose, token: str | None = None) -> str:
    """A new one, or the one given; the old one ends, with the sessions that it began."""
    await revoke(session, purpose)
    token = token or opaque()
    await session.execute(
        insert(AccessToken).values(
            purpose=purpose.value, token_hash=token_hash(token), expires_at=func.now() + LIFE
        )
    )
    return token


async def revoke(session: AsyncSession, purpose: Purpose) -> bool:
    """Ends it, with the sessions that it began; whether there was one."""
    if purpose is Purpose.PRESENTER:
        await sessions.end_all(session, Role.PRESENTER)
    ended = delete(AccessToken).where(AccessToken.purpose == purpose.value)
    return await session.scalar(ended.returning(AccessToken.expires_at > func.now())) or False


async def is_right(session: AsyncSession, purpose: Purpose, token: str) -> bool:
    """Whether this is the token, and has not ended."""
    found = select(AccessToken.purpose).where(
        AccessToken.purpose == purpose.value,
        AccessToken.token_hash == token_hash(token),
        AccessToken.expires_at > func.now(),
    )
    return await session.scalar(found) is not None


async def was_made(session: AsyncSession, purpose: Purpose, token: str | None = None) -> bool:
    """Whether one was made before, this one or any; it may have ended."""
    found = select(AccessToken.purpose).where(AccessToken.purpose == purpose.value)
    if token is not None:
        found = found.where(AccessToken.token_hash == token_hash(token))
    return await session.scalar(found) is not None


async def at_start(session: AsyncSession, printed: str | None) -> str:
    """The presenter's token of this start; `printed`: the one that `thinlab run` chose for it.

    The same one, as it is by now, after the web server alone was started again.
    """
    if printed is not None and await was_made(session, Purpose.PRESENTER, printed):
        return printed
    return await make(session, Purpose.PRESENTER, printed)


async def state(session: AsyncSession, purpose: Purpose) -> TokenState | None:
    """The one that can be used now."""
    row = await session.get(AccessToken, purpose.value)
    now = await session.scalar(select(func.now()))
    if row is None or now is None or row.expires_at <= now:
        return None
    return TokenState(made_at=row.made_at, expires_at=row.expires_at)
