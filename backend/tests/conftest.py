"""What tests stand on: one embedded PostgreSQL, a fresh database a test, a study ready to hear.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import gc
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import asyncpg
import hypothesis
import pytest
import pytest_asyncio
from argon2 import PasswordHasher
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from tests.applications import app_over, take_back
from tests.made_up import made_up_clips, put_recordings, study_definition
from tests.spare_databases import SpareDatabases, address_of
from thinlab.database.engine import Database, ensure_database
from thinlab.database.upgrade import upgrade
from thinlab.demo.demos import Demos
from thinlab.demo.store import DemoStore
from thinlab.lab.live_hosts import LiveHosts
from thinlab.live.pulse import Pulse
from thinlab.live.service import Live
from thinlab.live.store import TypingStore
from thinlab.recording.store import RecordingStore
from thinlab.recording.supervisor import RecorderSupervisor
from thinlab.running import embedded_postgres
from thinlab.running.embedded_postgres import EmbeddedPostgres
from thinlab.settings import Settings
from thinlab.study.catalogue import StoredStudy
from thinlab.trials.registry import KINDS
from thinlab.trials.typing.desk import StudyDesk
from thinlab.web import throttle
from thinlab.web.serve import load
from thinlab.web.services import Services

ORIGIN = "http://thinlab.test"
PATIENCE_S = 120.0
# Two workers were seen to hold half a gigabyte; a container's /dev/shm often has 64 MB in all.
MEMORY_NEEDED_BYTES = 4_000_000_000
# A collector's turn, by default after 700 objects, took a tenth of the processor's time.
RUBBISH_THRESHOLDS = (20_000, 10, 10)
# Fixtures that start a server or a host, now or when a test asks them to.
MACHINERY = frozenset({"data_folder", "instance"})
STARTS = frozenset({"subprocess.Popen", "os.posix_spawn", "os.fork", "os.exec"})


# Who runs behind others is late without a fault.
hypothesis.settings.register_profile("thinlab", deadline=None)
hypothesis.settings.load_profile("thinlab")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the unit tests, which `make check` runs: those that compute briefly, in one process."""
    for item in items:
        fixtures = MACHINERY.intersection(getattr(item, "fixturenames", ()))
        told = any(item.get_closest_marker(name) for name in ("alone", "processes", "long"))
        if not fixtures and not told:
            item.add_marker("unit")


class _UnitTests:
    """Keeps them to that."""

    def __init__(self) -> None:
        self.running = False
        sys.addaudithook(self._audit)

    def _audit(self, event: str, _: tuple[object, ...]) -> None:
        if self.running and event in STARTS:
            raise AssertionError(f"A unit test starts no process ({event}): mark it `processes`.")


_unit_tests = _UnitTests()


@pytest.fixture(autouse=True)
def _stays_in_its_process(request: pytest.FixtureRequest) -> Iterator[None]:
    _unit_tests.running = request.node.get_closest_marker("unit") is not None
    yield
    _unit_tests.running = False


