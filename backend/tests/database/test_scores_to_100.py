"""A database of before takes scores up to 100, and keeps what it has.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from alembic import command
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from thinlab.database.engine import Database
from thinlab.database.migrations import config, migrate

CHECKS = text(
    "select pg_get_constraintdef(oid) from pg_constraint"
    " where conrelid = 'vote'::regclass and conname = 'ck_vote_score'"
)
# A vote alone: what it belongs to is of no matter here.
VOTE = text(
    "insert into vote (presentation_id, vote_key, score, decision_ms, account, events, build)"
    " values (:at, gen_random_uuid(), :score, 1, '{}', '[]', 'b')"
)


def _vote(connection: Connection, at: int, score: int) -> None:
    connection.execute(text("set local session_replication_role = replica"))
    connection.execute(VOTE, {"at": at, "score": score})


async def test_an_existing_database_takes_scores_up_to_100(empty_database: Database) -> None:
    def as_it_was(connection: Connection) -> None:
        command.upgrade(config(connection), "0022")
        _vote(connection, 1, 5)

    def too_high(connection: Connection) -> None:
        _vote(connection, 2, 6)

    async with empty_database.engine.begin() as connection:
        await connection.run_sync(as_it_was)
    with pytest.raises(IntegrityError, match="ck_vote_score"):
        async with empty_database.engine.begin() as connection:
            await connection.run_sync(too_high)
    await migrate(empty_database)
    async with empty_database.engine.begin() as connection:
        await connection.run_sync(_vote, 2, 100)
        scores = (await connection.execute(text("select score from vote order by id"))).scalars()
        assert list(scores) == [5, 100]
        assert len((await connection.execute(CHECKS)).scalars().all()) == 1
    with pytest.raises(IntegrityError, match="ck_vote_score"):
        async with empty_database.engine.begin() as connection:
            await connection.run_sync(_vote, 3, 101)
