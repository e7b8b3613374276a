"""Alembic's home; `migrate` brings a database to the newest schema.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

from thinlab.database.engine import Database

if TYPE_CHECKING:
    from alembic.config import Config

# Any number, the same in every process: two starts at once must not migrate at once.
MIGRATION_LOCK = 7_416_982_301


def config(connection: Connection) -> "Config":
    """Alembic's settings for this package, working on an open connection."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings


def _upgrade(connection: Connection) -> None:
    if _version(connection) == _newest():
        return
    from alembic import command

    connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    command.upgrade(config(connection), "head")


def _version(connection: Connection) -> str | None:
    """The schema's version; none for an empty database."""
    if connection.scalar(text("select to_regclass('alembic_version')")) is None:
        return None
    version: str | None = connection.scalar(text("select version_num from alembic_version"))
    return version


def _newest() -> str:
    """The last migration's number, which its file's name begins with."""
    files = sorted((Path(__file__).parent / "versions").glob("[0-9]*.py"))
    return files[-1].name.split("_")[0]


async def migrate(database: Database) -> None:
    """Brings the schema to the newest version, in one transaction."""
    async with database.engine.begin() as connection:
        await connection.run_sync(_upgrade)
