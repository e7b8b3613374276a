"""`thinlab study …`: what it says, and how it ends.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
from pathlib import Path

import pytest
from httpx import AsyncClient
from typer.testing import CliRunner, Result

from tests.made_up import Participant, study_definition
from tests.study.study_files import CLIPS, DEMO, READY, SURVEY, earlier
from thinlab.cli import app
from thinlab.researcher import audit
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.file import read
from thinlab.trials.registry import KINDS
from thinlab.web.services import Services

REFUSED = 78
CCR = earlier("p800-ccr")


def study(*arguments: str | Path) -> Result:
    """Runs `thinlab study …`."""
    return CliRunner().invoke(app, ["study", *map(str, arguments)], catch_exceptions=False)


async def study_with(services: Services, *arguments: str | Path) -> Result:
    """The same, on this test's database."""
    url = services.database.engine.url.render_as_string(hide_password=False)

    def run() -> Result:
        runner = CliRunner(env={"THINLAB_DATABASE_URL": url})
        return runner.invoke(app, ["study", *map(str, arguments)], catch_exceptions=False)

    return await asyncio.to_thread(run)


def test_the_ready_studies_are_valid() -> None:
    done = study("validate", *READY)
    assert done.exit_code == 0
    assert done.stdout.count("trials, ") == len(READY)


