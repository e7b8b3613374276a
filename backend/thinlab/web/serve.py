"""The web server's process: database up to date, studies loaded, recordings made, routes open.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import contextlib
import gc
import hashlib
import json
import logging
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from thinlab import __version__
from thinlab.database.engine import Database, ensure_database
from thinlab.database.migrations import migrate
from thinlab.demo.demos import Demos
from thinlab.demo.shelf import DemoShelf
from thinlab.lab.live_hosts import LiveHosts
from thinlab.live.desk import Desk
from thinlab.live.service import Live
from thinlab.live.shelf import TypingShelf
from thinlab.live.study_desk import StudyDesk
from thinlab.live.transport import FRAME_LIMIT_BYTES
from thinlab.recording import at_start
from thinlab.recording.clips import Clips
from thinlab.recording.keeper import RecorderKeeper
from thinlab.recording.store import RecordingStore
from thinlab.researcher import account
from thinlab.settings import SettingError, Settings
from thinlab.study import catalogue, withdrawal
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.study.file import read_all
from thinlab.web.app import make_app
from thinlab.web.demo_deflate import Sockets
from thinlab.web.presenter_key import PresenterKey
from thinlab.web.problems import is_database_loss
from thinlab.web.services import Services

log = logging.getLogger(__name__)

Tell = Callable[[dict[str, Any]], None]
DATABASE_PATIENCE_S = 60.0
RETENTION_LOOK_S = 3600.0
THREAD_TURN_S = 0.000_5


@dataclass(frozen=True)
class Listening:
    """Where the server listens."""

    host: str
    port: int


def teller(status_fd: int | None) -> Tell:
    """Writes events as JSON lines to whoever started us; to nobody without a descriptor."""
    if status_fd is None:
        return lambda _: None

    def tell(event: dict[str, Any]) -> None:
        # Whoever listened may be gone: that is not our fault to die of.
        with contextlib.suppress(OSError):
            os.write(status_fd, json.dumps(event).encode() + b"\n")

    return tell


def build_of(pages: Path | None) -> str:
    """Version and content hash of the code and pages that take the votes."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    files = sorted(package.rglob("*.py"))
    if pages is not None:
        files += sorted(path for path in pages.rglob("*") if path.is_file())
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:16]}"


def _presenter_key(settings: Settings) -> PresenterKey:
    """The one that `thinlab run` has printed, also after this process was started again."""
    return PresenterKey(settings.presenter) if settings.presenter else PresenterKey()


def _as_it_is(desk: Desk) -> Desk:
    return desk


