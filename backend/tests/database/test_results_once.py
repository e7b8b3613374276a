"""Recordings of before keep what was measured of them, now that it is kept once.

SPDX-License-Identifier: Apache-2.0
"""

import json

import pytest
from alembic import command
from sqlalchemy import Connection, select, text

from tests.database.first_condition import CONDITION
from tests.made_up import made_up_result
from thinlab.contract.columns import SESSION_COLUMNS, apart, flatten, together
from thinlab.contract.generated.results import SessionResult
from thinlab.database.engine import Database
from thinlab.database.migrations import config, migrate
from thinlab.database.schema import Recording

LATER = (
    "chunks_",
    "damage_",
    "retransmission_latency_",
    "throughput_",
    "sctp_info_",
    "tcp_info_",
    "copies_",
    "playout_",
    "felt_share_later_than_50_ms",
    "late_",
    "check_forward_duplicated_packets",
    "check_backward_duplicated_packets",
    "check_forward_bit_errors_",
    "check_backward_bit_errors_",
)
RECORDING = text(
    "insert into recording (key, clip, clip_sha256, condition, seed, host_build, agent_version,"
    " kernel_release, duration_ms, audio_sha256, result) values"
    " ('k', 'speech', 's', cast(:condition as jsonb), 1, 'b', 'a', 'r', 100, 'x',"
    " cast(:result as jsonb))"
)
COLUMNS = text(
    "select column_name from information_schema.columns"
    " where table_name = 'session_metrics' and column_name <> 'recording_id'"
)


def as_told_now() -> SessionResult:
    return made_up_result("now")


def as_told_first() -> SessionResult:
    """Before the agent told of the socket, of copies, of 50 ms, and of what the playout did."""
    content = made_up_result("first").model_dump()
    for later in ("tcp_info", "receiver_counters", "copies", "playout_events"):
        del content[later]
    del content["felt"]["share_later_than_50_ms"]
    return SessionResult.model_validate(content)


@pytest.mark.parametrize("result", [as_told_now(), as_told_first()], ids=["now", "first"])
async def test_what_was_in_columns_is_in_what_is_kept(
    empty_database: Database, result: SessionResult
) -> None:
    told = result.model_dump(mode="json")

    def as_it_was(connection: Connection) -> dict[str, float | None]:
        command.upgrade(config(connection), "0011")
        connection.execute(
            RECORDING, {"condition": json.dumps(CONDITION), "result": result.model_dump_json()}
        )
        names = list(connection.scalars(COLUMNS))
        values = {name: flatten(SESSION_COLUMNS, told)[name] for name in names}
        columns = ", ".join(["recording_id", *names])
        binds = ", ".join(["1", *(f":{name}" for name in names)])
        insert = f"insert into session_metrics ({columns}) values ({binds})"  # noqa: S608 (ours)
        connection.execute(text(insert), values)
        return values

    async with empty_database.engine.begin() as connection:
        before = await connection.run_sync(as_it_was)
    assert before
    await migrate(empty_database)
    async with empty_database.transaction() as session:
        kept = await session.execute(select(Recording.result, Recording.series))
        numbers, series = kept.one()
    after = flatten(SESSION_COLUMNS, numbers)
    assert {name: after[name] for name in before} == before
    assert SessionResult.model_validate(together(numbers, series)) == result


def test_lists_are_kept_apart_and_put_back() -> None:
    told = as_told_now().model_dump(mode="json")
    numbers, series = apart(told)
    assert "cdf" not in str(numbers)
    assert set(series) >= {"counters", "playout_events", "metrics.transport.per_byte.cdf"}
    assert together(numbers, series) == told
    assert "cdf" not in str(numbers), "nothing is put into the numbers themselves"


def test_numbers_keep_their_kind() -> None:
    """JSON of PostgreSQL tells a whole number where the agent told 5.0."""
    told = as_told_now().model_dump(mode="json")
    told["metrics"]["iat_mean_ms"] = 5
    flat = flatten(SESSION_COLUMNS, told)
    assert isinstance(flat["iat_mean_ms"], float)
    assert isinstance(flat["packets"], int)
    assert set(flatten(SESSION_COLUMNS, {}).values()) == {None}


def test_what_is_later_is_what_may_be_missing() -> None:
    assert {column.name for column in SESSION_COLUMNS if column.nullable} == {
        column.name for column in SESSION_COLUMNS if column.name.startswith(LATER)
    }
