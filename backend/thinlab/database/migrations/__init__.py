"""Alembic's home; `migrate` brings a database to the newest schema.

SPDX-License-Identifier: Apache-2.0
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

from thinlab.database import grants
from thinlab.database.engine import Database

if TYPE_CHECKING:
    from alembic.config import Config

# Any number, the same in every process: two starts at once must not migrate at once.
MIGRATION_LOCK = 7_416_982_301
STATED = re.compile(r'^(revision|down_revision) = "(\w+)"', re.MULTILINE)


def config(connection: Connection) -> "Config":
    """Alembic's settings for this package, working on an open connection."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings


def upgrade_to(connection: Connection, wanted: str) -> None:
    """Brings the schema to a version that is not older than its own."""
    connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    if version(connection) == wanted:
        return
    from alembic import command

    command.upgrade(config(connection), wanted)


def _upgrade(connection: Connection, application: str | None) -> None:
    upgrade_to(connection, newest())
    if application is not None:
        grants.grant(connection, application)


def version(connection: Connection) -> str | None:
    """The schema's version; none for an empty database."""
    if connection.scalar(text("select to_regclass('alembic_version')")) is None:
        return None
    version: str | None = connection.scalar(text("select version_num from alembic_version"))
    return version


def newest() -> str:
    """The last migration's number: the one that no other follows."""
    follows = known()
    (last,) = follows.keys() - set(follows.values())
    return last


def known() -> dict[str, str | None]:
    """Which migration each follows, by number; read as text, since Alembic is slow to import."""
    found: dict[str, str | None] = {}
    for file in (Path(__file__).parent / "versions").glob("[0-9]*.py"):
        stated = dict(STATED.findall(file.read_text()))
        found[stated["revision"]] = stated.get("down_revision")
    return found


async def migrate(database: Database, application: str | None = None) -> None:
    """Brings the schema to the newest version, in one transaction.

    `application`: the role of the server, which may do what `roles.PRIVILEGES` says.
    """
    async with database.engine.begin() as connection:
        await connection.run_sync(_upgrade, application)
