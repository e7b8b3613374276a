"""The one researcher's account: a password set at first start; sessions are `sessions.py`'s.

Threats: guessing (argon2id, a few attempts, one at a time: `guessing.py`), a stolen database (only
hashes of password, sessions and tokens in it; no setup token is taken once a
password exists), a race between two first passwords (row lock).

SPDX-License-Identifier: Apache-2.0
"""

import secrets

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.engine import Database
from thinlab.database.schema import ServerSecret
from thinlab.researcher import access_token, audit, sessions
from thinlab.researcher.access_token import Purpose
from thinlab.researcher.audit import Act, By
from thinlab.researcher.guessing import Guessing
from thinlab.researcher.sessions import Role
from thinlab.throttle.caller import Caller

_hasher = PasswordHasher()


class PasswordExistsError(Exception):
    """The first password was set before."""


class WrongSetupTokenError(Exception):
    """The setup token is not the one that was printed."""


async def prepare(session: AsyncSession) -> None:
    """Makes this installation's secrets, once."""
    await session.execute(
        insert(ServerSecret)
        .values(id=1, participant_key=secrets.token_bytes(32))
        .on_conflict_do_nothing()
    )


async def first_setup_token(session: AsyncSession) -> str | None:
    """The token that lets the first password be set, the only time that it is told; else none."""
    if await access_token.was_made(session, Purpose.SETUP):
        return None
    return await new_setup_token(session)


async def new_setup_token(session: AsyncSession) -> str | None:
    """Another one, after which the old one is worthless; none where there is a password."""
    if await password_is_set(session):
        return None
    await audit.enter(session, Act.SETUP_TOKEN_MADE, By.OPERATOR)
    return await access_token.make(session, Purpose.SETUP)


async def reset(session: AsyncSession) -> str:
    """Forgets password and sessions; the token that lets another be set."""
    row = await session.get_one(ServerSecret, 1)
    row.password_hash = None
    await sessions.end_all(session, Role.RESEARCHER)
    await audit.enter(session, Act.PASSWORD_FORGOTTEN, By.OPERATOR)
    return await access_token.make(session, Purpose.SETUP)


async def password_is_set(session: AsyncSession) -> bool:
    """Whether the first password was chosen."""
    return (await session.get_one(ServerSecret, 1)).password_hash is not None


async def set_first_password(
    database: Database, guessing: Guessing, caller: Caller, token: str, password: str
) -> str:
    """Sets the password and returns a session's token.

    Raises `PasswordExistsError`, `WrongSetupTokenError`, `BusyError`, `TooManyGuessesError`.
    """

    async def is_right() -> bool:
        async with database.transaction() as session:
            return await access_token.is_right(session, Purpose.SETUP, token)

    async with database.transaction() as session:
        # Without the lock, for which strangers would wait in turn, each with a connection.
        if await password_is_set(session):
            raise PasswordExistsError
    if not await guessing.is_right(caller, is_right):
        raise WrongSetupTokenError
    hashed = await guessing.hashed(lambda: _hasher.hash(password))
    async with database.transaction() as session:
        row = (await session.scalars(select(ServerSecret).with_for_update())).one()
        if row.password_hash is not None:
            raise PasswordExistsError
        if not await access_token.is_right(session, Purpose.SETUP, token):
            raise WrongSetupTokenError
        await access_token.revoke(session, Purpose.SETUP)
        await audit.enter(session, Act.PASSWORD_SET)
        row.password_hash = hashed
        return await sessions.begin(session, Role.RESEARCHER)


async def sign_in(
    database: Database, guessing: Guessing, caller: Caller, password: str
) -> str | None:
    """A new session's token; none for a wrong password.

    Raises `BusyError`, `TooManyGuessesError`.
    """

    async def compared() -> bool:
        async with database.transaction() as session:
            expected = (await session.get_one(ServerSecret, 1)).password_hash
        return expected is not None and await guessing.hashed(lambda: _matches(expected, password))

    if not await guessing.is_right(caller, compared):
        return None
    async with database.transaction() as session:
        await audit.enter(session, Act.SIGNED_IN)
        return await sessions.begin(session, Role.RESEARCHER)


def _matches(expected: str, password: str) -> bool:
    try:
        return _hasher.verify(expected, password)
    except VerifyMismatchError:
        return False
