"""Recordings of before keep what their JSON says, in the columns that came later.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from alembic import command
from sqlalchemy import Connection, select, text

from tests.made_up import made_up_result
from thinlab.database.engine import Database
from thinlab.database.migrations import config, migrate
from thinlab.database.schema import session_metrics
from thinlab.recording.metric_columns import METRIC_COLUMNS, flatten
from thinlab.recording.metrics import SessionResult

LATER = ("tcp_info_", "copies_", "felt_share_later_than_50_ms")
RECORDING = text(
    "insert into recording (key, clip, clip_sha256, condition, seed, host_build, agent_version,"
    " kernel_release, duration_ms, audio_sha256, result) values"
    " ('k', 'speech', 's', '{}', 1, 'b', 'a', 'r', 100, 'x', cast(:result as jsonb))"
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
async def test_a_recording_of_before_has_its_columns(
    empty_database: Database, result: SessionResult
) -> None:
    values = flatten(result)
    before = {name: value for name, value in values.items() if not name.startswith(LATER)}

    def as_it_was(connection: Connection) -> None:
        command.upgrade(config(connection), "0002")
        connection.execute(RECORDING, {"result": result.model_dump_json(exclude_none=True)})
        columns = ", ".join(["recording_id", *before])
        binds = ", ".join(["1", *(f":{name}" for name in before)])
        insert = f"insert into session_metrics ({columns}) values ({binds})"  # noqa: S608 (ours)
        connection.execute(text(insert), before)

    async with empty_database.engine.begin() as connection:
        await connection.run_sync(as_it_was)
    await migrate(empty_database)
    async with empty_database.transaction() as session:
        (row,) = (await session.execute(select(session_metrics))).mappings()
    assert {column.name: row[column.name] for column in METRIC_COLUMNS} == values


def test_what_is_later_is_what_may_be_missing() -> None:
    assert {column.name for column in METRIC_COLUMNS if column.nullable} == {
        column.name for column in METRIC_COLUMNS if column.name.startswith(LATER)
    }
    units = {column.name: column.unit for column in METRIC_COLUMNS}
    assert units["tcp_info_snd_mss_bytes"] == units["tcp_info_bytes_acked"] == "bytes"
    assert units["felt_share_later_than_50_ms"] == units["loss_share_forward"] == "share"
    assert units["tcp_info_rto_us"] == "µs"
    assert units["copies_spurious_packets"] == "count"
