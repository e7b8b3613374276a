"""The export: each vote beside the metrics of exactly the recordings heard, in four forms.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import hashlib
import io
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
import pytest_asyncio
from httpx import ASGITransport, AsyncClient, Response
from openpyxl import load_workbook
from sqlalchemy import insert, literal, select

from tests.applications import app_over
from tests.made_up import (
    ACR,
    CCR,
    Participant,
    block,
    in_two_modes,
    made_up_result,
    put_recordings,
    sign_in,
    study_definition,
)
from thinlab.contract.columns import SESSION_COLUMNS, flatten
from thinlab.database.schema import PredictedQuality, Recording, Vote
from thinlab.export import rows as export_rows
from thinlab.export.table import CsvWriter, Header, XlsxWriter, iso
from thinlab.study import catalogue
from thinlab.trials.registry import KINDS
from thinlab.web.serve import load
from thinlab.web.services import Services

if TYPE_CHECKING:
    from thinlab.export.column import Cell

Cells = dict[str, Any]
PAIR = {"clip": "speech", "conditions": ["plain", "modified"]}
ONE = {"clip": "speech", "condition": "plain"}

RICH = study_definition(
    slug="rich",
    languages=["en"],
    headphones="asked",
    blocks=[
        block([{"kind": "pair", "id": "practice", "seed": 1, **PAIR}], id="warm-up")
        | {"role": "training"},
        block(
            [
                {"kind": "pair", "id": "runs", "seed": 10, "runs": 2, "matched": False, **PAIR},
                {"kind": "control", "id": "same", "seed": 20, **ONE},
                {"kind": "gold", "id": "known", "seed": 30, "better": "plain", **PAIR},
            ],
            id="compare",
            scale=CCR,
        ),
        block(
            [
                {"kind": "single", "id": "alone", "seed": 40, **ONE},
                {"kind": "gold", "id": "clean", "seed": 41, "at_least": 4, **ONE},
                {"kind": "trapping", "id": "trap", "seed": 42, "answer": 2, **ONE},
            ],
            id="judge",
            scale=ACR,
        ),
    ],
    questionnaire=[
        {"id": "age", "kind": "number", "text": "How old are you?", "when": "before"},
        {
            "id": "ears",
            "kind": "choice",
            "text": "Which ears?",
            "several": True,
            "options": [{"id": "left", "label": "Left"}, {"id": "right", "label": "Right"}],
        },
        {"id": "words", "kind": "text", "text": "Anything to say?"},
    ],
    exclusion=[{"rule": "trapping_wrong", "more_than": 0}],
)


@pytest_asyncio.fixture
async def rich(services: Services) -> AsyncClient:
    """A researcher's browser before a study with every kind of trial."""
    await load(services.database, [study_definition(), RICH])
    await put_recordings(services, "rich")
    browser = AsyncClient(
        transport=ASGITransport(app_over(services)), base_url="http://thinlab.test"
    )
    await sign_in(browser, services)
    return browser


async def file(browser: AsyncClient, name: str, slug: str = "demo") -> Response:
    """One of the researcher's files."""
    answer = await browser.get(f"/api/researcher/studies/{slug}/{name}")
    assert answer.status_code == 200, answer.text
    assert f'filename="{slug}-' in answer.headers["content-disposition"]
    return answer


