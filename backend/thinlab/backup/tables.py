"""The database's tables, out of one snapshot and back in.

By COPY and the migrations, not by `pg_dump`: whatever version of PostgreSQL a backup comes from or
goes to, and so that an older one is upgraded by the steps that a running installation takes.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import IO, BinaryIO, cast

import asyncpg

from thinlab.backup.contents import BackupError, KeptTable

# Who was signed in signs in again: a session or token that was ended since must not come back.
LEFT_OUT = frozenset({"alembic_version", "researcher_session", "web_session", "access_token"})

TABLES = """
select relname from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname
"""
COLUMNS = """
select attname, attidentity::text <> '' as counts from pg_attribute
where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''
order by attnum
"""
REFERENCES = """
select conrelid::regclass::text as child, confrelid::regclass::text as parent
from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
"""


@asynccontextmanager
async def snapshot(url: str) -> AsyncIterator[asyncpg.Connection]:
    """One moment of the database, for as long as the block lasts."""
    connection = await asyncpg.connect(
        url, timeout=10, server_settings={"timezone": "UTC", "application_name": "thinlab backup"}
    )
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            yield connection
    finally:
        await connection.close()


async def schema_version(connection: asyncpg.Connection) -> str | None:
    """Of the last migration; none in a database without tables of ours."""
    if await connection.fetchval("select to_regclass('public.alembic_version')") is None:
        return None
    version: str | None = await connection.fetchval("select version_num from alembic_version")
    return version


async def is_empty(connection: asyncpg.Connection) -> bool:
    """Whether there is no table at all."""
    return not await connection.fetch(TABLES)


async def kept_tables(connection: asyncpg.Connection) -> list[KeptTable]:
    """All that are backed up, what is referred to before what refers to it."""
    names = {row["relname"] for row in await connection.fetch(TABLES)} - LEFT_OUT
    parents: dict[str, set[str]] = {name: set() for name in names}
    for row in await connection.fetch(REFERENCES):
        if row["child"] in names and row["child"] != row["parent"]:
            parents[row["child"]].add(row["parent"])
    return [await _table(connection, name) for name in _in_order(parents)]


def _in_order(parents: Mapping[str, set[str]]) -> list[str]:
    ordered: list[str] = []
    while len(ordered) < len(parents):
        ready = [name for name in sorted(parents) if name not in ordered]
        ready = [name for name in ready if parents[name] <= set(ordered)]
        if not ready:
            raise BackupError("the database's tables refer to each other in a circle")
        ordered += ready
    return ordered


async def _table(connection: asyncpg.Connection, name: str) -> KeptTable:
    columns = await connection.fetch(COLUMNS, f'public."{name}"')
    counters = {}
    for row in columns:
        if row["counts"]:
            sequence = await connection.fetchval(
                "select pg_get_serial_sequence($1, $2)", f'public."{name}"', row["attname"]
            )
            drawn = await connection.fetchrow(f"select last_value, is_called from {sequence}")  # noqa: S608 (PostgreSQL's own name)
            if drawn is not None and drawn["is_called"]:
                counters[row["attname"]] = drawn["last_value"]
    return KeptTable(name=name, columns=[row["attname"] for row in columns], counters=counters)


async def write_rows(connection: asyncpg.Connection, table: KeptTable, file: IO[bytes]) -> int:
    """A table's rows; how many."""
    faults: list[OSError] = []

    async def take(data: bytes) -> None:
        # An error told to asyncpg within the last of the data leaves it waiting for ever.
        try:
            if not faults:
                file.write(data)
        except OSError as error:
            faults.append(error)

    done = await connection.copy_from_table(table.name, columns=table.columns, output=take)
    if faults:
        raise faults[0]
    return int(done.split()[-1])


async def enter_rows(connection: asyncpg.Connection, table: KeptTable, file: IO[bytes]) -> int:
    """Enters rows into an empty table, and counts on from where its counters were."""
    source = cast("BinaryIO", file)
    done = await connection.copy_to_table(table.name, columns=table.columns, source=source)
    for column, last in table.counters.items():
        await connection.execute(
            "select setval(pg_get_serial_sequence($1, $2), $3)",
            f'public."{table.name}"',
            column,
            last,
        )
    return int(done.split()[-1])
