"""A database of the first version keeps its studies, votes and participants.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from alembic import command
from sqlalchemy import Connection, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from tests.database.first_condition import CONDITION
from thinlab import tokens
from thinlab.database import schema
from thinlab.database.engine import Database
from thinlab.database.migrations import config, migrate
from thinlab.participation import presentation
from thinlab.researcher import access_token
from thinlab.researcher.access_token import Purpose
from thinlab.study import catalogue
from thinlab.trials.registry import KINDS

DEFINITION = {
    "slug": "old",
    "title": "Old",
    "description": "From before.",
    "open": True,
    "consent": {"version": "1", "paragraphs": ["Fine."]},
    "question": "Which?",
    "answers": {"first": "One", "second": "Two", "no_difference": "Neither"},
    "sound_check": "check",
    "conditions": {"plain": {"mode": "off", "baseline": "modern", "path": {"rtt_ms": 10}}},
    "trials": [
        {"kind": "control", "id": "same", "clip": "speech", "condition": "plain", "seed": 1},
        {"kind": "control", "id": "more", "clip": "speech", "condition": "plain", "seed": 1},
    ],
}

ROWS = (
    "insert into server_secret (id, participant_key, setup_token) values (1, 'key', 'token')",
    (
        "insert into study (slug, content_hash, definition, is_current)"
        " values ('old', 'hash', cast(:definition as jsonb), true)"
    ),
    (
        "insert into recording (key, clip, clip_sha256, condition, seed, host_build, agent_version,"
        " kernel_release, duration_ms, audio_sha256, result)"
        " values ('k', 'speech', 's', cast(:condition as jsonb), 1, 'b', 'a', 'r', 100, 'x', '{}')"
    ),
    "insert into trial_recording values (1, 'same', 'a', 1), (1, 'more', 'a', 1)",
    (
        "insert into participant"
        " (pseudonym, study_id, join_key, token_hash, consent_version, preview)"
        " values ('p-1', 1, gen_random_uuid(), 'one', '1', false),"
        " ('p-2', 1, gen_random_uuid(), 'two', '1', true)"
    ),
    (
        "insert into presentation (participant_id, trial_id, position, first_member,"
        " first_recording_id, second_recording_id, trial_token, first_token, second_token)"
        " values (1, 'same', 1, 'a', 1, 1, 't', 'f', 's')"
    ),
    (
        "insert into vote (presentation_id, vote_key, choice, plays_first, plays_second, switches,"
        " decision_ms, events, build)"
        " values (1, gen_random_uuid(), 'no_difference', 1, 1, 1, 9000, '[]', 'b')"
    ),
)


def as_it_was(connection: Connection) -> None:
    """A database of the first version, with one vote."""
    command.upgrade(config(connection), "0001")
    for row in ROWS:
        binds = {"definition": json.dumps(DEFINITION), "condition": json.dumps(CONDITION)}
        connection.execute(text(row), {name: binds[name] for name in binds if f":{name}" in row})


@asynccontextmanager
async def carried_over(database: Database) -> AsyncIterator[AsyncSession]:
    """A transaction in such a database after all migrations."""
    async with database.engine.begin() as connection:
        await connection.run_sync(as_it_was)
    await migrate(database)
    async with database.transaction() as session:
        yield session


async def test_a_database_of_the_first_version_is_carried_over(empty_database: Database) -> None:
    async with carried_over(empty_database) as session:
        study = await catalogue.current(session, "old")
        assert study is not None
        assert study.content_hash == "hash"
        (block,) = study.definition.blocks
        assert [trial.id for trial in block.trials] == ["same", "more"]
        assert block.scale.question == "Which?"
        assert await catalogue.is_ready(session, study)
        kinds = await session.scalars(text("select kind from participant order by id"))
        assert list(kinds) == ["person", "preview"]
        assert await access_token.is_right(session, Purpose.SETUP, "token")
        vote = await session.execute(text("select choice, score from vote"))
        assert [tuple(row) for row in vote] == [("no_difference", None)]


async def test_who_was_under_way_goes_on_and_may_withdraw(empty_database: Database) -> None:
    async with carried_over(empty_database) as session:
        study = await catalogue.current(session, "old")
        person = await session.scalar(select(schema.Participant).where(schema.Participant.id == 1))
        assert study is not None
        assert person is not None
        assert person.join_key is not None
        token = tokens.withdraw_token(b"key", study.id, person.join_key)
        assert person.withdraw_hash == tokens.token_hash(token)
        await presentation.draw(session, study, person, KINDS)
        (opened,) = await presentation.open_next(session, study, person, KINDS)
        assert (opened.presentation.trial_id, opened.presentation.position) == ("more", 2)
