"""All demos of this server: started, found, ended.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import secrets
import time

from thinlab.clips.manifest import Clips
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.database.engine import Database
from thinlab.demo import registry
from thinlab.demo.demo import Demo, DemoIdentity
from thinlab.demo.limits import FREE_LIMIT_BYTES, RUNNING_LIMIT
from thinlab.demo.poll import Ballots
from thinlab.demo.possible import UnfitError, check_settings
from thinlab.demo.registry import DemoRegistry
from thinlab.demo.setting import DemoSettings
from thinlab.demo.store import DemoStore
from thinlab.lab.demo import AgentTake, TakeCall
from thinlab.lab.live_hosts import LiveHosts, NoHostError

# Easy to read out, no words by accident.
CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
CODE_LENGTH = 6
CLOSE_PATIENCE_S = 5.0


class TooManyDemosError(Exception):
    """As many run as may."""


class Demos:
    """The running ones, and what it takes to start another."""

    def __init__(
        self, database: Database, hosts: LiveHosts, clips: Clips, store: DemoStore, build: str
    ) -> None:
        self.store = store
        self.clips = clips
        self._database = database
        self._hosts = hosts
        self._build = build
        self._running: dict[int, Demo] = {}
        self._creating = asyncio.Lock()
        self._leaving: set[asyncio.Task[None]] = set()

    async def prepare(self) -> None:
        """At the server's start, before the first demo."""
        async with self._database.transaction() as session:
            await registry.mark_broken_off(session, self.store)

    @property
    def running_limit(self) -> int:
        """How many can run at a time."""
        return min(RUNNING_LIMIT, self._hosts.demo_guests)

    @property
    def problem(self) -> str | None:
        """Why none can be started now; none where it can."""
        try:
            self.host_description()
        except NoHostError as error:
            return str(error)
        return None

    def host_description(self) -> pb.HostDescription:
        """What the host of the next take is. Raises `NoHostError`."""
        description = self._hosts.for_demo().description
        if description is None:
            raise NoHostError("The live lab host has not been asked yet.")
        return description

    def running(self) -> list[Demo]:
        """Those under way."""
        return list(self._running.values())

    def by_id(self, demo_id: int) -> Demo | None:
        """The running demo of this number."""
        return self._running.get(demo_id)

    def by_code(self, code: str) -> Demo | None:
        """The running demo that this code leads to."""
        wanted = code.upper()
        return next((one for one in self._running.values() if one.code == wanted), None)

    async def create(self, title: str, settings: DemoSettings, origin: str) -> Demo:
        """A new demo; its first take is being opened.

        `origin`: where browsers find this server. Raises `TooManyDemosError`,
        `NoHostError`, `UnfitError`.
        """
        async with self._creating:
            check_settings(settings, self.clips, self.host_description())
            if len(self._running) >= self.running_limit:
                raise TooManyDemosError
            await self._check_disk()
            code = self._new_code()
            async with self._database.transaction() as session:
                demo_id = await registry.enter(session, title, code, settings, self._build)
            demo = Demo(
                DemoIdentity(demo_id, title, code, f"{origin}/d/{code}", time.time_ns()),
                settings,
                self,
                self.store,
                DemoRegistry(self._database, demo_id),
                Ballots(self._database, demo_id),
            )
            self._running[demo_id] = demo
            leaving = asyncio.create_task(self._leave(demo))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)
            return demo

    async def _check_disk(self) -> None:
        try:
            free_bytes = await asyncio.to_thread(self.store.free_bytes)
        except OSError as error:
            text = f"The demos' folder cannot be used: {error.strerror}."
            remedy = f"Let the server write to {self.store.folder}."
            raise UnfitError("", text, remedy) from error
        if free_bytes < 2 * FREE_LIMIT_BYTES:
            raise UnfitError("", "The disk is nearly full.", "Make room on the server's disk.")

    async def _leave(self, demo: Demo) -> None:
        await asyncio.wait([demo.keeping])
        del self._running[demo.demo_id]

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            if self.by_code(code) is None:
                return code

    def open(self, request: pb.DemoOpen) -> tuple[TakeCall, bool]:
        """As `TakeOpener`."""
        host = self._hosts.for_demo()
        return AgentTake(host.agent, request), host.shares_clock

    async def clip(self, name: str) -> bytes:
        """As `TakeOpener`."""
        return await asyncio.to_thread(self.clips.samples, name)

    def credit(self, clip: str) -> str:
        """As `ClipsAndHosts`."""
        return " ".join(self.clips.credits([clip]))

    async def close(self) -> None:
        """Ends all of them, as far as that goes quickly."""
        for demo in self.running():
            demo.end("The server was stopped.")
        if self._leaving:
            await asyncio.wait(self._leaving, timeout=CLOSE_PATIENCE_S)
