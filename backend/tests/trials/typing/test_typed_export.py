"""The exports of a typing study: votes beside the sessions they are about, sessions, and keys.

SPDX-License-Identifier: Apache-2.0
"""

import io

import pyarrow.parquet as pq
import pytest
import pytest_asyncio
from httpx import AsyncClient

from tests import made_up_typing
from tests.export.test_export import Cells, file, in_csv, objects, plain, table
from tests.made_up import made_up_terminal_result, sign_in, study_definition, typing_definition
from thinlab.database.schema import TypingSession
from thinlab.study import catalogue
from thinlab.trials.typing import rows as typing_rows
from thinlab.trials.typing.columns import RESULT, cells_of
from thinlab.web.services import Services

TABLES = ("export", "typing-sessions", "keystrokes", "participants")


@pytest_asyncio.fixture
async def desk(browser: AsyncClient, services: Services) -> AsyncClient:
    """A researcher's browser before a typing study that nobody has joined."""
    await _load(services)
    await sign_in(browser, services)
    return browser


async def _load(services: Services, **changes: object) -> None:
    async with services.database.transaction() as session:
        await catalogue.load(session, typing_definition(**changes))


async def test_votes_are_joined_with_the_sessions_that_count(
    desk: AsyncClient, services: Services
) -> None:
    typist = await made_up_typing.join(desk, services)
    trial = await typist.open_trial()
    for reason in ("link-away", "hidden"):
        await made_up_typing.type_session(
            services, typist, trial["first"]["session_token"], void=reason
        )
    await made_up_typing.take_all(services, typist, "second")
    rows = {row["trial"]: row for row in await objects(desk, "export", "typing")}
    assert rows.keys() == {"copy", "same"}
    pair, control = rows["copy"], rows["same"]
    for row in rows.values():
        assert (row["medium"], row["noticeable"], row["playback"]) == ("typed", 3, None)
        assert row["connection_passed"] is True
        assert row["connection_rtt_ms"] == 12.5
        check_session(row, "first_")
        check_session(row, "second_")
    assert {pair["first_mode"], pair["second_mode"]} == {"off", "all"}
    assert pair["chosen_condition"] == pair["second_condition"]
    assert (pair["first_task"], pair["first_task_kind"]) == ("sentences", "copy")
    assert control["chosen_member"] is None
    assert control["first_condition"] == control["second_condition"] == "plain"
    assert control["first_session"] != control["second_session"]
    voided = next(row for row in rows.values() if row["first_attempt"] == 3)
    assert voided["first_void_before"] == "link-away hidden"
    assert voided["second_attempt"] == 1
    # Nothing was heard: a typing study's votes have no columns of recordings.
    assert "first_recording" not in pair


def check_session(row: Cells, prefix: str) -> None:
    """The cells of a session are its own: every invented number is another."""
    session = row[f"{prefix}session"]
    expected = cells_of(None, made_up_terminal_result(session).model_dump(mode="json"))
    for column in RESULT:
        assert row[prefix + column.name] == expected[column.name], column.name
    assert row[f"{prefix}keys"] == made_up_typing.KEYS
    assert row[f"{prefix}corrections"] == 1
    assert row[f"{prefix}echo_max_ms"] == 405.5 + session
    assert row[f"{prefix}key_recoveries_timeout"] == 1
    assert row[f"{prefix}inter_key_p50_ms"] == 200
    assert row[f"{prefix}emulator_trustworthy"] is True
    assert row[f"{prefix}final_text"] is None


async def test_sessions_are_all_there_and_void_ones_say_why(
    desk: AsyncClient, services: Services
) -> None:
    typist = await made_up_typing.join(desk, services)
    trial = await typist.open_trial()
    token = trial["first"]["session_token"]
    await made_up_typing.type_session(services, typist, token, void="host-lost")
    await made_up_typing.type_session(services, typist, token)
    rows = await objects(desk, "typing-sessions", "typing")
    assert [(row["state"], row["attempt"], row["void_reason"]) for row in rows] == [
        ("void", 1, "host-lost"),
        ("done", 2, None),
    ]
    void, done = rows
    assert void["keys"] is void["echo_p50_ms"] is void["metrics_forward_packets"] is None
    assert void["condition"] == done["condition"]
    check_session(done, "")


