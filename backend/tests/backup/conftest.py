"""An installation with votes of every kind, and an empty place beside it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio
from httpx import ASGITransport, AsyncClient
from sqlalchemy import insert, select

from tests.applications import app_over
from tests.backup.exports import all_exports
from tests.conftest import ORIGIN
from tests.made_up import (
    PASSWORD,
    Participant,
    put_recordings,
    sign_in,
    study_definition,
    typing_definition,
)
from tests.made_up_typing import join, take_all
from thinlab.backup import making, restoring
from thinlab.backup.place import Place
from thinlab.database.engine import Database
from thinlab.database.schema import Demo, DemoEvent, TypingSession
from thinlab.recording.store import RecordingStore
from thinlab.web.serve import load
from thinlab.web.services import Services

STUDIES = ("demo", "typing")


def url_of(database: Database) -> str:
    """For commands, which bring a driver of their own."""
    url = database.engine.url.set(drivername="postgresql")
    return url.render_as_string(hide_password=False)


@pytest.fixture
def place(services: Services, tmp_path: Path) -> Place:
    """Where the installation's files lie."""
    return Place(tmp_path, services.store.folder)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Place:
    """Where nothing is."""
    return Place(tmp_path / "elsewhere", tmp_path / "elsewhere-recordings")


def browser_over(services: Services) -> AsyncClient:
    """Somebody's browser before these services."""
    return AsyncClient(transport=ASGITransport(app_over(services)), base_url=ORIGIN)


@pytest_asyncio.fixture
async def researcher(services: Services, place: Place) -> AsyncIterator[AsyncClient]:
    """Signed in where people have heard and typed, one has withdrawn, and a demo has been."""
    await load(services.database, [study_definition(), typing_definition()])
    await put_recordings(services, "demo")
    async with browser_over(services) as browser:
        await sign_in(browser, services)
        await (await Participant.join(browser)).take_all("second")
        await (await Participant.join(browser)).open_trial()
        await take_all(services, await join(browser, services))
        await put_files(services, place)
        yield browser


async def put_files(services: Services, place: Place) -> None:
    """What sessions and a demo leave on the disk."""
    async with services.database.transaction() as session:
        for row in await session.scalars(select(TypingSession.id)):
            write(place.data / "typing" / str(row) / "screens.jsonl", f"screen of {row}\n")
        demo = Demo(title="Ours", settings={}, build="b")
        session.add(demo)
        await session.flush()
        event = {"take": 1, "at_ms": 1.5, "kind": "marked", "who": "presenter", "text": "Hm\t\\N\n"}
        await session.execute(
            insert(DemoEvent).values(demo_id=demo.id, number=1, lanes=[0], **event)
        )
        # A number that nobody has, as a demo that was deleted leaves it.
        session.add(gone := Demo(title="Gone", settings={}, build="b"))
        await session.flush()
        await session.delete(gone)
    write(place.data / "demos" / str(demo.id) / "feed" / "00000.ndjson.gz", "not packed")
    write(place.data / "tls" / "key.pem", "a key")
    write(place.data / "demos" / str(demo.id) / "take-1" / "lane-0-sender.pcapng", "")


def write(path: Path, content: str) -> None:
    """A file, and the folders that lead to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


async def exports_over(services: Services, database: Database, place: Place) -> dict[str, bytes]:
    """Every export of a restored installation, by the researcher's old password."""
    there = replace(services, database=database, store=RecordingStore(place.recordings))
    async with browser_over(there) as browser:
        signed_in = await browser.post("/api/researcher/session", json={"password": PASSWORD})
        assert signed_in.status_code in {200, 204}, signed_in.text
        return await all_exports(browser, STUDIES)


@dataclass(frozen=True)
class Backup:
    """An installation, the file that it is backed up to, and where that file is restored."""

    services: Services
    researcher: AsyncClient
    place: Place
    elsewhere: Place
    empty_database: Database
    file: Path

    async def make(self) -> making.Made:
        """Of all that the installation has."""
        return await making.make(url_of(self.services.database), self.place, self.file)

    async def restore(self, database: Database | None = None) -> None:
        """Elsewhere, into the empty database or this one."""
        checked = restoring.check(self.file, self.elsewhere)
        await restoring.restore(checked, url_of(database or self.empty_database))

    async def exports(self) -> dict[str, bytes]:
        """Of the installation."""
        return await all_exports(self.researcher, STUDIES)

    async def restored_exports(self) -> dict[str, bytes]:
        """Of what was restored."""
        return await exports_over(self.services, self.empty_database, self.elsewhere)


@pytest.fixture
def backup(
    services: Services,
    researcher: AsyncClient,
    place: Place,
    elsewhere: Place,
    empty_database: Database,
    tmp_path: Path,
) -> Backup:
    """Not made yet."""
    file = tmp_path / "kept.tar.zst"
    return Backup(services, researcher, place, elsewhere, empty_database, file)
