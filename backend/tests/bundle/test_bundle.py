"""A bundle: a valid dataset without secrets, whose analysis finds what the page shows.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import select, update
from sqlalchemy.exc import DBAPIError

from tests import made_up_typing
from tests.bundle import psych_ds_rules, simulated_votes
from tests.bundle.simulated_votes import SimulatedStudy
from tests.made_up import typing_definition
from thinlab.bundle import making
from thinlab.bundle.folder import FolderError
from thinlab.bundle.making import Kinds, Wanted
from thinlab.database.engine import Transactions
from thinlab.database.schema import (
    ExclusionEntry,
    Participant,
    Presentation,
    QuestionnaireAnswer,
    Vote,
)
from thinlab.export import rows as export_rows
from thinlab.export.entry import VoteEntry
from thinlab.recording.store import StoreError
from thinlab.study import catalogue
from thinlab.study import freeze as freezing
from thinlab.study.catalogue import StoredStudy
from thinlab.trials.registry import KINDS
from thinlab.web.services import Services

PLAIN = Wanted(audio=None, words=False, authors=("Ada Lovelace",), licence="CC-BY-4.0")
NUMBERS = (
    "value", "low", "high", "p_value", "p_adjusted", "these_low", "these_high", "these_p",
)  # fmt: skip
COUNTS = ("votes", "participants", "recordings")
# Where the model is the same, so is the number.
APART = 1e-4

Figure = dict[str, float | None]


async def bundled(
    services: Services, study: StoredStudy, target: Path, wanted: Wanted = PLAIN
) -> Path:
    """Makes a bundle of a stored study."""
    count = await making.make(
        target, services.database, study, Kinds(KINDS, KINDS), services.clips.manifest, wanted
    )
    assert count == len(everything(target))
    return target


def everything(folder: Path) -> list[Path]:
    """Its files."""
    return [one for one in folder.rglob("*") if one.is_file()]


def figures(file: Path) -> dict[tuple[str, ...], Figure]:
    """By what they are about."""
    found: dict[tuple[str, ...], Figure] = {}
    for row in rows(file):
        key = tuple(
            str(int(float(row[name]))) if name == "run" and row[name] else row[name]
            for name in ("finding", "block", "subject", "run", "estimate")
        )
        assert key not in found
        found[key] = {name: float(row[name]) if row[name] else None for name in (*NUMBERS, *COUNTS)}
    return found


def rows(file: Path) -> list[dict[str, str]]:
    """Of a CSV file."""
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, strict=True))


def run(*command: str | Path) -> str:
    """What a program says that ends well."""
    told = subprocess.run(command, capture_output=True, check=False, text=True, timeout=600)
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


def in_r(folder: Path) -> Path:
    """Runs the script in R, from somewhere else."""
    run("Rscript", "--vanilla", folder / "analysis" / "analysis.R")
    return folder / "results" / "figures_r.csv"


def in_python(folder: Path) -> Path:
    """Runs the notebook as a reader would."""
    jupyter = Path(sys.executable).with_name("jupyter-execute")
    run(jupyter, folder / "analysis" / "analysis.ipynb")
    return folder / "results" / "figures_python.csv"


@pytest.mark.processes
@pytest.mark.parametrize("analysed", [in_r, in_python], ids=["R", "Python"])
@pytest.mark.parametrize(
    "made",
    [
        simulated_votes.preference,
        simulated_votes.ccr,
        simulated_votes.acr,
        simulated_votes.dcr,
        simulated_votes.abx,
        simulated_votes.adaptive,
        simulated_votes.mushra,
        simulated_votes.weighed,
    ],
    ids=["preference", "ccr", "acr", "dcr", "abx", "adaptive", "mushra", "weighed"],
)
async def test_the_files_alone_give_every_number_of_the_page(
    services: Services,
    tmp_path: Path,
    made: Callable[[], SimulatedStudy],
    analysed: Callable[[Path], Path],
) -> None:
    study = await simulated_votes.put(services, made())
    folder = await bundled(services, study, tmp_path / "bundle")
    assert found_again(folder, analysed) > 30


def found_again(folder: Path, analysed: Callable[[Path], Path]) -> int:
    """Compares with what an analysis finds that cannot read the page's numbers; how many."""
    file = folder / "results" / "figures_page.csv"
    page = figures(file)
    file.write_text("finding,block,subject,run,estimate," + ",".join(NUMBERS) + "\n")
    found = figures(analysed(folder))
    assert found.keys() == page.keys()
    for key, figure in page.items():
        for name in NUMBERS:
            ours, theirs = figure[name], found[key][name]
            assert (ours is None) == (theirs is None), (key, name, ours, theirs)
            if ours is not None and theirs is not None:
                assert theirs == pytest.approx(ours, abs=APART, rel=APART), (key, name)
        for name in COUNTS:
            assert found[key][name] == figure[name], (key, name)
    return len(page)