@pytest.mark.parametrize("keep_text", [False, True])
async def test_keys_have_every_stamp_and_what_they_write_where_it_is_kept(
    desk: AsyncClient, services: Services, *, keep_text: bool
) -> None:
    await _load(services, keep_text=keep_text)
    typist = await made_up_typing.join(desk, services)
    await made_up_typing.type_trial(services, typist)
    rows = await objects(desk, "keystrokes", "typing")
    assert len(rows) == 2 * made_up_typing.KEYS
    for row in rows:
        (stored,) = (
            key
            for key in made_up_typing.keys_of(
                row["session"], seed=row["session"], keep_text=keep_text
            )
            if key.number == row["number"]
        )
        for name in TypingSession.metadata.tables["keystroke"].columns.keys():  # noqa: SIM118 (columns are what a collection of them holds)
            if name != "session_id":
                assert row[name] == getattr(stored, name), name
    assert {row["data"] for row in rows} == ({"x"} if keep_text else {None})


@pytest.mark.parametrize("name", TABLES)
async def test_the_three_forms_hold_the_same(
    desk: AsyncClient, services: Services, name: str
) -> None:
    await made_up_typing.take_all(services, await made_up_typing.join(desk, services))
    rows = await objects(desk, name, "typing")
    assert rows
    read = pq.read_table(io.BytesIO((await file(desk, f"{name}.parquet", "typing")).content))
    assert [plain(row) for row in read.to_pylist()] == rows
    for lined, row in zip(await table(desk, name, "typing"), rows, strict=True):
        assert lined == {key: in_csv(cell) for key, cell in row.items()}


async def test_the_codebook_tells_every_column_of_every_table(
    desk: AsyncClient, services: Services
) -> None:
    await made_up_typing.take_all(services, await made_up_typing.join(desk, services))
    book = await table(desk, "codebook", "typing")
    for name in TABLES:
        entries = [
            entry for entry in book if entry["table"] == ("votes" if name == "export" else name)
        ]
        assert [entry["name"] for entry in entries] == list((await table(desk, name, "typing"))[0])
        assert len({entry["name"] for entry in entries}) == len(entries)
        for entry in entries:
            assert entry["meaning"], entry
            assert entry["source"], entry
            assert entry["unit"] or entry["type"] in {"text", "boolean", "integer", "time"}, entry
    heard = await table(desk, "codebook", "demo")
    assert {entry["table"] for entry in heard} == {"votes", "tidy", "journal", "participants"}
    assert not [entry for entry in heard if entry["name"].startswith("first_session")]


@pytest.mark.parametrize("name", ["export", "tidy", "journal", "typing-sessions", "keystrokes"])
async def test_what_tells_conditions_stays_at_home_while_a_study_runs(
    desk: AsyncClient, services: Services, name: str
) -> None:
    await _load(services, votes_visible="when_stopped")
    await made_up_typing.take_all(services, await made_up_typing.join(desk, services))
    for form in ("csv", "json", "parquet", "xlsx"):
        refused = await desk.get(f"/api/researcher/studies/typing/{name}.{form}")
        assert refused.status_code == 409
        assert refused.json()["type"] == "/problems/blinded"


async def test_lots_hold_every_session_and_key_once(
    browser: AsyncClient, services: Services
) -> None:
    await _load(services)
    for _ in range(2):
        await made_up_typing.take_all(services, await made_up_typing.join(browser, services))
    async with services.database.transaction() as session:
        study = await catalogue.current(session, "typing")
    assert study is not None
    for at_once in (1, 3, 100):
        lots = [lot async for lot in typing_rows.sessions(services.database, study, at_once)]
        found = [entry.typed.row.id for lot in lots for entry in lot]
        assert len(found) == len(set(found)) == 8
        keys = [
            (entry.key.session_id, entry.key.number)
            async for lot in typing_rows.keys(services.database, study, at_once)
            for entry in lot
        ]
        assert keys == sorted(set(keys))
        assert len(keys) == 8 * made_up_typing.KEYS


async def test_a_study_with_both_has_both_kinds_of_columns(
    desk: AsyncClient, services: Services
) -> None:
    heard = study_definition()
    (typed,) = typing_definition().blocks
    blocks = (*heard.blocks, typed.model_copy(update={"id": "typed"}))
    await _load(services, conditions=heard.conditions, sound_check="check", blocks=blocks)
    names = (await file(desk, "export.csv", "typing")).text.splitlines()[0].split(",")
    assert {"first_recording", "first_session", "second_session"} <= set(names)
    assert len(set(names)) == len(names)
