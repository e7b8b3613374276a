"""`thinlab run`: database, lab host and web server, started, watched and stopped together.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import os
import pwd
import secrets
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from thinlab.origin import Origin, is_loopback
from thinlab.pdeathsig import dying_with_us
from thinlab.running import embedded_postgres, preflight
from thinlab.running.child import Child, ChildRefusedError, Recipe
from thinlab.running.embedded_postgres import EmbeddedPostgres
from thinlab.running.screen import Screen
from thinlab.settings import Settings
from thinlab.tls.in_use import certificate_of, settled
from thinlab.tls.vouched_certificate import name_of

# The web server's exit code for a fault that starting it again would not mend.
EXIT_CONFIG = 78
# A guest for demos is a process more; two demos at a time are for larger machines.
DEMO_GUESTS = "1"
# An address that belongs to no machine (RFC 5737).
NOBODY = "192.0.2.1"
STATUS_LIMIT_BYTES = 1_000_000
WEB_SERVER = (sys.executable, "-m", "thinlab", "serve")


class Run:
    """One installation's processes, by one data folder."""

    def __init__(
        self,
        settings: Settings,
        host: str,
        port: int,
        public_origin: Origin | None = None,
        *,
        web: tuple[str, ...] = WEB_SERVER,
    ) -> None:
        self.host = host
        self.port = port
        self.web = web
        configured = public_origin or settings.public_origin
        room = settings.room or (host, port)
        settings = settled(settings, room[0])
        self.tls = settings.tls != "off"
        self.public_origin = configured or room_origin(*room, secure=self.tls)
        self.settings = replace(settings, public_origin=self.public_origin)
        self.presenter_token = secrets.token_urlsafe(20)
        """Known to this process, the web server and whoever reads the screen."""
        here = loopback_origin(host, port, secure=self.tls)
        if settings.room is not None:
            here = loopback_origin(host, port, secure=self.tls and not is_loopback(host))
        people = self.public_origin if settings.room else configured or here
        desk = here if settings.room else people
        self.screen = Screen(str(desk), room=str(self.public_origin), people=str(people))
        self.children: list[Child] = []
        self._web_listens = False

    async def until_stopped(self) -> None:
        """Runs until a signal. Raises `SettingError` and what `Child.keep` does."""
        preflight.check(self.settings, self.host, self.port)
        if self.settings.room is not None:
            preflight.check_port(*self.settings.room)
        if self.settings.tls_cert is not None or self.settings.tls_key is not None:
            # A fault of the user's files is said before anything is started.
            certificate_of(self.settings)
        if self.settings.tls == "acme":
            self.screen.say(
                f"A certificate for {name_of(self.settings)} is asked for at "
                f"{self.settings.acme_directory} where there is none yet, by its terms; TLS=own "
                "uses one of Thinlab's own making."
            )
        # Each child is told what it needs, and no other by inheritance.
        for address in ("THINLAB_DATABASE_OWNER_URL", "THINLAB_DATABASE_URL"):
            os.environ.pop(address, None)
        with preflight.take_lock(self.settings.data):
            stop = asyncio.Event()
            loop = asyncio.get_running_loop()
            for wanted in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                loop.add_signal_handler(wanted, stop.set)
            with self.screen:
                await self._supervise(stop)

    async def _supervise(self, stop: asyncio.Event) -> None:
        read_end, write_end = os.pipe()
        tasks = [
            asyncio.create_task(self._keep_all(write_end)),
            asyncio.create_task(self._follow(read_end)),
            asyncio.create_task(_wait(stop)),
        ]
        try:
            # Whichever ends first: the signal, or a child that refuses.
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self.screen.stopping()
            # Newest first: the web server must not answer without its database.
            for child in reversed(self.children):
                await child.stop()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            os.close(write_end)

    async def _keep_all(self, status_fd: int) -> None:
        settings = self.settings
        keeping: list[asyncio.Task[None]] = []

        def keep(recipe: Recipe) -> None:
            child = Child(recipe, self.screen.say)
            self.children.append(child)
            keeping.append(asyncio.create_task(child.keep()))

        if settings.database_url is None:
            self.screen.doing("Preparing the database")
            postgres = await asyncio.to_thread(embedded_postgres.prepare, settings)
            keep(self._postgres(postgres))
            settings = replace(
                settings, database_url=postgres.url, database_owner_url=postgres.owner_url
            )
        if settings.database_owner_url is not None:
            keeping.append(asyncio.create_task(self._migrate(settings)))
        if settings.lab is None and settings.scheduler is None:
            me = pwd.getpwuid(os.geteuid()).pw_name
            path = embedded_postgres.socket_folder(settings.data, "lab", me) / "lab.sock"
            keep(self._lab_agent(path))
            settings = replace(settings, lab=f"unix:{path}")
        if not settings.live_lab and settings.terminal is not None:
            me = pwd.getpwuid(os.geteuid()).pw_name
            path = embedded_postgres.socket_folder(settings.data, "live", me) / "lab.sock"
            keep(self._live_lab_agent(path, settings.terminal))
            settings = replace(settings, live_lab=(f"unix:{path}",))
        self.screen.doing("Starting database, lab hosts and web server")
        keep(self._web(settings, status_fd))
        await asyncio.gather(*keeping)

    async def _migrate(self, settings: Settings) -> None:
        """By a process that ends: no other is told how the tables' owner is reached."""
        addresses = {
            "THINLAB_DATABASE_URL": settings.database_url or "",
            "THINLAB_DATABASE_OWNER_URL": settings.database_owner_url or "",
        }
        process = await asyncio.create_subprocess_exec(
            *dying_with_us(),
            *(sys.executable, "-m", "thinlab", "migrate"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd="/",
            env={**os.environ, **addresses},
            start_new_session=True,
        )
        try:
            said, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
        if process.returncode:
            words = said.decode(errors="replace").strip()
            raise ChildRefusedError(f"The database cannot be brought up to date.\n{words}")

    def _log(self, name: str) -> Path:
        return self.settings.data / "log" / f"{name}.log"

    def _postgres(self, postgres: EmbeddedPostgres) -> Recipe:
        return Recipe(
            name="The database",
            command=postgres.command(),
            log=self._log("postgres"),
            stop_signal=embedded_postgres.STOP_SIGNAL,
            prepare=postgres.clear_the_way,
            is_ready=postgres.is_ready,
            remedy=(
                f"see that {self.settings.data} is on a disk with room and was made by this "
                "version of Thinlab; put back a copy of that folder, or give THINLAB_DATA another"
            ),
        )

    def _lab_agent(self, path: Path) -> Recipe:
        return self._agent("The lab host", "lab-agent", path, "THINLAB_LAB", "--clock", "virtual")

    def _live_lab_agent(self, path: Path, terminal: Path) -> Recipe:
        """In real time, for people: what they type is delayed as it would be outside."""
        real = ("--clock", "real", "--demos", DEMO_GUESTS, "--terminal", str(terminal))
        return self._agent("The live lab host", "live-lab-agent", path, "THINLAB_LIVE_LAB", *real)

    def _agent(self, name: str, log: str, path: Path, instead: str, *options: str) -> Recipe:
        """`instead`: the setting that names one that runs already."""

        async def clear() -> None:
            await asyncio.to_thread(path.unlink, missing_ok=True)

        return Recipe(
            name=name,
            command=[
                str(self.settings.need("agent")),
                *("boot", "--listen", f"unix:{path}"),
                *("--kernel", str(self.settings.need("kernel"))),
                *("--guest", str(self.settings.need("guest"))),
                *options,
            ],
            log=self._log(log),
            prepare=clear,
            # It listens once its guest has booted.
            is_ready=lambda _: path.is_socket(),
            remedy=(
                "fix what it says, or bring the host's parts up to date with `make build`, or "
                f"give {instead} the address of a lab-agent that runs"
            ),
        )

    def _web(self, settings: Settings, status_fd: int) -> Recipe:
        async def forget() -> None:
            self._web_listens = False

        return Recipe(
            name="The web server",
            command=[
                *self.web,
                *("--host", self.host, "--port", str(self.port), "--status-fd", str(status_fd)),
            ],
            log=self._log("web"),
            environment={
                "THINLAB_DATA": str(settings.data),
                "THINLAB_DATABASE_URL": settings.database_url or "",
                "THINLAB_LAB": settings.lab or "",
                "THINLAB_LIVE_LAB": " ".join(settings.live_lab),
                "THINLAB_PRESENTER_TOKEN": self.presenter_token,
                "THINLAB_PUBLIC_ORIGIN": str(self.public_origin),
                # Settled: the web server does not know who listens to whom.
                "THINLAB_TLS": settings.tls,
            },
            pass_fds=(status_fd,),
            refuses_with=EXIT_CONFIG,
            prepare=forget,
            is_ready=lambda _: self._web_listens,
        )

    async def _follow(self, status_fd: int) -> None:
        """Shows what the web server tells; ends only by being cancelled."""
        reader = asyncio.StreamReader(limit=STATUS_LIMIT_BYTES)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(status_fd, "rb")
        )
        try:
            async for line in reader:
                with suppress(json.JSONDecodeError):
                    event = json.loads(line)
                    self.screen.show(event)
                    self._web_listens |= event["event"] == "listening"
        finally:
            transport.close()


def ports_of(settings: Settings, host: str, port: int) -> list[int]:
    """What is listened at, now or now and then."""
    room = settings.room or (host, port)
    vouched = settled(settings, room[0]).tls == "acme"
    return [port, room[1], *([settings.acme_port] if vouched else [])]


async def _wait(stop: asyncio.Event) -> None:
    await stop.wait()


def loopback_origin(host: str, port: int, *, secure: bool) -> Origin:
    """Where a browser on this machine finds the server."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    return Origin("https" if secure else "http", name, port)


def room_origin(host: str, port: int, *, secure: bool) -> Origin:
    """Where others in this machine's network find it, if they may."""
    if host not in {"0.0.0.0", "::"}:  # noqa: S104
        return loopback_origin(host, port, secure=secure)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            # Nothing is sent: the kernel chooses the address that it would send from.
            asking.connect((NOBODY, 9))
        except OSError:
            return loopback_origin(host, port, secure=secure)
        return Origin("https" if secure else "http", asking.getsockname()[0], port)
