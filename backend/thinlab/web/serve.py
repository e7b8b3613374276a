"""The web server's process: database up to date, studies loaded, recordings made, routes open.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import gc
import hashlib
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab import __version__
from thinlab.clips.digits import spoken_digits
from thinlab.clips.manifest import Clips
from thinlab.database import upgrade
from thinlab.database.engine import Database
from thinlab.demo.demos import Demos
from thinlab.demo.store import DemoStore
from thinlab.experiment.desk.desk import ExperimentDesk
from thinlab.experiment.desk.places import Places
from thinlab.health import metrics
from thinlab.health.watch import Seen, Watch
from thinlab.lab.agent import Agent
from thinlab.lab.live_hosts import LiveHosts
from thinlab.live.desk import Desk
from thinlab.live.pulse import Pulse
from thinlab.live.service import Live
from thinlab.live.store import TypingStore
from thinlab.origin import DEFAULT_PORTS, Origin
from thinlab.participation import retention
from thinlab.recording import at_start
from thinlab.recording.store import RecordingStore
from thinlab.recording.supervisor import RecorderSupervisor
from thinlab.researcher import access_token, account
from thinlab.settings import Settings
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition, used_digits
from thinlab.study.file import read_all
from thinlab.throttle.caller import Callers
from thinlab.tls.server_certificate import ServerCertificate
from thinlab.tls.trust import Trust
from thinlab.trials.registry import KINDS, live_desk
from thinlab.web import documentation
from thinlab.web.app import make_app
from thinlab.web.priority import go_before_others
from thinlab.web.routes import ROOM_ROUTERS, ROUTERS
from thinlab.web.server import Listening, Server, Tell
from thinlab.web.services import Services
from thinlab.web.throttle import Throttle

log = logging.getLogger(__name__)

THREAD_TURN_S = 0.000_5
# New objects, collections of new ones, collections of those that outlived one. By Python's own
# figures (700, 10, 10) what belongs to a request that is under way is soon taken for old, and a
# burst of requests has all that is old looked through every second, for up to 100 ms.
COLLECT_AFTER = (5_000, 20, 10)


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


def is_strict(public: Origin | None, certificate: ServerCertificate | None) -> bool:
    """Whether browsers may be told to come with encryption only: that holds for the whole name.

    On another port than HTTPS' own, other pages of the same name would be called off with it;
    and by a certificate that nobody vouches for, nobody could pass any more.
    """
    if certificate is not None and certificate.is_self_made:
        return False
    if public is None or not public.is_secure or not public.is_public_name:
        return False
    return public.port == DEFAULT_PORTS["https"]


def _digits(settings: Settings, definitions: Sequence[StudyDefinition]) -> Clips | None:
    """The spoken digits, where a study asks for them. Raises `SettingError`, `ClipError`."""
    asked = any(used_digits(definition) for definition in definitions)
    return spoken_digits(settings) if asked else None


def _watch(settings: Settings, database: Database, live: Live, demos: Demos) -> Watch:
    return Watch(
        Seen(
            database,
            settings.data,
            settings.recordings,
            live.hosts,
            demos=lambda: len(demos.running()),
            links=lambda: live.switchboard.links,
            pulse=live.pulse,
            turned_away=lambda: live.switchboard.turned_away,
        )
    )


async def _access(session: AsyncSession, settings: Settings) -> dict[str, Any]:
    """What whoever starts the server is told of how to come in."""
    return {
        "setup_token": await account.first_setup_token(session),
        "password_set": await account.password_is_set(session),
        "presenter_token": await access_token.at_start(session, settings.presenter),
    }


def _server(services: Services, settings: Settings, listening: Listening, tell: Tell) -> Server:
    desk = (*ROUTERS, documentation.router(settings.docs))
    server = Server(make_app(services, settings.pages, desk), listening, tell)
    if listening.room is not None:
        server.listen_also(make_app(services, settings.pages, ROOM_ROUTERS), listening.room)
    return server


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
    database_url = settings.need_database()
    settings.need_lab()
    clips = Clips.open(settings.manifest, settings.need("clips"))
    definitions = read_all(settings.survey, clips.manifest, KINDS)
    digits = _digits(settings, definitions)
    database = Database(database_url)
    beside: list[asyncio.Task[None]] = []
    hosts, typing_store = (
        LiveHosts(settings.live_lab, Trust.of(settings)),
        TypingStore(settings.data / "typing"),
    )
    pulse, build = Pulse(hosts.behind_ms, settings.host_wait_limit_ms), build_of(settings.pages)
    desk = live_desk(database, hosts, typing_store, pulse)
    live = Live(around(desk), hosts, typing_store, pulse)
    demos = Demos(database, hosts, clips, DemoStore(settings.data / "demos"), build)
    services = Services(
        database=database,
        store=RecordingStore(settings.recordings),
        clips=clips,
        digits=digits,
        recorder=RecorderSupervisor(database, tell, predictions=settings.predictions),
        live=live,
        demos=demos,
        build=build,
        analyser=settings.agent,
        listening=settings.listening,
        public_origin=settings.public_origin,
        strict_transport=is_strict(
            settings.public_origin, (listening.room or listening).certificate
        ),
        throttle=Throttle(Callers(settings.trusted_proxies)),
        experiments=(experiments := ExperimentDesk(Places.of(settings, build))),
        watch=(watch := _watch(settings, database, live, demos)),
    )
    # Before anything is waited for: a wrong setting is said at once.
    agent = None if settings.lab is None else Agent(settings.lab, Trust.of(settings))
    metrics.serve(settings.metrics, lambda: watch.figures)
    try:
        await upgrade.ready(database, database_url)
        studies = await load(database, definitions)
        await desk.prepare()
        await demos.prepare()
        async with database.transaction() as session:
            access = await _access(session, settings)
            unrecorded = [
                study.slug
                for study in studies
                if study.definition.record != "at_start"
                and not await catalogue.is_ready(session, study)
            ]
        server = _server(services, settings, listening, tell)
        tell(
            {
                "event": "loaded",
                "studies": [study.slug for study in studies if study.slug not in unrecorded],
                "unrecorded": unrecorded,
                **access,
            }
        )
        beside = [
            asyncio.create_task(retention.keep(database)),
            asyncio.create_task(services.recorder.keep()),
            asyncio.create_task(hosts.keep_looking()),
            asyncio.create_task(watch.keep()),
            asyncio.create_task(pulse.keep()),
            asyncio.create_task(server.renew(settings)),
            asyncio.create_task(
                at_start.supply_all(
                    database, clips, services.store, services.recorder, studies, agent
                )
            ),
        ]
        for task in beside:
            task.add_done_callback(_log_failure)
        _make_way_for_keys()
        await server.serve()
    finally:
        await experiments.close()
        await services.power.close()
        await demos.close()
        await live.close()
        await services.failures.close(database)
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
    gc.set_threshold(*COLLECT_AFTER)
    # Measures are made in a thread when a session ends: by default the loop waits 5 ms for it.
    sys.setswitchinterval(THREAD_TURN_S)
    if not go_before_others():
        log.warning(
            "the web server waits its turn like all processes, and a busy machine adds delay: "
            "allow niceness -15 (ulimit -e 35, or CAP_SYS_NICE) for people who type"
        )


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("what runs beside the routes has failed", exc_info=error)


async def load(database: Database, definitions: list[StudyDefinition]) -> list[StoredStudy]:
    """Brings secrets and studies up to date."""
    async with database.transaction() as session:
        await account.prepare(session)
        studies = [await catalogue.load(session, definition) for definition in definitions]
        await catalogue.retire_all_but(session, {definition.slug for definition in definitions})
    return studies
