"""Sessions of browsers that have shown who they are: researchers' and presenters'.

A session ends when nobody has used it for a while, in any case after some days, when it
signs out, and when somebody signs out everywhere. Only its token's hash is stored.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import timedelta
from enum import StrEnum

from sqlalchemy import (
    ColumnElement,
    CursorResult,
    Interval,
    delete,
    func,
    select,
    type_coerce,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import WebSession
from thinlab.tokens import opaque, token_hash

IDLE_LIMIT = timedelta(hours=12)
# Not written down at every request: how long a session was idle is known to a minute.
NOTED_EVERY = timedelta(minutes=1)


class Role(StrEnum):
    """As whom."""

    RESEARCHER = "researcher"
    PRESENTER = "presenter"


LONGEST = {Role.RESEARCHER: timedelta(days=7), Role.PRESENTER: timedelta(days=1)}


async def begin(session: AsyncSession, role: Role) -> str:
    """A new session's token."""
    token = opaque()
    await session.execute(delete(WebSession).where(~_lives()))
    await session.execute(
        insert(WebSession).values(
            token_hash=token_hash(token), role=role.value, expires_at=func.now() + LONGEST[role]
        )
    )
    return token


async def is_live(
    session: AsyncSession, role: Role, token: str | None, *, in_use: bool = True
) -> bool:
    """Whether a token belongs to a session that has not ended; `in_use`: which this goes on."""
    if not token:
        return False
    mine = WebSession.token_hash == token_hash(token)
    idle = type_coerce(func.now() - WebSession.used_at, Interval)
    found = await session.scalar(select(idle).where(mine, WebSession.role == role.value, _lives()))
    if found is None:
        return False
    if in_use and found > NOTED_EVERY:
        await session.execute(update(WebSession).where(mine).values(used_at=func.now()))
    return True


async def end(session: AsyncSession, role: Role, token: str) -> bool:
    """Signs out; false: there was no such session."""
    mine = WebSession.token_hash == token_hash(token)
    return await _end(session, mine, WebSession.role == role.value) > 0


async def end_all(session: AsyncSession, *roles: Role) -> int:
    """Signs out everywhere; how many sessions lived."""
    return await _end(session, WebSession.role.in_([role.value for role in roles]))


async def _end(session: AsyncSession, *which: ColumnElement[bool]) -> int:
    ended = await session.execute(delete(WebSession).where(*which))
    return ended.rowcount if isinstance(ended, CursorResult) else 0


async def living(session: AsyncSession) -> dict[Role, int]:
    """How many there are."""
    rows = await session.execute(
        select(WebSession.role, func.count()).where(_lives()).group_by(WebSession.role)
    )
    return dict.fromkeys(Role, 0) | {Role(role): count for role, count in rows}


def _lives() -> ColumnElement[bool]:
    now = func.now()
    return (WebSession.expires_at > now) & (WebSession.used_at > now - IDLE_LIMIT)
