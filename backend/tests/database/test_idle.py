"""A pool asks a connection whether it lives after a pause, and not before each use.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from sqlalchemy import text

from thinlab.database import idle
from thinlab.database.engine import Database

KILL_OTHERS = text(
    "select pg_terminate_backend(pid) from pg_stat_activity "
    "where datname = current_database() and pid <> pg_backend_pid() "
    # A cleaner that the server itself has just started is none of ours, nor may everybody end it.
    "and backend_type = 'client backend'"
)


async def who(database: Database) -> int:
    """The server's process behind the connection that the pool gives out."""
    async with database.transaction() as session:
        found = await session.scalar(text("select pg_backend_pid()"))
    assert found is not None
    return int(found)


async def test_what_died_while_idle_is_replaced_before_use(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idle, "IDLE_S", 0.0)
    before = await who(database)
    other = Database(database.engine.url.render_as_string(hide_password=False))
    async with other.transaction() as session:
        await session.execute(KILL_OTHERS)
    await other.close()
    assert await who(database) != before


async def test_what_was_used_just_now_is_not_asked(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await who(database)
    asked: list[object] = []
    monkeypatch.setattr(database.engine.sync_engine.dialect, "do_ping", asked.append)
    monkeypatch.setattr(idle, "IDLE_S", 3600.0)
    assert await who(database) == before
    assert asked == []
    monkeypatch.setattr(idle, "IDLE_S", 0.0)
    assert await who(database) == before
    assert len(asked) == 1
