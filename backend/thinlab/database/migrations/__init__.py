"""Alembic's home; `migrate` brings a database to the newest schema.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from thinlab.database.engine import Database

# Any number, the same in every process: two starts at once must not migrate at once.
MIGRATION_LOCK = 7_416_982_301


def config(connection: Connection) -> Config:
    """Alembic's settings for this package, working on an open connection."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings


def _upgrade(connection: Connection) -> None:
    connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    command.upgrade(config(connection), "head")


async def migrate(database: Database) -> None:
    """Brings the schema to the newest version, in one transaction."""
    async with database.engine.begin() as connection:
        await connection.run_sync(_upgrade)