@pytest.fixture(scope="session", autouse=True)
def _what_no_test_is_about(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Costs processor time at each turn, and would find no fault."""
    with pytest.MonkeyPatch.context() as patched:
        # A password is hard to guess because hashing it takes a quarter of a second.
        quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patched.setattr("thinlab.researcher.account._hasher", quick)
        # Who asks too often is told so after a moment.
        patched.setattr("thinlab.web.admission.TELLING_PAUSE_S", 0)
        # A page that is told to come again does; tests' clients do not, and share the processors.
        for name in ("REQUESTS", "JOINING"):
            room = replace(getattr(throttle, name), patience_s=PATIENCE_S)
            patched.setattr(throttle, name, room)
        # Nobody here speaks TLS: each client would read all certificates of the web before, 50 ms
        # of a processor. A file, where one is set, comes before the folder.
        patched.setenv("SSL_CERT_DIR", str(tmp_path_factory.mktemp("no-certificates")))
        patched.delenv("SSL_CERT_FILE", raising=False)
        # No test takes the power away: those that kill processes lose nothing of what was written.
        patched.setattr("os.fsync", lambda _: None)
        # What was imported stays: a full collection need not look through it.
        gc.collect()
        gc.freeze()
        # Nor does a test last so long that its rubbish needs to be looked for at every turn.
        gc.set_threshold(*RUBBISH_THRESHOLDS)
        yield


@pytest.fixture(autouse=True)
def _applications() -> Iterator[None]:
    """Those that a test was lent go back."""
    yield
    take_back()


def _quick_disk() -> Path | None:
    """Memory, where there is enough: a database for each test is many hundred thousand files."""
    memory = Path("/dev/shm")  # noqa: S108 (as a folder for temporary files)
    there = memory.is_dir() and shutil.disk_usage(memory).free > MEMORY_NEEDED_BYTES
    return memory if there else None


@pytest.fixture(scope="session")
def data_folder() -> Iterator[Path]:
    """A folder that PostgreSQL's own user can enter; pytest's are closed to it."""
    folder = Path(tempfile.mkdtemp(prefix="thinlab-test-", dir=_quick_disk()))
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
        command = [*server.command(), "-c", "fsync=off", "-c", "max_wal_size=128MB"]
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
                await ensure_database(server.owner_url)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(0.05)
            else:
                return


@pytest_asyncio.fixture(scope="session")
async def template(postgres: EmbeddedPostgres) -> str:
    """Name of a database that holds the tables and the made-up study; copied for each test."""
    name = "template_for_tests"
    owner, application = (address_of(of, name) for of in (postgres.owner_url, postgres.url))
    await upgrade(owner, application)
    database = Database(application)
    await load(database, [study_definition()])
    await database.close()
    return name


@pytest_asyncio.fixture(scope="session")
async def databases(postgres: EmbeddedPostgres, template: str) -> AsyncIterator[SpareDatabases]:
    """Where tests get theirs."""
    databases = SpareDatabases(postgres, template)
    yield databases
    await databases.close()


@pytest_asyncio.fixture
async def empty_database(postgres: EmbeddedPostgres) -> AsyncIterator[Database]:
    """A database without tables, as its owner."""
    databases = SpareDatabases(postgres, "template0", owner=True)
    async with databases.one() as url:
        database = Database(url)
        yield database
        await database.close()
    await databases.close()


@pytest_asyncio.fixture
async def database(databases: SpareDatabases) -> AsyncIterator[Database]:
    """A database of this test's own, with the study and no participants."""
    async with databases.one() as url:
        database = Database(url)
        yield database
        await database.close()


@pytest.fixture
def store(tmp_path: Path) -> RecordingStore:
    """An empty store."""
    return RecordingStore(tmp_path / "recordings")


class HostsThere(LiveHosts):
    """A pool that is asked for nothing but whether there is one."""

    @property
    def problem(self) -> str | None:
        """None."""
        return None


@pytest.fixture
def services(database: Database, store: RecordingStore, tmp_path: Path) -> Services:
    """Services over the study, which has no recordings yet; nobody makes any."""
    clips = made_up_clips(tmp_path)
    recorder = RecorderSupervisor(database)
    hosts, typing_store = HostsThere(()), TypingStore(tmp_path / "typing")
    # The machine may have other tests to run.
    pulse = Pulse(limit_ms=60_000)
    live = Live(StudyDesk(database, hosts, typing_store, KINDS, pulse), hosts, typing_store, pulse)
    demos = Demos(database, hosts, clips, DemoStore(tmp_path / "demos"), "test-build")
    return Services(
        database=database,
        store=store,
        clips=clips,
        recorder=recorder,
        live=live,
        demos=demos,
        build="test-build",
        listening=False,
    )


@pytest_asyncio.fixture
async def study(services: Services) -> StoredStudy:
    """The study, with a made-up recording for every member."""
    return await put_recordings(services, "demo")


@pytest.fixture
def app(services: Services, study: StoredStudy) -> FastAPI:
    """The application over the ready study."""
    assert study.slug == "demo"
    return app_over(services)


@pytest_asyncio.fixture
async def browser(app: FastAPI) -> AsyncIterator[AsyncClient]:
    """Somebody's browser."""
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as client:
        yield client
