"""Which errors say that the database is away. No other is told so, or tried again for ever.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from thinlab.database.engine import Database
from thinlab.database.loss import is_database_loss


async def _ask(url: str) -> None:
    away = Database(url)
    try:
        async with away.transaction() as session:
            await session.execute(text("select 1"))
    finally:
        await away.close()


async def _nobody_listens(database: Database, folder: Path) -> None:
    del database, folder
    await _ask("postgresql://nobody@127.0.0.1:1/none")


async def _there_is_no_socket(database: Database, folder: Path) -> None:
    del database
    await _ask(f"postgresql://nobody@/none?host={folder}")


async def _it_takes_too_long(database: Database, folder: Path) -> None:
    del folder
    async with asyncio.timeout(0.1), database.transaction() as session:
        await session.execute(text("select pg_sleep(60)"))


async def _the_disk_fails_within(database: Database, folder: Path) -> None:
    async with database.transaction() as session:
        await session.execute(text("select 1"))
        (folder / ("x" * 300)).read_bytes()


async def _another_server_is_away(database: Database, folder: Path) -> None:
    del folder
    async with database.transaction():
        await asyncio.open_connection("127.0.0.1", 1)


@pytest.mark.parametrize(
    ("fails", "kind", "is_loss"),
    [
        (_nobody_listens, ConnectionRefusedError, True),
        (_there_is_no_socket, FileNotFoundError, True),
        (_it_takes_too_long, TimeoutError, True),
        (_the_disk_fails_within, OSError, False),
        (_another_server_is_away, ConnectionRefusedError, False),
    ],
)
async def test_only_what_comes_from_the_driver_is_its_loss(
    fails: Callable[[Database, Path], Awaitable[None]],
    kind: type[OSError],
    is_loss: bool,
    database: Database,
    tmp_path: Path,
) -> None:
    with pytest.raises(kind) as raised:
        await fails(database, tmp_path)
    assert is_database_loss(raised.value) == is_loss
