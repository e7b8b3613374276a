"""A server on a real socket, over a lab that runs scripted takes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest_asyncio
from httpx import AsyncClient

from tests.demo.pages import AudiencePage, ConsolePage, Page
from tests.demo.stand_in_take import DemoStandIn
from tests.running.thinlab_process import PATIENCE_S
from tests.served import served
from tests.stand_in import serving
from thinlab.demo.demo import Demo
from thinlab.demo.demos import Demos
from thinlab.demo.presets import FIRST
from thinlab.demo.store import DemoStore
from thinlab.lab.live_hosts import LiveHosts
from thinlab.researcher import sessions
from thinlab.researcher.sessions import Role
from thinlab.web.services import Services

SETTINGS: dict[str, Any] = FIRST.model_dump(mode="json")


@dataclass
class Stage:
    """The running server and what it stands on."""

    services: Services
    hosts: LiveHosts
    lab: DemoStandIn
    address: str
    browser: AsyncClient
    """The presenter's."""
    pages: list[Page]
    cookie: str
    """The presenter's."""

    async def start(self, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
        """Starts a demo; its summary."""
        body = {"title": "A demo", "settings": SETTINGS | changes}
        answer = await self.browser.post("/api/demos", json=body)
        assert answer.status_code == 201, answer.text
        summary: dict[str, Any] = answer.json()["summary"]
        return summary

    def demo(self, demo_id: int) -> Demo:
        """A running one."""
        found = self.services.demos.by_id(demo_id)
        assert found is not None
        return found

    async def share(self, demo_id: int) -> str:
        """The token of its replay."""
        token: str = (await self.browser.post(f"/api/demos/{demo_id}/share")).json()["token"]
        return token

    async def console(self, demo_id: int) -> ConsolePage:
        """Another console."""
        page = ConsolePage(self.address, cookie=self.cookie)
        self.pages.append(page)
        await page.open(f"/api/demos/{demo_id}/console")
        await page.state()
        return page

    async def phone(self, code: str) -> AudiencePage:
        """Somebody of the audience."""
        page = AudiencePage(self.address)
        self.pages.append(page)
        await page.open(f"/api/audience/{code}/socket")
        await page.until(lambda one: one["type"] == "you")
        return page

    async def running(self, **changes: Any) -> tuple[dict[str, Any], ConsolePage]:  # noqa: ANN401
        """A demo whose take is ready, and its console."""
        summary = await self.start(**changes)
        console = await self.console(summary["demo_id"])
        await console.state(stage="running")
        return summary, console

    async def watched(
        self,
        **changes: Any,  # noqa: ANN401
    ) -> tuple[dict[str, Any], ConsolePage, AudiencePage]:
        """The same, and somebody of its audience."""
        summary, console = await self.running(**changes)
        return summary, console, await self.phone(summary["code"])

    async def over(self, demo_id: int) -> None:
        """Returns once a demo has ended and all of it is stored."""
        async with asyncio.timeout(PATIENCE_S):
            while self.services.demos.by_id(demo_id) is not None:
                await asyncio.sleep(0.01)

    async def end(self, console: ConsolePage, demo_id: int) -> int:
        """Has a console end its demo, and waits until it is over; its number."""
        await console.do("end")
        await self.over(demo_id)
        return demo_id


@asynccontextmanager
async def stage_over(
    services: Services, lab: DemoStandIn, lab_address: str, folder: Path
) -> AsyncIterator[Stage]:
    """A server on a real socket, over a live lab at an address."""
    hosts = LiveHosts((lab_address,))
    await hosts.look()
    store = DemoStore(folder / "demos")
    demos = Demos(services.database, hosts, services.clips, store, "test-build")
    here = replace(services, demos=demos)
    async with served(here) as address:
        async with AsyncClient(base_url=address, timeout=PATIENCE_S) as browser:
            async with here.database.transaction() as session:
                token = await sessions.begin(session, Role.PRESENTER)
            browser.cookies.set("presenter", token)
            stage = Stage(here, hosts, lab, address, browser, [], f"presenter={token}")
            yield stage
            for page in stage.pages:
                await page.close()
        await demos.close()
        await hosts.close()


@pytest_asyncio.fixture
async def stage(services: Services, tmp_path: Path) -> AsyncIterator[Stage]:
    """Over scripted takes."""
    lab = DemoStandIn()
    async with (
        serving(lab, tmp_path / "lab.sock") as address,
        stage_over(services, lab, address, tmp_path) as stage,
    ):
        yield stage