async def table(browser: AsyncClient, name: str, slug: str = "demo") -> list[dict[str, str]]:
    """One of the researcher's CSV files, by row."""
    answer = await file(browser, f"{name}.csv", slug)
    assert answer.headers["content-type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(answer.text, newline=""), strict=True))


async def objects(browser: AsyncClient, name: str, slug: str) -> list[Cells]:
    """One of the researcher's JSON files."""
    found: list[Cells] = (await file(browser, f"{name}.json", slug)).json()
    return found


async def answer_all(person: Participant, scores: dict[str, int]) -> None:
    """The whole session: scores by the scale's kind, questions in passing."""
    progress = await person.progress()
    while progress["state"] != "complete":
        if progress["state"].startswith("questions"):
            asked = await person.browser.get("/api/participation/questions", headers=person.headers)
            answers = {"age": 34, "ears": ["left", "right"], "words": "=1+1, “fine”"}
            ids = {question["id"] for question in asked.json()["questions"]}
            given = {"answers": {id_: answers[id_] for id_ in ids}}
            path = "/api/participation/answers"
            told = await person.browser.post(path, headers=person.headers, json=given)
            assert told.status_code == 200, told.text
        else:
            trial = await person.open_trial()
            kind = trial["scale"]["kind"]
            answer = {"choice": "first"} if kind == "preference" else {"score": scores[kind]}
            cast = await person.vote(trial["trial_token"], **{"choice": None, **answer})
            assert cast.status_code == 201, cast.text
        progress = await person.progress()


async def test_votes_are_joined_with_what_was_heard(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    heard: list[tuple[str, str, str]] = []
    for choice in ("first", "second", "no_difference"):
        person = await Participant.join(browser)
        while (await person.progress())["state"] == "trials":
            trial = await person.open_trial()
            one = await person.hear(trial["first"]["recording_token"])
            other = await person.hear(trial["second"]["recording_token"])
            heard.append((choice, sha256(one), sha256(other)))
            await person.vote(trial["trial_token"], choice=choice)

    rows = await table(browser, "export")
    assert len(rows) == 9
    for row, (choice, first, second) in zip(rows, heard, strict=True):
        assert row["choice"] == choice
        assert (row["first_recording_sha256"], row["second_recording_sha256"]) == (first, second)
        for place in ("first", "second"):
            told = made_up_result(row[f"{place}_recording_key"]).model_dump()
            expected = flatten(SESSION_COLUMNS, told)
            for column in SESSION_COLUMNS:
                assert float(row[f"{place}_{column.name}"]) == expected[column.name]
        assert row["build"] == "test-build"
        assert row["study_hash"]
        check_meaning(row)


async def test_a_reference_says_what_it_is_and_has_no_sender_path_host_or_metrics(
    browser: AsyncClient, services: Services
) -> None:
    trial = {"kind": "pair", "id": "one", "clip": "speech", "seed": 1}
    definition = study_definition(
        slug="references",
        conditions=in_two_modes("all", loss_share=0.02)
        | {"noisy": {"reference": "mnru", "q_db": 17.5}},
        blocks=[block([trial | {"conditions": ["plain", "noisy"]}])],
    )
    await load(services.database, [study_definition(), definition])
    await put_recordings(services, "references")
    person = await Participant.join(browser, "references")
    await person.vote((await person.open_trial())["trial_token"], choice="second")
    await sign_in(browser, services)
    (row,) = await table(browser, "export", "references")
    at = {row[f"{place}_condition"]: place for place in ("first", "second")}
    noisy, plain = (
        {name.removeprefix(at[one]): row[name] for name in row if name.startswith(f"{at[one]}_")}
        for one in ("noisy", "plain")
    )
    assert (noisy["_reference"], noisy["_reference_q_db"]) == ("mnru", "17.5")
    assert (plain["_reference"], plain["_reference_q_db"]) == ("", "")
    filled = {name for name, value in noisy.items() if value}
    assert filled == {
        *("_member", "_condition", "_reference", "_reference_q_db", "_seed", "_recording"),
        *("_recording_key", "_recording_sha256", "_clip", "_clip_sha256", "_duration_ms"),
        "_presented",
    } & set(noisy)
    assert plain["_mode"] == "off"
    assert plain["_host_build"]
    assert len(await table(browser, "tidy", "references")) == 2
    assert row["b_playout_concealed_ms"] == row["b_minus_a_playout_concealed_ms"] == ""


def sha256(response: Response) -> str:
    """Of the file that was sent."""
    return hashlib.sha256(response.content).hexdigest()


def check_meaning(row: dict[str, str]) -> None:
    """What a choice means follows from the presentation."""
    if row["control"] == "true":
        assert row["first_recording"] == row["second_recording"]
        assert row["chosen_member"] == row["chosen_condition"] == row["chosen_mode"] == ""
        return
    assert row["pair"] == "plain/modified"
    conditions = ["plain", "modified"] if row["first_presented"] == "a" else ["modified", "plain"]
    assert [row["first_condition"], row["second_condition"]] == conditions
    modes = {"plain": ("off", ""), "modified": ("linear_timeouts", "linear_timeouts")}
    for place, condition in zip(("first", "second"), conditions, strict=True):
        assert (row[f"{place}_mode"], row[f"{place}_mechanisms"]) == modes[condition]
    if row["choice"] == "no_difference":
        assert row["chosen_condition"] == row["chosen_member"] == ""
    else:
        assert row["chosen_condition"] == row[f"{row['choice']}_condition"]
        assert row["chosen_member"] == ("a" if row["chosen_condition"] == "plain" else "b")


async def test_every_kind_of_trial_says_what_it_means(rich: AsyncClient) -> None:
    for _ in range(2):
        await answer_all(await Participant.join(rich, "rich"), {"ccr": 2, "acr": 4})
    rows = await objects(rich, "export", "rich")
    assert len(rows) == 2 * 7
    by_trial = {trial: [row for row in rows if row["trial"] == trial] for trial in trials(rows)}
    for row in by_trial["practice"]:
        assert (row["role"], row["scale"], row["trial_kind"]) == ("training", "preference", "pair")
    for row in by_trial["runs"]:
        # The second is better by two; the sign turns where b was first.
        assert row["score"] == 2
        assert row["score_b_against_a"] == (2 if row["first_presented"] == "a" else -2)
        assert row["chosen_condition"] == row["second_condition"]
        assert row["chosen_member"] == row["second_member"]
        assert row["matched"] is False
        assert (row["seed_a"], row["seed_b"]) == (10 + 2 * row["run"] - 2, 11 + 2 * row["run"] - 2)
        assert {row["first_seed"], row["second_seed"]} == {row["seed_a"], row["seed_b"]}
    assert {row["run"] for row in by_trial["runs"]} <= {1, 2}
    for row in by_trial["same"]:
        assert row["score_b_against_a"] is None
        assert row["chosen_member"] is None
    for row in by_trial["known"]:
        plain_first = row["first_condition"] == "plain"
        assert row["expected_answer"] == ("below 0" if plain_first else "above 0")
        assert row["answered_rightly"] is not plain_first
    for row in (*by_trial["alone"], *by_trial["clean"], *by_trial["trap"]):
        assert row["scale"] == "acr"
        assert row["pair"] == "plain"
        assert row["second_recording"] is row["chosen_member"] is row["score_b_against_a"] is None
    assert {row["expected_answer"] for row in by_trial["clean"]} == {"at least 4"}
    assert {row["answered_rightly"] for row in by_trial["clean"]} == {True}
    assert {row["expected_answer"] for row in by_trial["trap"]} == {"2"}
    assert {row["answered_rightly"] for row in by_trial["trap"]} == {False}
    # The trap was missed: the declared rule leaves both out, and the votes stay.
    assert {row["excluded_by_rules"] for row in rows} == {"trapping_wrong"}
    assert {row["excluded"] for row in rows} == {True}


async def test_tidy_rows_are_by_condition_and_join_the_votes(rich: AsyncClient) -> None:
    for _ in range(2):
        await answer_all(await Participant.join(rich, "rich"), {"ccr": 2, "acr": 4})
    votes = {row["vote"]: row for row in await objects(rich, "export", "rich")}
    tidy = await objects(rich, "tidy", "rich")
    # Three pairs and a control, three recordings judged alone.
    assert len(tidy) == 2 * (4 * 2 + 3)
    assert len({row["row_id"] for row in tidy}) == len(tidy)
    for row in tidy:
        vote = votes[row["vote"]]
        place = row["presented"]
        assert row["condition"] == vote[f"{place}_condition"]
        assert row["content"] == vote[f"{place}_recording_sha256"]
        assert row["playout_gaps"] == vote[f"{place}_playout_gaps"]
        assert row["playout_gaps"] == vote[f"{row['member']}_playout_gaps"]
        assert row["heard_share"] == vote[f"heard_share_{place}"]
        assert row["condition"] == vote[f"{row['member']}_condition"]
        assert row["left_out"] == vote["left_out"]
        if row["trial_kind"] in {"pair", "gold"}:
            assert row["condition"] == {"a": "plain", "b": "modified"}[row["member"]]
            assert place == ("first" if vote["first_presented"] == row["member"] else "second")
        if row["scale"] == "ccr":
            # The second is better by two.
            assert row["score"] == (2 if place == "second" else -2)
            assert row["preferred"] is (place == "second")
        if row["trial_kind"] == "single":
            assert (row["member"], place, row["score"]) == ("a", "first", 4)
            assert row["preferred"] is row["no_difference"] is row["same_bytes"] is None
    for vote in votes.values():
        both = vote["a_playout_gaps"], vote["b_playout_gaps"]
        assert vote["b_minus_a_playout_gaps"] == (None if None in both else both[1] - both[0])


async def test_a_vote_that_does_not_count_says_why(rich: AsyncClient, services: Services) -> None:
    await answer_all(await Participant.join(rich, "rich"), {"ccr": 2, "acr": 2})
    await answer_all(await Participant.join(rich, "rich"), {"ccr": 2, "acr": 4})
    await answer_all(await Participant.join(rich, "rich", kind="preview"), {"ccr": 2, "acr": 2})
    left = await Participant.join(rich, "rich")
    told = await left.browser.post(
        "/api/participation/answers", headers=left.headers, json={"answers": {"age": 34}}
    )
    assert told.status_code == 200, told.text
    trial = await left.open_trial()
    await left.vote(trial["trial_token"], choice="first")
    rows = await objects(rich, "export", "rich")
    done, trapped, preview, unfinished = rows[:7], rows[7:14], rows[14:21], rows[21:]
    assert {row["trial"]: row["left_out"] for row in done} == {
        "practice": "training",
        "runs": None,
        "same": None,
        "known": "known_answer",
        "alone": None,
        "clean": "known_answer",
        "trap": "known_answer",
    }
    assert {row["left_out"] for row in trapped} == {"excluded"}
    assert {row["left_out"] for row in preview} == {"preview"}
    assert [row["left_out"] for row in unfinished] == ["unfinished"]
    results = (await rich.get("/api/researcher/studies/rich/results")).json()
    counted = sum(row["left_out"] is None for row in rows)
    assert results["votes_analysed"] == counted == 3

    # A trial that means something else now is another trial.
    changed = RICH.model_dump(mode="json")
    changed["blocks"][1]["trials"][0]["clip"] = "song"
    await load(services.database, [study_definition(), type(RICH).model_validate(changed)])
    rows = await objects(rich, "export", "rich")
    assert {row["left_out"] for row in rows[:7] if row["trial"] == "runs"} == {"other_version"}
    results = (await rich.get("/api/researcher/studies/rich/results")).json()
    assert results["votes_analysed"] == sum(row["left_out"] is None for row in rows) == 2


async def test_the_journal_has_every_event(browser: AsyncClient, services: Services) -> None:
    await sign_in(browser, services)
    person = await Participant.join(browser)
    trial = await person.open_trial()
    events = [
        {"at_ms": 20, "action": "play", "member": "first", "position_ms": 0},
        {"at_ms": 950, "action": "hidden"},
    ]
    cast = await person.vote(trial["trial_token"], choice="first", events=events)
    assert cast.status_code == 201, cast.text
    rows = await objects(browser, "journal", "demo")
    assert [(row["number"], row["at_ms"], row["action"], row["presented"]) for row in rows] == [
        (1, 20, "play", "first"),
        (2, 950, "hidden", None),
    ]
    (vote,) = await objects(browser, "export", "demo")
    assert {row["vote"] for row in rows} == {vote["vote"]}


def trials(rows: Iterable[Cells]) -> set[str]:
    """Ids of the trials."""
    return {row["trial"] for row in rows}


async def test_participants_have_an_export_of_their_own(rich: AsyncClient) -> None:
    done = await Participant.join(rich, "rich")
    await done.check_sound(level_percent=70, headphones={"correct": 6, "of": 6, "tries": 1})
    await answer_all(done, {"ccr": 0, "acr": 2})
    gone = await Participant.join(rich, "rich")
    left = await rich.delete("/api/participation", headers=gone.headers)
    assert left.status_code == 204
    await Participant.join(rich, "rich", kind="preview")

    rows = await objects(rich, "participants", "rich")
    assert [row["participant_kind"] for row in rows] == ["person", "person", "preview"]
    first, second, _ = rows
    assert (first["completed"], first["votes"], first["training_votes"]) == (True, 6, 1)
    assert first["completion_code"] == (await done.progress())["completion_code"]
    assert second["completion_code"] is None
    assert "completion_code" not in (await objects(rich, "export", "rich"))[0]
    assert first["level_percent"] == 70
    assert (first["headphones_correct"], first["headphones_passed"]) == (6, True)
    assert first["answer_age"] == 34
    assert json.loads(first["answer_ears"]) == ["left", "right"]
    assert first["answer_words"] == "=1+1, “fine”"
    assert second["withdrawn_at"]
    assert (second["completed"], second["votes"], second["answer_age"]) == (False, 0, None)
    pseudonyms = {row["participant"] for row in await objects(rich, "export", "rich")}
    assert pseudonyms == {first["participant"]}

    reason = "Said that they wore no headphones."
    path = f"/api/researcher/studies/rich/participants/{first['participant']}/exclusions"
    entered = await rich.post(path, json={"excluded": True, "reason": reason})
    assert entered.status_code < 300, entered.text
    for name in ("participants", "export"):
        row = (await objects(rich, name, "rich"))[0]
        assert (row["excluded"], row["excluded_by_researcher"]) == (True, reason)
        assert row["excluded_by_rules"] is None


@pytest.mark.parametrize("name", ["export", "tidy", "participants"])
async def test_the_three_forms_hold_the_same(
    rich: AsyncClient, services: Services, name: str
) -> None:
    await answer_all(await Participant.join(rich, "rich"), {"ccr": -3, "acr": 1})
    async with services.database.transaction() as session:
        values = {"measure": "made_up", "version": "1", "score": 3.25}
        await session.execute(
            insert(PredictedQuality).from_select(["recording_id", *values], select_with(values))
        )
    rows = await objects(rich, name, "rich")
    assert rows
    read = pq.read_table(io.BytesIO((await file(rich, f"{name}.parquet", "rich")).content))
    assert read.column_names == list(rows[0])
    types = {entry["name"]: entry["type"] for entry in await table(rich, "codebook", "rich")}
    arrow = {
        "text": "string",
        "integer": "int64",
        "number": "double",
        "boolean": "bool",
        "time": "timestamp[ms, tz=UTC]",
    }
    for field in read.schema:
        assert str(field.type) == arrow[types[field.name]], field.name
    assert [plain(row) for row in read.to_pylist()] == rows
    for lined, row in zip(await table(rich, name, "rich"), rows, strict=True):
        assert lined == {key: in_csv(cell) for key, cell in row.items()}
    if name == "export":
        assert {row["first_predicted_quality"] for row in rows} == {3.25}
        assert {row["first_predicted_quality_measure"] for row in rows} == {"made_up"}


def select_with(values: dict[str, object]) -> Any:  # noqa: ANN401
    """The same prediction for every recording."""
    return select(Recording.id, *(literal(value) for value in values.values()))


def plain(row: Cells) -> Cells:
    """Times as JSON writes them."""
    return {key: iso(cell) if isinstance(cell, datetime) else cell for key, cell in row.items()}


def in_csv(cell: object) -> str:
    """As the CSV writes it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    return f"'{cell}" if isinstance(cell, str) and cell.startswith("=") else str(cell)


async def test_the_codebook_tells_every_column(rich: AsyncClient) -> None:
    await answer_all(await Participant.join(rich, "rich"), {"ccr": 0, "acr": 3})
    book = await table(rich, "codebook", "rich")
    assert await objects(rich, "codebook", "rich") == book
    for name, export in (
        ("votes", "export"),
        ("tidy", "tidy"),
        ("participants", "participants"),
    ):
        entries = [entry for entry in book if entry["table"] == name]
        assert [entry["name"] for entry in entries] == list((await table(rich, export, "rich"))[0])
        assert len({entry["name"] for entry in entries}) == len(entries)
        for entry in entries:
            assert entry["meaning"], entry
            assert entry["source"], entry
            assert entry["unit"] or entry["type"] in {"text", "boolean", "integer"}, entry


async def test_a_vote_keeps_the_version_of_its_study(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    early = await Participant.join(browser)
    await early.open_trial()
    await load(services.database, [study_definition(title="Another title")])
    await put_recordings(services, "demo")
    await early.take_all()
    await (await Participant.join(browser)).take_all()
    rows = await table(browser, "export")
    assert [row["study_hash"] for row in rows].count(rows[0]["study_hash"]) == 3
    assert len({row["study_hash"] for row in rows}) == 2


async def test_votes_stay_at_home_while_their_direction_is_hidden(
    browser: AsyncClient, services: Services
) -> None:
    await load(services.database, [study_definition(votes_visible="when_stopped")])
    await put_recordings(services, "demo")
    await sign_in(browser, services)
    await (await Participant.join(browser)).take_all()
    for form in ("csv", "json", "parquet", "xlsx"):
        refused = await browser.get(f"/api/researcher/studies/demo/export.{form}")
        assert refused.status_code == 409
        assert refused.json()["type"] == "/problems/blinded"
    people = await table(browser, "participants")
    assert len(people) == 1
    # Nothing in it tells what was chosen.
    telling = {"choice", "score", "chosen_member", "chosen_condition", "answered_rightly"}
    assert not telling & set(people[0])
    assert (await browser.get("/api/researcher/studies/demo/codebook.csv")).status_code == 200


async def test_lots_hold_every_vote_once(browser: AsyncClient, services: Services) -> None:
    for _ in range(3):
        await (await Participant.join(browser)).take_all()
    async with services.database.transaction() as session:
        study = await catalogue.current(session, "demo")
        stored = list(await session.scalars(select(Vote.id).order_by(Vote.id)))
    assert study is not None
    for at_once in (1, 2, 9, 100):
        lots = [lot async for lot in export_rows.votes(services.database, study, KINDS, at_once)]
        assert [entry.vote.id for lot in lots for entry in lot] == stored
        assert max(len(lot) for lot in lots) <= at_once


async def test_a_study_without_votes_has_columns_all_the_same(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    for name in ("export", "participants"):
        assert await objects(browser, name, "demo") == []
        assert await table(browser, name) == []
        header = (await file(browser, f"{name}.csv")).text.splitlines()[0].split(",")
        read = pq.read_table(io.BytesIO((await file(browser, f"{name}.parquet")).content))
        assert read.column_names == header
        assert read.num_rows == 0


async def test_what_is_not_offered_is_refused(browser: AsyncClient, services: Services) -> None:
    await sign_in(browser, services)
    for path, status in (
        ("studies/demo/export.ods", 422),
        ("studies/demo/codebook.parquet", 422),
        ("studies/none/export.csv", 404),
        ("studies/none/participants.parquet", 404),
    ):
        assert (await browser.get(f"/api/researcher/{path}")).status_code == status, path


async def test_rows_tell_what_was_frozen_and_what_deviates(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    await (await Participant.join(browser)).take_all()
    frozen = await browser.post("/api/researcher/studies/demo/freeze", json={"reason": "Ready."})
    assert frozen.status_code < 300, frozen.text
    await (await Participant.join(browser)).take_all()
    before, after = await objects(browser, "participants", "demo")
    assert (before["frozen_hash"], before["frozen_at"]) == (None, None)
    assert len(after["frozen_hash"]) == 64
    assert before["deviations"] == after["deviations"] == 0
    await load(services.database, [study_definition(title="Another title")])
    await put_recordings(services, "demo")
    rows = await objects(browser, "export", "demo")
    assert {row["deviations"] for row in rows} == {1}
    assert [row["frozen_hash"] for row in rows] == [None] * 3 + [after["frozen_hash"]] * 3


def test_no_cell_is_a_formula() -> None:
    given: list[Cell] = [
        '=HYPERLINK("x")',
        "+1",
        "-1",
        "@x",
        "\t=1",
        "\n=1",
        "\uff1d1",
        -1.5,
        'a"b,c\nd',
        "a;=1",
        "a; \xa0@b",
        "a\n-1\t+1",
        "=1;=2",
        "one-two; three = 3",
    ]
    file = io.BytesIO()
    writer = CsvWriter(file, Header(["a"], ["text"]))
    writer.add([cell] for cell in given)
    writer.end()
    text = file.getvalue().decode()
    cells = [row[0] for row in csv.reader(io.StringIO(text, newline=""))]
    assert cells == [
        "a",
        '\'=HYPERLINK("x")',
        *("'+1", "'-1", "'@x", "'\t'=1", "'\n'=1", "'\uff1d1"),
        "-1.5",
        'a"b,c\nd',
        *("a;'=1", "a;' \xa0@b", "a\n'-1\t'+1", "'=1;'=2", "one-two; three = 3"),
    ]


def test_a_spreadsheet_s_own_form_holds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing in it runs, is a link, or is cut without a mark."""
    monkeypatch.setattr(XlsxWriter, "SHEET_ROWS", 4)
    noon = datetime(2026, 1, 1, 12, 0, 0, 250_000, tzinfo=UTC)
    given: list[list[Cell]] = [
        ["=1+1", "{=1}", "http://example.org", "0012", "<b>&"],
        [True, 12, -1.5, noon, None],
        [2**53, 2**60, 1e300, "x" * 40_000, "\n"],
        ["a\x01b_x0041_", "", "é\U0001f600", False, 0],
    ]
    file = io.BytesIO()
    writer = XlsxWriter(file, Header(list("abcde"), ["text"] * 5))
    writer.add(given[:1])
    writer.add(given[1:])
    writer.end()
    book = load_workbook(file)
    sheets = [[list(row) for row in sheet.iter_rows(values_only=True)] for sheet in book]
    assert [len(sheet) for sheet in sheets] == [4, 2]
    assert sheets[0][0] == sheets[1][0] == list("abcde")
    assert sheets[0][1] == given[0]
    assert sheets[0][2] == [True, 12, -1.5, noon.replace(tzinfo=None), None]
    assert sheets[0][3] == [2**53, str(2**60), str(1e300), "x" * 32_766 + "…", "\n"]
    assert sheets[1][1][2:] == ["é\U0001f600", False, 0]
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n", "b", "d"}
    assert [cell for cell in cells if cell.hyperlink] == []
