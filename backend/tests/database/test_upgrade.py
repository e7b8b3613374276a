"""Two roles for a database, also for one that a single role has made before.

SPDX-License-Identifier: Apache-2.0
"""

import uuid
from collections.abc import AsyncIterator

import asyncpg
import pytest
import pytest_asyncio
from sqlalchemy.engine import make_url

from tests.database.test_carrying_over import as_it_was
from tests.spare_databases import address_of
from thinlab.database import upgrade
from thinlab.database.engine import Database
from thinlab.running.embedded_postgres import EmbeddedPostgres
from thinlab.settings import SettingError

OWNERS = (
    "select distinct relowner::regrole::text from pg_class "
    "where relnamespace = 'public'::regnamespace union "
    "select proowner::regrole::text from pg_proc where pronamespace = 'public'::regnamespace"
)


@pytest.fixture
def empty_url(empty_database: Database) -> str:
    """The superuser's address of a database without tables."""
    return empty_database.engine.url.render_as_string(hide_password=False)


@pytest.fixture
def application_url(postgres: EmbeddedPostgres, empty_database: Database) -> str:
    """The application's address of the same."""
    return address_of(postgres.url, empty_database.engine.url.database or "")


async def _owners(database: Database) -> list[str]:
    async with database.engine.connect() as connection:
        return [row[0] for row in await connection.exec_driver_sql(OWNERS)]


@pytest.fixture
async def _of_before(empty_database: Database) -> None:
    async with empty_database.engine.begin() as connection:
        await connection.run_sync(as_it_was)


@pytest.mark.usefixtures("_of_before")
async def test_what_a_superuser_has_made_is_handed_over(
    empty_database: Database, empty_url: str, application_url: str, postgres: EmbeddedPostgres
) -> None:
    assert await _owners(empty_database) == [postgres.user]
    for _ in range(2):
        await upgrade.upgrade(empty_url, application_url)
    assert await _owners(empty_database) == ["thinlab_owner"]
    application = Database(application_url)
    await upgrade.ready(application, application_url)
    async with application.engine.connect() as connection:
        votes = await connection.exec_driver_sql("select choice from vote")
        assert [row[0] for row in votes] == ["no_difference"]
    await application.close()
    thief = await asyncpg.connect(application_url)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await thief.execute("delete from vote")
    await thief.close()


async def test_what_the_application_was_once_let_do_is_taken_back(
    empty_url: str, application_url: str
) -> None:
    await upgrade.upgrade(empty_url, application_url)
    owner = await asyncpg.connect(_plain(empty_url))
    await owner.execute("grant all on all tables in schema public to thinlab_app, public")
    await owner.execute(
        "alter role thinlab_app createdb; grant pg_read_server_files to thinlab_app"
    )
    await upgrade.upgrade(empty_url, application_url)
    thief = await asyncpg.connect(application_url)
    for attempt in ("truncate vote cascade", "create database x", "copy vote from '/etc/passwd'"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await thief.execute(attempt)
    await thief.close()
    await owner.close()


async def test_a_server_that_may_not_migrate_says_who_may(
    application_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upgrade, "PATIENCE_S", 0)
    application = Database(application_url)
    with pytest.raises(SettingError, match="run `thinlab migrate` with THINLAB_DATABASE_OWNER_URL"):
        await upgrade.ready(application, application_url)
    await application.close()


@pytest_asyncio.fixture
async def alone(postgres: EmbeddedPostgres) -> AsyncIterator[str]:
    """An ordinary role that owns its database of the same name, as a provider hands one out."""
    name = f"alone_{uuid.uuid4().hex[:8]}"
    server = await asyncpg.connect(address_of(postgres.owner_url, "postgres"))
    await server.execute(f"create role {name}")
    await server.execute(f"create database {name} owner {name} template template0")
    yield name
    await server.execute(f"drop database {name} with (force)")
    await server.execute(f"drop role {name}")
    await server.close()


async def test_one_role_for_all_is_allowed_and_warned_of(
    alone: str, postgres: EmbeddedPostgres, caplog: pytest.LogCaptureFixture
) -> None:
    # The embedded server lets nobody else in by name: as the superuser, who becomes that role.
    url = address_of(postgres.owner_url, alone)
    database = Database(url, role=alone)
    await upgrade.ready(database, url)
    assert await _owners(database) == [alone]
    assert "whoever steals that address can change votes" in caplog.text
    await upgrade.ready(database, url)
    await database.close()


async def test_only_whoever_runs_it_is_let_in_as_anybody_else(postgres: EmbeddedPostgres) -> None:
    connection = await asyncpg.connect(address_of(postgres.owner_url, "postgres"))
    rules = await connection.fetch("select type, user_name, auth_method from pg_hba_file_rules")
    assert [tuple(rule) for rule in rules] == [
        ("local", ["thinlab_app"], "trust"),
        ("local", ["all"], "peer"),
    ]
    await connection.close()


def _plain(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