async def serve(
    settings: Settings,
    listening: Listening,
    tell: Tell,
    around: Callable[[Desk], Desk] = _as_it_is,
) -> None:
    """Runs until a signal. Raises `SettingError`, `ClipError`, `StudyFileError` at start.

    `around`: what a bench puts before the desk of typing sessions.
    """
    if settings.database_url is None:
        raise SettingError("THINLAB_DATABASE_URL is not set; `thinlab run` brings its own database")
    if settings.lab is None and settings.scheduler is None:
        raise SettingError(
            "THINLAB_LAB is not set; give the address of a lab-agent, or set "
            "THINLAB_DASK_SCHEDULER to that of a Dask scheduler whose workers have one each"
        )
    clips = Clips.open(settings.manifest, settings.need("clips"))
    definitions = read_all(settings.survey, clips.manifest)
    database = Database(settings.database_url)
    store = RecordingStore(settings.recordings)
    recorder = RecorderKeeper(database, tell, predictions=settings.predictions)
    beside: list[asyncio.Task[None]] = []
    hosts, shelf = LiveHosts(settings.live_lab), TypingShelf(settings.data / "typing")
    desk = StudyDesk(database, hosts, shelf)
    live = Live(around(desk), hosts, shelf)
    build = build_of(settings.pages)
    demos = Demos(database, hosts, clips, DemoShelf(settings.data / "demos"), build)
    services = Services(
        database,
        store,
        clips,
        recorder,
        live,
        demos,
        build,
        settings.agent,
        public_address=settings.public_address,
        presenter=_presenter_key(settings),
    )
    try:
        await _database_up(database, settings.database_url)
        studies = await load(database, definitions)
        await desk.prepare()
        await demos.prepare()
        async with database.transaction() as session:
            setup_token = await account.setup_token(session)
            unrecorded = [
                study.slug
                for study in studies
                if study.definition.record != "at_start"
                and not await catalogue.is_ready(session, study)
            ]
        app = make_app(services, settings.pages)
        server = _Server(app, listening, lambda: tell({"event": "listening"}))
        tell(
            {
                "event": "loaded",
                "studies": [study.slug for study in studies if study.slug not in unrecorded],
                "unrecorded": unrecorded,
                "setup_token": setup_token,
                "presenter_token": services.presenter.token,
            }
        )
        beside = [
            asyncio.create_task(_keep_retention(database)),
            asyncio.create_task(recorder.keep()),
            asyncio.create_task(hosts.keep_looking()),
            asyncio.create_task(
                at_start.supply_all(database, clips, store, recorder, studies, settings.lab)
            ),
        ]
        for task in beside:
            task.add_done_callback(_log_failure)
        _make_way_for_keys()
        await server.serve()
    finally:
        await demos.close()
        await live.close()
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await database.close()


def _make_way_for_keys() -> None:
    """Whoever types waits for whatever else this process does."""
    # A full collection over all that is imported takes 60 to 200 ms: what is there by now stays,
    # and need not be looked through again.
    gc.collect()
    gc.freeze()
    # Measures are made in a thread when a session ends: by default the loop waits 5 ms for it.
    sys.setswitchinterval(THREAD_TURN_S)


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("what runs beside the routes has failed", exc_info=error)


async def load(database: Database, definitions: list[StudyDefinition]) -> list[StoredStudy]:
    """Brings schema, secrets and studies up to date."""
    await migrate(database)
    async with database.transaction() as session:
        await account.prepare(session)
        studies = [await catalogue.load(session, definition) for definition in definitions]
        await catalogue.retire_all_but(session, {definition.slug for definition in definitions})
    return studies


async def _keep_retention(database: Database) -> None:
    """Erases, every hour, what links people to answers older than their study's retention."""
    while True:
        try:
            async with database.transaction() as session:
                erased = await withdrawal.erase_links(session)
            if erased:
                log.info("retention ended for %d participants", erased)
        except Exception:
            log.exception("retention was not looked after; trying again in an hour")
        await asyncio.sleep(RETENTION_LOOK_S)


async def _database_up(database: Database, url: str) -> None:
    """Waits for a database that is starting, and makes it on a server that lacks it."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + DATABASE_PATIENCE_S
    while True:
        try:
            await ensure_database(url)
            async with database.engine.connect():
                return
        except Exception as error:
            if not is_database_loss(error) or loop.time() > deadline:
                raise
            log.debug("the database is not there yet: %s", error)
            await asyncio.sleep(0.05)


def configured(app: FastAPI, listening: Listening) -> uvicorn.Config:
    """How the application is served."""
    return uvicorn.Config(
        app,
        host=listening.host,
        port=listening.port,
        access_log=False,
        log_config=None,
        # At `info`, every WebSocket is logged with its address.
        log_level="warning",
        server_header=False,
        date_header=False,
        proxy_headers=False,
        # It compresses what a demo's pages are sent, and nothing else.
        ws=Sockets,
        ws_max_size=FRAME_LIMIT_BYTES,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )


class _Server(uvicorn.Server):
    """uvicorn, told when it listens. No access log: it would keep addresses and tokens."""

    def __init__(
        self, app: FastAPI, listening: Listening, on_listening: Callable[[], None]
    ) -> None:
        super().__init__(configured(app, listening))
        self._on_listening = on_listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_listening()