@pytest.mark.processes
async def test_of_a_typing_study_too(
    services: Services, browser: AsyncClient, tmp_path: Path
) -> None:
    async with services.database.transaction() as session:
        study = await catalogue.load(session, typing_definition())
    for choice in ("first", "second", "second", "no_difference", "first"):
        typist = await made_up_typing.join(browser, services)
        await made_up_typing.take_all(services, typist, choice)
    folder = await bundled(services, study, tmp_path / "bundle")
    assert list(psych_ds_rules.faults(folder)) == []
    tables = {file.name.split("-")[-1] for file in (folder / "data").glob("*.csv")}
    assert tables == {
        f"{name}_data.csv"
        for name in ("votes", "tidy", "journal", "participants", "typingsessions", "keystrokes")
    }
    keys = rows(next((folder / "data").glob("*-keystrokes_data.csv")))
    assert keys
    assert "data" not in keys[0]
    assert found_again(folder, in_r) > 10


def test_the_comparison_sees_what_differs(tmp_path: Path) -> None:
    # Else the test above could not fail.
    one = tmp_path / "one.csv"
    names = ["finding", "block", "subject", "run", "estimate", *NUMBERS, *COUNTS]
    cells = ["trial", "main", "one", "", "share", "0.5", *[""] * 10]
    one.write_text(",".join(names) + "\n" + ",".join(cells) + "\n")
    (figure,) = figures(one).values()
    assert figure["value"] == 0.5
    assert figure["value"] != pytest.approx(0.5002, abs=APART, rel=APART)


@pytest.fixture
async def voted(services: Services) -> StoredStudy:
    """Of preference."""
    return await simulated_votes.put(services, simulated_votes.preference())


async def test_it_is_a_valid_dataset(
    services: Services, voted: StoredStudy, tmp_path: Path
) -> None:
    folder = await bundled(services, voted, tmp_path / "bundle")
    assert list(psych_ds_rules.faults(folder)) == []
    described = json.loads((folder / "dataset_description.json").read_text())
    assert described["license"] == "CC-BY-4.0"
    assert described["author"] == [{"@type": "Person", "name": "Ada Lovelace"}]
    # The rules can find something.
    (folder / "data" / "Votes.csv").write_text("unheard_of\n1,2\n")
    found = list(psych_ds_rules.faults(folder))
    assert "Votes.csv: not named by keywords" in found
    assert "Votes.csv: unheard_of is not described" in found
    assert "Votes.csv: rows of another length than the header" in found


async def test_the_codebook_tells_every_column(
    services: Services, voted: StoredStudy, tmp_path: Path
) -> None:
    folder = await bundled(services, voted, tmp_path / "bundle")
    book = rows(folder / "documentation" / "codebook.csv")
    for file in sorted((folder / "data").glob("*.csv")):
        table = file.name.split("description-")[1].removesuffix("_data.csv")
        told = [entry["name"] for entry in book if entry["table"] == table]
        with file.open(newline="") as lines:
            assert next(csv.reader(lines)) == told, file.name


async def test_no_secret_is_in_it(services: Services, voted: StoredStudy, tmp_path: Path) -> None:
    async with services.database.transaction() as session:
        people = list(await session.scalars(select(Participant)))
        session.add_all(
            QuestionnaireAnswer(
                participant_id=person.id, question_id="words", answer=f"mail me@{person.id}.example"
            )
            for person in people
        )
        session.add(
            ExclusionEntry(
                participant_id=people[5].id, excluded=True, reason="Wrote from bo@b.example."
            )
        )
        shown = list(await session.scalars(select(Presentation)))
        votes = list(await session.scalars(select(Vote)))
    secrets = [
        *(str(person.join_key) for person in people),
        *(
            hashed.hex()
            for one in people
            for hashed in (one.token_hash, one.withdraw_hash)
            if hashed
        ),
        *(person.completion_code for person in people if person.completion_code),
        *(token for one in shown for token in (one.trial_token, one.first_token, one.second_token)),
        *(str(vote.vote_key) for vote in votes),
        ".example",
    ]
    folder = await bundled(services, voted, tmp_path / "bundle")
    content = b"\n".join(one.read_bytes() for one in everything(folder))
    assert people[5].pseudonym.encode() in content
    assert len(secrets) > 1000
    assert [secret for secret in secrets if secret and secret.encode() in content] == []

    # Only what was asked for, and nothing else, is what they wrote.
    wordy = await bundled(
        services, voted, tmp_path / "wordy", Wanted(None, words=True, authors=(), licence=None)
    )
    content = b"\n".join(one.read_bytes() for one in everything(wordy))
    assert {secret for secret in secrets if secret and secret.encode() in content} == {".example"}


