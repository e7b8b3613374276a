"""The one researcher's account: a password set at first start, sessions after that.

Threats: guessing (argon2id, one attempt at a time), a stolen database (only
hashes of password and sessions in it; the setup token is worthless once a
password exists), a race between two first passwords (row lock).

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import hmac
import secrets
from datetime import timedelta

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.engine import Database
from thinlab.database.schema import ResearcherSession, ServerSecret
from thinlab.study.tokens import opaque, token_hash

SESSION_LIFE = timedelta(days=30)

_hasher = PasswordHasher()
# Guessing is slowed for everybody at once: no address is looked at, let alone kept.
_one_at_a_time = asyncio.Semaphore(1)


class PasswordExistsError(Exception):
    """The first password was set before."""


class WrongSetupTokenError(Exception):
    """The setup token is not the one that was printed."""


async def prepare(session: AsyncSession) -> None:
    """Makes this installation's secrets, once."""
    await session.execute(
        insert(ServerSecret)
        .values(id=1, participant_key=secrets.token_bytes(32), setup_token=opaque())
        .on_conflict_do_nothing()
    )


async def setup_token(session: AsyncSession) -> str | None:
    """The token that lets the first password be set; none once there is one."""
    row = await session.get_one(ServerSecret, 1)
    return row.setup_token if row.password_hash is None else None


async def reset(session: AsyncSession) -> None:
    """Forgets password and sessions; a new setup token will be printed."""
    row = await session.get_one(ServerSecret, 1)
    row.password_hash = None
    row.setup_token = opaque()
    await session.execute(delete(ResearcherSession))


async def password_is_set(session: AsyncSession) -> bool:
    """Whether the first password was chosen."""
    return (await session.get_one(ServerSecret, 1)).password_hash is not None


async def set_first_password(database: Database, token: str, password: str) -> str:
    """Sets the password and returns a session's token.

    Raises `PasswordExistsError`, `WrongSetupTokenError`.
    """
    async with database.transaction() as session:
        row = (await session.scalars(select(ServerSecret).with_for_update())).one()
        if row.password_hash is not None:
            raise PasswordExistsError
        if not hmac.compare_digest(row.setup_token.encode(), token.encode()):
            raise WrongSetupTokenError
        row.password_hash = await asyncio.to_thread(_hasher.hash, password)
        return await _open_session(session)


async def sign_in(database: Database, password: str) -> str | None:
    """A new session's token; none for a wrong password."""
    async with database.transaction() as session:
        expected = (await session.get_one(ServerSecret, 1)).password_hash
    async with _one_at_a_time:
        if expected is None or not await asyncio.to_thread(_matches, expected, password):
            return None
    async with database.transaction() as session:
        return await _open_session(session)


def _matches(expected: str, password: str) -> bool:
    try:
        return _hasher.verify(expected, password)
    except VerifyMismatchError:
        return False


async def _open_session(session: AsyncSession) -> str:
    token = opaque()
    await session.execute(
        delete(ResearcherSession).where(ResearcherSession.expires_at < func.now())
    )
    await session.execute(
        insert(ResearcherSession).values(
            token_hash=token_hash(token), expires_at=func.now() + SESSION_LIFE
        )
    )
    return token


async def session_is_live(session: AsyncSession, token: str) -> bool:
    """Whether a cookie's token belongs to a session that has not ended."""
    found = await session.scalar(
        select(ResearcherSession.token_hash).where(
            ResearcherSession.token_hash == token_hash(token),
            ResearcherSession.expires_at > func.now(),
        )
    )
    return found is not None


async def sign_out(session: AsyncSession, token: str) -> None:
    """Ends a session."""
    await session.execute(
        delete(ResearcherSession).where(ResearcherSession.token_hash == token_hash(token))
    )
