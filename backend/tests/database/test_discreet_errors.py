"""Errors name no values, whatever the database has against them.

SPDX-License-Identifier: Apache-2.0
"""

import traceback

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from thinlab.database.engine import Database

INTO = "insert into written values (:words, :number)"
AS = "select cast(cast(:words as text) as {})"
CASES: dict[str, tuple[str, dict[str, object], str]] = {
    "a check": (INTO, {"words": "hush hush hush hush", "number": 1}, "23514"),
    "a second time": (INTO, {"words": "hush", "number": 1}, "23505"),
    "another type": (INTO, {"words": "hush", "number": "hush\nhush"}, "22000"),
    "no number": (AS.format("int"), {"words": 'hush"hush'}, "22P02"),
    "no uuid": (AS.format("uuid"), {"words": "hush\nhush"}, "22P02"),
    "no time": (AS.format("timestamp"), {"words": "hush"}, "22007"),
    "no JSON": (AS.format("jsonb"), {"words": '{"a": hush}'}, "22P02"),
    "no text": (INTO, {"words": "hush\x00", "number": 1}, "22021"),
}


@pytest_asyncio.fixture
async def written(empty_database: Database) -> Database:
    async with empty_database.transaction() as session:
        table = "create table written (words text unique check (length(words) < 15), number int)"
        await session.execute(text(table))
        await session.execute(text("insert into written values ('hush', 1)"))
    return empty_database


@pytest.mark.parametrize("case", CASES)
async def test_an_error_names_no_values(case: str, written: Database) -> None:
    statement, values, state = CASES[case]
    with pytest.raises(DBAPIError) as raised:
        async with written.transaction() as session:
            await session.execute(text(statement), values)
    told = "".join(traceback.format_exception(raised.value))
    assert "hush" not in told.replace(statement, "")
    # What went wrong, and where, is told all the same.
    assert getattr(raised.value.orig, "sqlstate", None) == state
    assert f"[SQL: {statement.split('(')[0]}" in told