async def test_the_plan_is_there_as_it_was_frozen(
    services: Services, voted: StoredStudy, tmp_path: Path
) -> None:
    async with services.database.transaction() as session:
        frozen = await freezing.freeze(session, voted.slug, "Registered.")
    folder = await bundled(services, voted, tmp_path / "bundle")
    document = json.loads((folder / "documentation" / "frozen_plan.json").read_text())
    assert document == frozen.document.model_dump(mode="json")
    told = json.loads((folder / "documentation" / "frozen.json").read_text())
    assert told["hashes"]["whole"] == frozen.document.hashes.whole
    assert told["deviations"] == []
    assert frozen.document.hashes.whole in (folder / "README.md").read_text()


async def test_recordings_are_in_it_where_they_are_wanted(
    services: Services, voted: StoredStudy, tmp_path: Path
) -> None:
    wanted = Wanted(services.store, words=False, authors=(), licence=None)
    folder = await bundled(services, voted, tmp_path / "bundle", wanted)
    files = sorted((folder / "materials" / "recordings").iterdir())
    assert [hashlib.sha256(one.read_bytes()).hexdigest() for one in files] == [
        one.stem for one in files
    ]
    tidy = rows(next((folder / "data").glob("*-tidy_data.csv")))
    assert {row["content"] for row in tidy} == {one.stem for one in files}
    licence = (folder / "LICENSE.txt").read_text()
    assert "Made up" in licence
    assert "a woman, en, −26 dBov active speech level (ITU-T P.56)" in licence


async def test_a_recording_that_is_gone_leaves_nothing_behind(
    services: Services, voted: StoredStudy, tmp_path: Path
) -> None:
    wanted = Wanted(services.store, words=False, authors=(), licence=None)
    some = next(services.store.folder.glob("*/recording.wav"))
    some.unlink()
    place = tmp_path / "place"
    place.mkdir()
    with pytest.raises(StoreError, match="recorded again"):
        await bundled(services, voted, place / "bundle", wanted)
    assert list(place.iterdir()) == []


async def test_a_folder_that_is_there_is_refused(
    services: Services, voted: StoredStudy, tmp_path: Path
) -> None:
    (tmp_path / "bundle").mkdir()
    with pytest.raises(FolderError, match="Name a folder that is not there yet"):
        await bundled(services, voted, tmp_path / "bundle")
    assert list((tmp_path / "bundle").iterdir()) == []


async def test_all_of_it_is_of_one_moment(services: Services, voted: StoredStudy) -> None:
    async with services.database.snapshot() as moment:
        before = [one.vote.id for lot in await votes_of(moment, voted) for one in lot]
        async with services.database.transaction() as session:
            person = await session.get_one(Participant, 1)
            person.language = "nb"
        after = [one for lot in await votes_of(moment, voted) for one in lot]
        assert [one.vote.id for one in after] == before
        assert {one.attendance.participant.language for one in after} == {"en"}
        async with moment.transaction() as session:
            with pytest.raises(DBAPIError, match="read-only"):
                await session.execute(update(Participant).values(language="nn"))


async def votes_of(moment: Transactions, study: StoredStudy) -> list[list[VoteEntry]]:
    """In small lots."""
    return [lot async for lot in export_rows.votes(moment, study, KINDS, at_once=50)]


async def test_votes_that_do_not_count_say_why(
    services: Services, voted: StoredStudy, tmp_path: Path
) -> None:
    folder = await bundled(services, voted, tmp_path / "bundle")
    tidy = rows(next((folder / "data").glob("*-tidy_data.csv")))
    found = {row["left_out"] for row in tidy}
    assert found == {"", "preview", "unfinished", "training"}
    counted: dict[str, Any] = {
        row["vote"]: row for row in tidy if not row["left_out"] and row["trial"] == "two"
    }
    same = {row["run"] for row in counted.values() if row["same_bytes"] == "true"}
    assert same == {"2"}
