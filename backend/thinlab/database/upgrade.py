"""`thinlab migrate`: brings a database to what this version needs, as the role that owns it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import asyncpg
from sqlalchemy.engine import make_url

from thinlab.database import grants
from thinlab.database.engine import Database, ensure_database
from thinlab.database.loss import is_database_loss
from thinlab.database.migrations import migrate, newest, version
from thinlab.database.roles import OWNER
from thinlab.settings import SettingError

PATIENCE_S = 60.0
LOOK_EVERY_S = 0.05
# No such database or role, or no right to the tables yet: another process may be making them.
NOT_MADE_YET = (
    asyncpg.InvalidCatalogNameError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InsufficientPrivilegeError,
)

log = logging.getLogger(__name__)


async def upgrade(owner_url: str, application_url: str) -> None:
    """Makes what is missing: database, roles, tables, and what the application may do with them.

    Roles only where the owner's address is a superuser's; the tables are
    `thinlab_owner`'s then. Waits for a server that is starting.
    """
    await _answers(lambda: ensure_database(owner_url))
    connection = await asyncpg.connect(_plain(owner_url))
    try:
        as_superuser = await grants.is_superuser(connection)
        if as_superuser:
            await grants.make_roles(connection)
    finally:
        await connection.close()
    database = Database(owner_url, role=OWNER if as_superuser else None)
    try:
        await migrate(database, grants.name_of(application_url))
    finally:
        await database.close()


async def ready(database: Database, url: str) -> None:
    """Returns once the database has this version's tables. Raises `SettingError` if it never has.

    Where the application's own role owns them (or there are none yet, and it
    may make them), it brings them up to date itself, and says what that means.
    """
    await _answers(lambda: _has_tables(database, url), NOT_MADE_YET)
    async with database.engine.connect() as connection:
        if await connection.run_sync(grants.may_alter):
            log.warning(
                "the role of THINLAB_DATABASE_URL owns its tables: whoever steals that address "
                "can change votes; give THINLAB_DATABASE_OWNER_URL to `thinlab migrate`, and the "
                "server a role that owns nothing (docs/backend.md)"
            )


async def _has_tables(database: Database, url: str) -> None:
    await ensure_database(url)
    async with database.engine.connect() as connection:
        found = await connection.run_sync(version)
        alone = found != newest() and await connection.run_sync(grants.may_make_tables)
    if alone:
        await migrate(database)
    elif found != newest():
        raise _OlderError(found)


class _OlderError(Exception):
    def __init__(self, found: str | None) -> None:
        super().__init__(f"its tables are those of version {found or 'none'}, not {newest()}")


async def _answers(
    ask: Callable[[], Awaitable[None]], also: tuple[type[Exception], ...] = ()
) -> None:
    """Asks until there is an answer, but not for ever."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE_S
    while True:
        try:
            await ask()
        except Exception as error:
            cause = getattr(error, "orig", None)
            cause = getattr(cause, "__cause__", None) or error
            waits = isinstance(cause, (_OlderError, *also))
            if not waits and not is_database_loss(error):
                raise
            if loop.time() > deadline:
                if waits:
                    raise SettingError(
                        f"THINLAB_DATABASE_URL: the database is not ready for its role: {cause}; "
                        "run `thinlab migrate` with THINLAB_DATABASE_OWNER_URL"
                    ) from error
                raise
            log.debug("the database is not there yet: %s", error)
            await asyncio.sleep(LOOK_EVERY_S)
        else:
            return


def _plain(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
