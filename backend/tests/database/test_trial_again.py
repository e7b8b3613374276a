"""From 0024 on a trial may come again to a participant, and what was stored before stays."""

from alembic import command
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError

from thinlab.database.engine import Database
from thinlab.database.migrations import config, migrate, upgrade_to

ROWS = (
    (
        "insert into study (slug, content_hash, definition, is_current)"
        " values ('old', 'hash', '{}', true)"
    ),
    (
        "insert into participant"
        " (pseudonym, study_id, join_key, token_hash, consent_version, kind, language)"
        " values ('p-1', 1, gen_random_uuid(), 'one', '1', 'person', 'en')"
    ),
)
# Typed, so that it needs no recordings.
PRESENTED = (
    "insert into presentation (participant_id, block_id, trial_id, position, training, run,"
    " first_member, medium, trial_token, first_token, second_token)"
    " values (1, 'b', 't', {0}, false, 0, 'a', 'typed', 't{0}', 'f{0}', 's{0}')"
)


def _as_before(connection: Connection) -> None:
    upgrade_to(connection, "0023")
    for row in (*ROWS, PRESENTED.format(1)):
        connection.execute(text(row))


def _is_taken(connection: Connection, position: int) -> bool:
    try:
        with connection.begin_nested():
            connection.execute(text(PRESENTED.format(position)))
    except IntegrityError:
        return False
    return True


async def test_a_trial_may_come_again_at_another_position(empty_database: Database) -> None:
    async with empty_database.engine.begin() as connection:
        await connection.run_sync(_as_before)
        assert not await connection.run_sync(_is_taken, 2)
    await migrate(empty_database)
    async with empty_database.engine.begin() as connection:
        assert await connection.run_sync(_is_taken, 2)
        assert not await connection.run_sync(_is_taken, 2)
        count = await connection.scalar(text("select count(*) from presentation"))
        assert count == 2


async def test_it_can_be_taken_back(empty_database: Database) -> None:
    async with empty_database.engine.begin() as connection:
        await connection.run_sync(_as_before)
    await migrate(empty_database)
    async with empty_database.engine.begin() as connection:
        await connection.run_sync(lambda one: command.downgrade(config(one), "0023"))
        assert not await connection.run_sync(_is_taken, 2)
