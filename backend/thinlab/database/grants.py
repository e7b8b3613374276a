"""Makes the database's roles what `roles` says.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import asyncpg
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url

from thinlab.database.roles import PRIVILEGES

ROLES = Path(__file__).with_name("roles.sql")


async def is_superuser(connection: asyncpg.Connection) -> bool:
    """Whether the role of this connection may do anything."""
    found = await connection.fetchval("select rolsuper from pg_roles where rolname = current_user")
    return bool(found)


async def make_roles(connection: asyncpg.Connection) -> None:
    """As a superuser: both roles, and the database with all in it handed to its owner."""
    await connection.execute(ROLES.read_text("utf-8"))


def name_of(url: str) -> str | None:
    """The role that an address names."""
    return make_url(url).username


def grant(connection: Connection, role: str) -> None:
    """Lets the application's role do what it needs, and nothing that it was once let do."""
    if connection.scalar(text("select current_user")) == role:
        return
    quoted = connection.dialect.identifier_preparer.quote(role)
    connection.execute(text(f"revoke all on all tables in schema public from {quoted}, public"))
    connection.execute(text(f"revoke all on all functions in schema public from {quoted}, public"))
    connection.execute(text(f"grant usage on schema public to {quoted}"))
    for table, privileges in PRIVILEGES.items():
        connection.execute(text(f"grant {privileges} on {table} to {quoted}"))
    # For backups.
    connection.execute(text(f"grant select on all sequences in schema public to {quoted}"))
    connection.execute(text(f"grant execute on function delete_answers to {quoted}"))


def may_make_tables(connection: Connection) -> bool:
    """Whether this role could migrate: the tables are its own, or there are none yet."""
    return bool(
        connection.scalar(
            text(
                "select has_schema_privilege('public', 'create') and coalesce("
                "(select pg_has_role(relowner, 'member') from pg_class"
                " where oid = to_regclass('alembic_version')), true)"
            )
        )
    )


def may_alter(connection: Connection) -> bool:
    """Whether the application's own role could do what only the owner should."""
    return bool(
        connection.scalar(
            text(
                "select r.rolsuper or pg_has_role(c.relowner, 'member') from pg_roles r, pg_class c"
                " where r.rolname = current_user and c.oid = to_regclass('vote')"
            )
        )
    )
