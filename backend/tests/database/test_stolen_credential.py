"""Whoever steals the application's address reads and adds: no change, no way out of the database.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator

import asyncpg
import pytest
import pytest_asyncio
from httpx import AsyncClient
from sqlalchemy import text

from tests.made_up import Participant
from thinlab.database.roles import APPLICATION, OWNER, PRIVILEGES
from thinlab.database.schema import Base
from thinlab.web.services import Services

APPEND_ONLY = (
    "vote",
    "presentation",
    "keystroke",
    "questionnaire_answer",
    "exclusion_entry",
    "study_event",
    "allocation",
)


@pytest_asyncio.fixture
async def thief(browser: AsyncClient, services: Services) -> AsyncIterator[asyncpg.Connection]:
    """The application's address in another's hands, after somebody has voted."""
    await (await Participant.join(browser)).take_all()
    url = services.database.engine.url.set(drivername="postgresql")
    connection = await asyncpg.connect(url.render_as_string(hide_password=False))
    yield connection
    await connection.close()


async def _votes(services: Services) -> list[object]:
    async with services.database.transaction() as session:
        return [tuple(row) for row in await session.execute(text("select * from vote order by id"))]


FORBIDDEN = [
    *(
        f"delete from {table}"  # noqa: S608 (names of our own)
        for table in APPEND_ONLY
    ),
    *(f"truncate {table} cascade" for table in PRIVILEGES),
    *(f"alter table {table} disable trigger all" for table in APPEND_ONLY),
    *(f"drop table {table} cascade" for table in PRIVILEGES),
    "update vote set choice = 'second'",
    "update vote set received_at = received_at",
    "update presentation set first_member = 'b'",
    "update keystroke set data = 'x'",
    "update alembic_version set version_num = '0000'",
    # As a withdrawal does it, but outside its function.
    "set thinlab.withdrawing = 'yes'; delete from vote",
    "set thinlab.withdrawing = 'yes'; delete from presentation",
    "alter table vote add column note text",
    "alter table vote owner to current_user",
    "alter table vote rename to ballot",
    "drop trigger append_only on vote",
    "create trigger mine before insert on vote execute function refuse_to_change()",
    "create rule mine as on insert to vote do instead nothing",
    "create or replace function refuse_to_change() returns trigger language sql as ''",
    "drop function delete_answers",
    "alter function delete_answers owner to current_user",
    "set session_replication_role = replica",
    "set role thinlab_owner",
    "set session authorization thinlab_owner",
    "grant thinlab_owner to current_user",
    "grant update on vote to current_user; update vote set choice = 'second'",
    "alter role current_user superuser",
    "alter role current_user createrole",
    "alter role thinlab_owner login password 'x'",
    "create role other",
    "create database other",
    "create schema mine",
    "create table public.mine (id int)",
    "create function public.mine() returns int language sql as 'select 1'",
    "create extension plpgsql_check",
    "create extension file_fdw",
    "create language plperlu",
    "copy vote to program 'id'",
    "copy vote from program 'echo'",
    "copy vote to '/tmp/votes'",
    "copy vote from '/etc/passwd'",
    "select pg_read_file('/etc/passwd')",
    "select pg_read_binary_file('postgresql.conf')",
    "select pg_ls_dir('/')",
    "select pg_stat_file('/etc/passwd')",
    "select lo_import('/etc/passwd')",
    "select pg_reload_conf()",
    "select pg_rotate_logfile()",
    "select * from pg_authid",
    "select * from pg_shadow",
    "select * from pg_hba_file_rules()",
    "alter system set fsync = off",
    "checkpoint",
    "create subscription s connection '' publication p",
    "create server s foreign data wrapper postgres_fdw",
    "select pg_create_physical_replication_slot('mine')",
    "do $$ begin execute 'alter table vote disable trigger all'; end $$",
]


async def test_a_stolen_address_changes_nothing(
    thief: asyncpg.Connection, services: Services
) -> None:
    before = await _votes(services)
    assert len(before) == 3
    succeeded = [attempt for attempt in FORBIDDEN if not await _is_refused(thief, attempt)]
    assert succeeded == []
    assert await _votes(services) == before


async def _is_refused(thief: asyncpg.Connection, attempt: str) -> bool:
    try:
        await thief.execute(attempt)
    except (
        asyncpg.InsufficientPrivilegeError,
        # It may not even know what could be there.
        asyncpg.FeatureNotSupportedError,
        asyncpg.UndefinedObjectError,
    ):
        return True
    except asyncpg.PostgresError as error:
        # Refused for another reason, it shows nothing.
        raise AssertionError(f"{attempt}: {error}") from error
    return False


async def test_a_withdrawal_takes_one_participant_and_leaves_the_tombstone(
    thief: asyncpg.Connection, browser: AsyncClient, services: Services
) -> None:
    browser.cookies.clear()
    other = await Participant.join(browser)
    await other.take_all()
    first = await thief.fetchval("select min(participant_id) from presentation")
    assert await thief.fetch("select delete_answers($1)", first) == []
    assert await thief.fetchval(
        "select withdrawn_at is not null from participant where id = $1", first
    )
    assert len(await _votes(services)) == 3
    assert await thief.fetchval("select count(*) from presentation") == 3
    # Nor does the function leave the door open for the rest of a transaction.
    async with thief.transaction():
        second = await thief.fetchval("select min(participant_id) from presentation")
        await thief.fetch("select delete_answers($1)", first)
        assert await thief.fetchval("select current_setting('thinlab.withdrawing', true)") != "yes"
        assert second != first


async def test_the_application_owns_nothing(thief: asyncpg.Connection) -> None:
    assert await thief.fetchval("select current_user") == APPLICATION
    owned = await thief.fetch(
        "select relname from pg_class where pg_has_role(relowner, 'member') union all "
        "select proname from pg_proc where pg_has_role(proowner, 'member') union all "
        "select datname from pg_database where pg_has_role(datdba, 'member')"
    )
    assert owned == []
    owners = await thief.fetch(
        "select distinct relowner::regrole::text from pg_class "
        "where relnamespace = 'public'::regnamespace"
    )
    assert [row[0] for row in owners] == [OWNER]


def test_every_table_says_what_the_application_may_do_with_it() -> None:
    assert set(PRIVILEGES) == {*Base.metadata.tables, "alembic_version"}


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_what_is_written_once_is_only_added_to(table: str) -> None:
    assert PRIVILEGES[table] == "select, insert"
