"""What tests stand on: one embedded PostgreSQL, a fresh database a test, a study ready to hear.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from tests.made_up import made_up_clips, put_recordings, study_definition
from thinlab.database.engine import Database, ensure_database
from thinlab.lab.agent import Agent
from thinlab.recording.recorder import Recorder
from thinlab.recording.store import RecordingStore
from thinlab.running import embedded_postgres
from thinlab.running.embedded_postgres import EmbeddedPostgres
from thinlab.settings import Settings
from thinlab.study.catalogue import StoredStudy
from thinlab.web.app import make_app
from thinlab.web.serve import load
from thinlab.web.services import Services

ORIGIN = "http://thinlab.test"


@pytest.fixture(scope="session")
def data_folder() -> Iterator[Path]:
    """A folder that PostgreSQL's own user can enter; pytest's are closed to it."""
    folder = Path(tempfile.mkdtemp(prefix="thinlab-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest_asyncio.fixture(scope="session")
async def postgres(data_folder: Path) -> AsyncIterator[EmbeddedPostgres]:
    """A running server of our own."""
    settings = Settings.read({"THINLAB_DATA": str(data_folder)})
    server = embedded_postgres.prepare(settings)
    with (data_folder / "postgres.log").open("wb") as log:
        # Tests that kill the server bring one of their own that syncs.
        command = [*server.command(), "-c", "fsync=off"]
        process = subprocess.Popen(command, cwd="/", stderr=log)
        try:
            await _up(server, process)
            yield server
        finally:
            process.terminate()
            process.wait(20)


async def _up(server: EmbeddedPostgres, process: subprocess.Popen[bytes]) -> None:
    async with asyncio.timeout(60):
        while True:
            assert process.poll() is None, "PostgreSQL ended before it was up"
            try:
                await ensure_database(server.url)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(0.05)
            else:
                return


@pytest_asyncio.fixture
async def database_url(postgres: EmbeddedPostgres) -> AsyncIterator[str]:
    """The address of an empty database that only this test has."""
    name = f"test_{uuid.uuid4().hex}"
    owner = await asyncpg.connect(
        host=str(postgres.sockets), user=postgres.user, database="postgres"
    )
    await owner.execute(f"create database {name}")
    yield f"postgresql://{postgres.user}@/{name}?host={postgres.sockets}"
    await owner.execute(f"drop database {name} with (force)")
    await owner.close()


@pytest_asyncio.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A connection pool on this test's database, tables not made yet."""
    database = Database(database_url)
    yield database
    await database.close()


@pytest.fixture
def store(tmp_path: Path) -> RecordingStore:
    """An empty store."""
    return RecordingStore(tmp_path / "recordings")


@pytest_asyncio.fixture
async def services(
    database: Database, store: RecordingStore, tmp_path: Path
) -> AsyncIterator[Services]:
    """Services over a loaded demo-like study without recordings; no agent answers."""
    await load(database, [study_definition()])
    clips = made_up_clips(tmp_path)
    agent = Agent("unix:/nonexistent/lab.sock")
    recorder = Recorder(database, agent, clips, store)
    yield Services(database, store, clips, recorder, build="test-build")
    await recorder.close()
    await agent.close()


@pytest_asyncio.fixture
async def study(services: Services) -> StoredStudy:
    """The study, with a made-up recording for every member."""
    return await put_recordings(services, "demo")


@pytest.fixture
def app(services: Services, study: StoredStudy) -> FastAPI:
    """The application over the ready study."""
    assert study.slug == "demo"
    return make_app(services, None)


@pytest_asyncio.fixture
async def browser(app: FastAPI) -> AsyncIterator[AsyncClient]:
    """Somebody's browser."""
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as client:
        yield client
