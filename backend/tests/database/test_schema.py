"""The tables: migrations lead to them, and what was voted stays.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from httpx import AsyncClient
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from tests.made_up import Participant
from tests.spare_databases import address_of
from thinlab.database.engine import Database
from thinlab.database.migrations import migrate
from thinlab.database.schema import Base
from thinlab.running.embedded_postgres import EmbeddedPostgres
from thinlab.web.services import Services


async def test_migrations_lead_to_the_schema(empty_database: Database) -> None:
    await migrate(empty_database)
    await migrate(empty_database)

    def differences(connection: Connection) -> list[object]:
        found: list[object] = compare_metadata(
            MigrationContext.configure(connection), Base.metadata
        )
        return found

    async with empty_database.engine.connect() as connection:
        assert await connection.run_sync(differences) == []


CHANGES = [
    "update vote set choice = 'second'",
    "delete from vote",
    "truncate vote",
    "update presentation set first_member = 'b'",
    "delete from presentation",
    "truncate presentation cascade",
]


@pytest.mark.parametrize("change", CHANGES)
async def test_votes_and_presentations_never_change(
    browser: AsyncClient, services: Services, postgres: EmbeddedPostgres, change: str
) -> None:
    await (await Participant.join(browser)).take_all()
    with pytest.raises(DBAPIError, match="permission denied"):
        async with services.database.transaction() as session:
            await session.execute(text(change))
    # Nor for their owner.
    owner = Database(address_of(postgres.owner_url, services.database.engine.url.database or ""))
    with pytest.raises(DBAPIError, match="append-only"):
        async with owner.transaction() as session:
            await session.execute(text(change))
    await owner.close()
    async with services.database.transaction() as session:
        assert await session.scalar(text("select count(*) from vote")) == 3
        assert await session.scalar(text("select count(*) from presentation")) == 3
