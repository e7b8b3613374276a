"""Databases of the versions before, as they were: each is brought up to date and taken home.

What a new version adds to an export is its business; what an older one told stays as it was.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import text

from tests.backup.conftest import STUDIES, browser_over, url_of
from tests.backup.conftest import place as place  # noqa: PLC0414 - fixtures
from tests.backup.conftest import researcher as researcher  # noqa: PLC0414
from tests.database.keep_version import KEPT, WRITE
from tests.made_up import PASSWORD
from thinlab.backup import making, restoring
from thinlab.backup.place import Place
from thinlab.database.engine import Database
from thinlab.database.migrations import migrate, newest
from thinlab.running.embedded_postgres import EmbeddedPostgres
from thinlab.web.services import Services

TABLES = ("export", "participants", "typing-sessions", "keystrokes")
# Another in each dump, and what only `psql` understands.
FLEETING = re.compile(
    r"^(\\(un)?restrict .*|-- Dumped .*|SET transaction_timeout.*)\n", re.MULTILINE
)
VERSIONS = sorted(KEPT.glob("*.sql"))

Taken = dict[str, list[dict[str, Any]]]


async def taken_home(browser: AsyncClient) -> Taken:
    found = {}
    for study in STUDIES:
        for table in TABLES:
            path = f"/api/researcher/studies/{study}/{table}.json"
            found[f"{study}/{table}"] = (await browser.get(path)).raise_for_status().json()
    return found


@pytest.mark.skipif(WRITE not in os.environ, reason="tests/database/keep_version.py asks for it")
async def test_this_version_is_kept(
    services: Services, researcher: AsyncClient, postgres: EmbeddedPostgres
) -> None:
    taken = await taken_home(researcher)
    command = [str(postgres.binaries / "pg_dump"), "--no-owner", "--no-privileges", "--inserts"]
    dumped = subprocess.run(
        [*command, url_of(services.database)], check=True, capture_output=True, text=True
    )
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{newest()}.sql").write_text(FLEETING.sub("", dumped.stdout))
    lines = [f'"{name}": {json.dumps(rows, ensure_ascii=False)}' for name, rows in taken.items()]
    (KEPT / f"{newest()}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


async def filled(database: Database, version: Path, postgres: EmbeddedPostgres) -> None:
    command = [str(postgres.binaries / "psql"), "--quiet", "--set=ON_ERROR_STOP=1", "--no-psqlrc"]
    subprocess.run(
        [*command, f"--file={version}", url_of(database)], check=True, stdout=subprocess.DEVNULL
    )


async def compare(services: Services, database: Database, version: Path) -> None:
    before: Taken = json.loads(version.with_suffix(".json").read_text())
    async with browser_over(replace(services, database=database)) as browser:
        signed_in = await browser.post("/api/researcher/session", json={"password": PASSWORD})
        assert signed_in.status_code in {200, 204}, signed_in.text
        now = await taken_home(browser)
    for name, rows in before.items():
        told = [
            {column: row.get(column) for column in old}
            for old, row in zip(rows, now[name], strict=True)
        ]
        assert told == [mended(row) for row in rows], name


def mended(row: dict[str, Any]) -> dict[str, Any]:
    """A row of an older export, without what it said wrongly.

    Up to 0007 a control's rows named the condition that was preferred to itself, and up to 0017
    votes on what was typed said that nothing was switched, and what was played first.
    """
    wrong = {"chosen_condition", "chosen_mode"} if row.get("control") else set()
    if row.get("medium") == "typed":
        wrong |= {"switches", "played_first"}
    return {column: None if column in wrong else value for column, value in row.items()}


@pytest.mark.parametrize("version", VERSIONS, ids=[one.stem for one in VERSIONS])
async def test_a_database_of_a_version_before_tells_what_it_told(
    services: Services, empty_database: Database, postgres: EmbeddedPostgres, version: Path
) -> None:
    await filled(empty_database, version, postgres)
    await migrate(empty_database)
    async with empty_database.transaction() as session:
        assert await session.scalar(text("select version_num from alembic_version")) == newest()
    await compare(services, empty_database, version)


async def test_a_backup_of_a_version_before_is_upgraded_as_it_is_restored(
    services: Services, empty_database: Database, postgres: EmbeddedPostgres, tmp_path: Path
) -> None:
    version = VERSIONS[0]
    await filled(empty_database, version, postgres)
    file = tmp_path / "old.tar.zst"
    old = Place(tmp_path / "old", tmp_path / "old-recordings")
    made = await making.make(url_of(empty_database), old, file)
    # Its files were not kept, and are missed.
    assert [name for name in made.seal.missing if name.startswith("recordings/")]
    url = f"{url_of(empty_database).replace(str(empty_database.engine.url.database), 'restored')}"
    place = Place(tmp_path / "new", tmp_path / "new-recordings")
    assert restoring.check(file, place).contents.schema_version == version.stem
    await restoring.restore(restoring.check(file, place), url)
    restored = Database(url)
    await compare(services, restored, version)
    await restored.close()
