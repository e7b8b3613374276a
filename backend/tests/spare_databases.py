"""Databases for tests, each used once; the next is made while a test works with its own.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from sqlalchemy.engine import make_url

from thinlab.running.embedded_postgres import EmbeddedPostgres


def address_of(address: str, name: str) -> str:
    """The address of another of the server's databases."""
    return make_url(address).set(database=name).render_as_string(hide_password=False)


class SpareDatabases:
    """Copies of a template. One is always made ahead, and dropped ones are not waited for."""

    def __init__(self, postgres: EmbeddedPostgres, template: str, *, owner: bool = False) -> None:
        """`owner`: addresses are the superuser's, not the application's."""
        self._postgres = postgres
        self._address = postgres.owner_url if owner else postgres.url
        self._template = template
        self._commands = asyncio.Lock()
        self._owner: asyncpg.Connection | None = None
        self._dropping: list[asyncio.Task[None]] = []
        self._spare = asyncio.create_task(self._made())

    async def _command(self, command: str) -> None:
        async with self._commands:
            if self._owner is None:
                self._owner = await asyncpg.connect(
                    address_of(self._postgres.owner_url, "postgres")
                )
            await self._owner.execute(command)

    async def _made(self) -> str:
        name = f"test_{uuid.uuid4().hex}"
        await self._command(f"create database {name} template {self._template}")
        return name

    @asynccontextmanager
    async def one(self) -> AsyncIterator[str]:
        """The address of a database that nobody else has had."""
        spare, self._spare = self._spare, asyncio.create_task(self._made())
        name = await spare
        yield address_of(self._address, name)
        drop = self._command(f"drop database {name} with (force)")
        self._dropping.append(asyncio.create_task(drop))

    async def close(self) -> None:
        """Raises what went wrong meanwhile."""
        await asyncio.gather(self._spare, *self._dropping)
        if self._owner is not None:
            await self._owner.close()