def test_every_broken_file_is_told_and_the_others_too(tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text(DEMO.read_text().replace("clip: song", "clip: sonk"))
    done = study("validate", broken, tmp_path / "absent.yaml", DEMO)
    assert done.exit_code == 1
    assert "Did you mean `song`?" in done.stderr
    assert "absent.yaml:0: cannot be read: No such file" in done.stderr
    assert f"{DEMO}: 3 trials" in done.stdout


def test_what_a_study_would_find_where_there_is_nothing() -> None:
    done = study("simulate", CCR, "--studies", "40")
    assert done.exit_code == 0, done.stdout
    trials = next(line for line in done.stdout.splitlines() if "CMOS, one trial" in line)
    assert trials.split()[:1] == ["p800-ccr"]
    assert "320" in trials
    _, _, equivalences = done.stdout.partition("“No difference that matters” found")
    assert "CMOS, comparison (12 recordings)" in equivalences
    assert study("simulate", CCR, "--studies", "0").exit_code == 2


def test_a_plan_that_cannot_show_what_it_is_about_is_warned_of_and_valid() -> None:
    literal = SURVEY / "lcn2008-listening-literal.yaml"
    done = study("validate", literal, SURVEY / "p808-acr.yaml")
    assert done.exit_code == 0
    warnings = done.stderr.splitlines()
    assert [line.split(" has ")[0] for line in warnings] == [f"{literal}: warning: changes"]


def test_the_power_of_a_study_is_a_curve_over_participants_and_effects() -> None:
    options = ["--participants", "24", "--participants", "200", "--effect", "0.8"]
    typing = SURVEY / "lcn2008-typing-literal.yaml"
    done = study("power", typing, *options, "--studies", "200", "--seed", "3")
    assert done.exit_code == 0, done.output
    assert "session: modified against plain, 13 recordings, about other losses" in done.stdout
    (row,) = (line for line in done.stdout.splitlines() if line.strip().startswith("80 %"))
    few, many = (float(cell.split()[-1]) for cell in row.split("[")[:2])
    assert few < many
    assert "recordings by 0.7 in log odds (--recordings-differ 1)" in done.stdout
    assert "studies simulated in" in done.stdout


def test_power_is_refused_where_nothing_is_tested_or_cannot_be_shown() -> None:
    nothing = study("power", DEMO)
    assert nothing.exit_code == REFUSED
    assert "demo plans no test: name trials in `analysis`" in nothing.stderr
    impossible = study("power", CCR, "--effect", "3", "--studies", "10")
    assert impossible.exit_code == REFUSED
    assert "cannot show an effect of 3" in impossible.stderr


def test_the_power_of_hypotheses_is_told_for_each_and_for_all_together(tmp_path: Path) -> None:
    file = tmp_path / "looked.yaml"
    text = (SURVEY / "p800-ccr.yaml").read_text()
    looks = "  interim: { looks: [0.5] }\n  replaces_primary"
    file.write_text(text.replace("  replaces_primary", looks))
    done = study("power", file, "--participants", "48", "--studies", "8")
    assert done.exit_code == 0, done.output
    assert "1 hypothesis at 95 %; looks after 24, 48; 8 simulated studies each" in done.stdout
    assert "changes: modified against plain, 12 recordings, about other losses" in done.stdout
    assert done.stdout.count("none that matters") == 4
    assert "Stops before the end" in done.stdout
    assert "32 studies simulated in" in done.stdout
    refused = study("power", file, "--effect", "0.5")
    assert refused.exit_code == REFUSED
    assert "`--effect` is for `primary`" in refused.stderr


def test_a_curve_is_told_as_lines_for_the_server() -> None:
    definition = read(SURVEY / "p800-ccr.yaml", CLIPS, KINDS).model_dump_json()
    done = CliRunner().invoke(
        app, ["study", "power-curve", "--studies", "1"], input=definition, catch_exceptions=False
    )
    *progress, last = [json.loads(line) for line in done.stdout.splitlines()]
    shares = [line["share"] for line in progress]
    assert shares == sorted(shares)
    assert last["curve"]["tests"][0]["id"] == "changes"
    nothing = read(DEMO, CLIPS, KINDS).model_dump_json()
    done = CliRunner().invoke(app, ["study", "power-curve", "--studies", "1"], input=nothing)
    assert "plans no test" in json.loads(done.stdout)["problem"]


def test_the_schema_is_printed() -> None:
    assert json.loads(study("schema").stdout)["title"] == "StudyDefinition"


def test_a_preview_walks_through_a_study_in_order() -> None:
    done = study("preview", CCR)
    assert done.exit_code == 0
    steps = [
        "WELCOME",
        "CONSENT",
        "SOUND CHECK",
        "QUESTIONS before",
        "BLOCK practice",
        "BLOCK main",
    ]
    steps += ["QUESTIONS after", "THANKS", "ALLOCATION", "RECORDINGS: 61", "/s/p800-ccr?preview"]
    found = [done.stdout.index(step) for step in steps]
    assert found == sorted(found)
    assert "about 10 minutes, 14 trials" in done.stdout
    assert "main: 24 rows" in done.stdout


def test_a_preview_holds_every_text_of_its_language_and_none_of_the_other() -> None:
    words = " ".join(study("preview", CCR, "--language", "nb").stdout.split())
    assert "Mye dårligere" in words
    assert "Da er øvingen over" in words
    assert "Much Worse" not in words
    assert "That was the practice" not in words


def test_a_preview_says_where_a_stop_rule_leaves_no_balance(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(CCR.read_text().replace("stop: { completed: 48 }", "stop: { completed: 50 }"))
    assert "block main is not in balance then: 2 rows over" in study("preview", file).stdout


def test_a_preview_in_another_language_is_refused() -> None:
    done = study("preview", CCR, "--language", "sv")
    assert done.exit_code == REFUSED
    assert "offered in en, nb" in done.stderr


def test_freezing_without_a_running_thinlab_says_how_to_start_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("THINLAB_DATABASE_URL", raising=False)
    done = study("freeze", "demo", "--data", tmp_path)
    assert done.exit_code == REFUSED
    assert f"no Thinlab runs on {tmp_path}; start it with `make run`" in done.stderr


def test_a_database_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINLAB_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    done = study("freeze", "demo")
    assert done.exit_code == REFUSED
    assert "is Thinlab running?" in done.stderr


async def test_a_study_is_frozen_written_and_compared(
    services: Services, study: StoredStudy, tmp_path: Path
) -> None:
    document = tmp_path / "frozen.json"
    done = await study_with(services, "freeze", study.slug, "--out", document)
    assert done.exit_code == 0, done.output
    whole = json.loads(document.read_text())["hashes"]["whole"]
    assert whole in done.stdout
    assert (await study_with(services, "deviations", "demo")).stdout == "0 deviations\n"
    async with services.database.transaction() as session:
        await catalogue.load(session, study_definition(title="Changed"))
    for arguments in (["demo"], ["demo", "--against", document]):
        changed = await study_with(services, "deviations", *arguments)
        assert changed.exit_code == 1
        assert "texts: title" in changed.stdout
        assert "  frozen   Which one?\n  present  Changed\n" in changed.stdout


async def test_a_document_that_was_tampered_with_is_refused(
    services: Services, study: StoredStudy, tmp_path: Path
) -> None:
    document = tmp_path / "frozen.json"
    await study_with(services, "freeze", study.slug, "--out", document)
    document.write_text(document.read_text().replace("Which one?", "Which two?"))
    done = await study_with(services, "deviations", "demo", "--against", document)
    assert done.exit_code == REFUSED
    assert "its hashes are not those of its content" in done.stderr


async def test_a_study_without_recordings_or_freeze_is_refused_with_a_remedy(
    services: Services,
) -> None:
    done = await study_with(services, "freeze", "demo")
    assert done.exit_code == REFUSED
    assert "Press Record" in done.stderr
    done = await study_with(services, "deviations", "demo")
    assert done.exit_code == REFUSED
    assert "`thinlab study freeze demo` does it" in done.stderr


async def test_votes_are_said_in_sentences(
    services: Services, study: StoredStudy, browser: AsyncClient
) -> None:
    person = await Participant.join(browser)
    await person.take_all()
    told = await study_with(services, "analyse", study.slug)
    assert told.exit_code == 0, told.output
    assert "song: Too few votes (1 of 1 participant) to say" in told.stdout
    for _ in range(7):
        await (await Participant.join(browser)).take_all()
    told = await study_with(services, "analyse", study.slug)
    assert "song: modified was preferred to plain in" in told.stdout
    figures = await study_with(services, "analyse", study.slug, "--json")
    assert json.loads(figures.stdout)["participants_analysed"] == 8


async def test_votes_that_are_hidden_are_not_said(services: Services) -> None:
    async with services.database.transaction() as session:
        await catalogue.load(session, study_definition(votes_visible="when_stopped"))
    for words in (("analyse", "demo"), ("bundle", "demo", "/nowhere/demo")):
        hidden = await study_with(services, *words)
        assert hidden.exit_code == REFUSED
        assert "hidden until it is closed" in hidden.stderr


async def test_a_bundle_is_written_where_nothing_is(
    services: Services, browser: AsyncClient, study: StoredStudy, tmp_path: Path
) -> None:
    await (await Participant.join(browser)).take_all()
    folder = tmp_path / "bundle"
    told = await study_with(services, "bundle", study.slug, str(folder), "--author", "Ada")
    assert told.exit_code == 0, told.output
    assert "Ada" in (folder / "CITATION.cff").read_text()
    async with services.database.transaction() as session:
        (entry,) = await audit.entries(session, limit=1)
    assert (entry.act, entry.study) == (audit.Act.EXPORTED, study.slug)
    again = await study_with(services, "bundle", study.slug, str(folder))
    assert again.exit_code == REFUSED
    assert "is there already" in again.stderr


async def test_a_study_that_there_is_not_is_named(services: Services) -> None:
    for words in (("freeze",), ("deviations",), ("analyse",), ("bundle", "/nowhere/demo")):
        done = await study_with(services, words[0], "nowhere", *words[1:])
        assert done.exit_code == REFUSED
        assert "there is no study `nowhere`" in done.stderr
