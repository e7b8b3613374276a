"""Connections to PostgreSQL that survive its restart.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Protocol

import asyncpg
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, create_async_engine

from thinlab.database.discreet import keep_values_out
from thinlab.database.idle import ping_what_was_idle

DRIVER = "postgresql+asyncpg"


class Transactions(Protocol):
    """Where readers that go lot by lot get their sessions."""

    def transaction(self) -> AbstractAsyncContextManager[AsyncSession]:
        """For one lot."""


class Database:
    """A pool of connections, and transactions on them."""

    def __init__(self, url: str, *, role: str | None = None) -> None:
        """`role`: work as this one, which the address's own may become."""
        self.engine: AsyncEngine = create_async_engine(
            async_url(url),
            # What was to be stored may be a vote, and errors are logged.
            hide_parameters=True,
            pool_size=10,
            max_overflow=10,
            # Longer than any queue of ours, shorter than a browser's patience.
            pool_timeout=15,
            connect_args={
                # A busy machine takes seconds to begin the processes of ten connections at once.
                "timeout": 10,
                "command_timeout": 15,
                # A vote is acknowledged after its commit: it must then be on disk.
                "server_settings": {
                    "synchronous_commit": "on",
                    "application_name": "thinlab",
                    **({} if role is None else {"role": role}),
                },
            },
        )
        keep_values_out(self.engine)
        ping_what_was_idle(self.engine)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Commits at the end of the block, rolls back on any error."""
        async with (
            AsyncSession(self.engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator["Snapshot"]:
        """The database as it is now, whatever is stored while it is read. Nothing is written."""
        async with AsyncSession(self.engine, expire_on_commit=False) as session:
            await session.connection(
                execution_options={
                    "isolation_level": "REPEATABLE READ",
                    "postgresql_readonly": True,
                }
            )
            yield Snapshot(session)

    async def close(self) -> None:
        """Closes all connections."""
        await self.engine.dispose()


class Snapshot:
    """One moment of the database; all its sessions are one."""

    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """As of `Transactions`; nothing is committed."""
        yield self.session


def async_url(url: str) -> str:
    """The address with the driver that we use, whatever form of PostgreSQL URL was given."""
    parsed = make_url(url)
    if parsed.get_backend_name() not in {"postgresql", "postgres"}:
        raise ValueError(
            f"THINLAB_DATABASE_URL: {parsed.get_backend_name()} is not PostgreSQL; "
            "give postgresql://user:password@host:port/database"
        )
    return parsed.set(drivername=DRIVER).render_as_string(hide_password=False)


async def ensure_database(url: str) -> None:
    """Creates the database of an address on its server, if it is not there."""
    parsed = make_url(url)
    plain = parsed.set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        connection = await asyncpg.connect(plain, timeout=3)
    except asyncpg.InvalidCatalogNameError:
        server = parsed.set(drivername="postgresql", database="postgres")
        connection = await asyncpg.connect(server.render_as_string(hide_password=False), timeout=3)
        # Somebody else may be making it at this moment.
        with suppress(asyncpg.DuplicateDatabaseError, asyncpg.UniqueViolationError):
            name = str(parsed.database).replace('"', '""')
            await connection.execute(f'create database "{name}"')
    await connection.close()
