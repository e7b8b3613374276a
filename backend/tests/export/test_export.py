"""The export: each vote beside the metrics of exactly the two recordings heard.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import hashlib
import io

from httpx import AsyncClient, Response

from tests.made_up import Participant, made_up_result, put_recordings, sign_in, study_definition
from thinlab.export.table import csv_text
from thinlab.recording.metric_columns import METRIC_COLUMNS, flatten
from thinlab.web.serve import load
from thinlab.web.services import Services


async def table(browser: AsyncClient, name: str) -> list[dict[str, str]]:
    """One of the researcher's CSV files, by row."""
    answer = await browser.get(f"/api/researcher/studies/demo/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(answer.text, newline=""), strict=True))


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

    rows = await table(browser, "export.csv")
    assert len(rows) == 9
    for row, (choice, first, second) in zip(rows, heard, strict=True):
        assert row["choice"] == choice
        assert (row["first_recording_sha256"], row["second_recording_sha256"]) == (first, second)
        for place in ("first", "second"):
            expected = flatten(made_up_result(row[f"{place}_recording_key"]))
            for column in METRIC_COLUMNS:
                assert float(row[f"{place}_{column.name}"]) == expected[column.name]
        assert row["build"] == "test-build"
        assert row["study_hash"]
        check_meaning(row)


def sha256(response: Response) -> str:
    """Of the file that was sent."""
    return hashlib.sha256(response.content).hexdigest()


def check_meaning(row: dict[str, str]) -> None:
    """What a choice means follows from the presentation."""
    if row["control"] == "true":
        assert row["first_recording"] == row["second_recording"]
        assert row["chosen_member"] == ""
        return
    assert row["pair"] == "plain/modified"
    conditions = ["plain", "modified"] if row["first_member"] == "a" else ["modified", "plain"]
    assert [row["first_condition"], row["second_condition"]] == conditions
    modes = {"plain": ("off", ""), "modified": ("linear_timeouts", "linear_timeouts")}
    for place, condition in zip(("first", "second"), conditions, strict=True):
        assert (row[f"{place}_mode"], row[f"{place}_mechanisms"]) == modes[condition]
    if row["choice"] == "no_difference":
        assert row["chosen_condition"] == row["chosen_member"] == ""
    else:
        assert row["chosen_condition"] == row[f"{row['choice']}_condition"]
        assert row["chosen_member"] == ("a" if row["chosen_condition"] == "plain" else "b")


async def test_the_codebook_tells_every_column(browser: AsyncClient, services: Services) -> None:
    await sign_in(browser, services)
    await (await Participant.join(browser)).take_all()
    rows = await table(browser, "export.csv")
    book = await table(browser, "codebook.csv")
    assert [entry["name"] for entry in book] == list(rows[0])
    assert len({entry["name"] for entry in book}) == len(book)
    for entry in book:
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
    rows = await table(browser, "export.csv")
    assert [row["study_hash"] for row in rows].count(rows[0]["study_hash"]) == 3
    assert len({row["study_hash"] for row in rows}) == 2


def test_no_cell_is_a_formula() -> None:
    text = csv_text(["a"], [['=HYPERLINK("x")'], ["+1"], ["-1"], ["@x"], [-1.5], ['a"b,c\nd']])
    cells = [row[0] for row in csv.reader(io.StringIO(text, newline=""))]
    assert cells == ["a", '\'=HYPERLINK("x")', "'+1", "'-1", "'@x", "-1.5", 'a"b,c\nd']
