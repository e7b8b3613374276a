"""A typing study on a real server, with a live lab that echoes.

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
from sqlalchemy import select, update

from tests.live.page import PATIENCE_S, Page
from tests.live.stand_in_terminal import LiveStandIn
from tests.made_up import NOTICEABLE, PREFERENCE, Participant, block, typing_definition
from tests.served import served
from tests.stand_in import serving
from thinlab.database.schema import Participant as ParticipantRow
from thinlab.database.schema import TypingSession
from thinlab.lab.live_hosts import LiveHosts
from thinlab.live.pulse import Pulse
from thinlab.live.service import Live
from thinlab.live.store import TypingStore
from thinlab.study import catalogue
from thinlab.trials.registry import KINDS
from thinlab.trials.typing.desk import StudyDesk
from thinlab.web.services import Services

COPY = {"kind": "pair", "id": "copy", "task": "sentences", "seed": 1} | {
    "conditions": ["plain", "modified"]
}
SCALE = PREFERENCE | {"noticeable": NOTICEABLE}


@dataclass
class Room:
    """The running server and what it stands on."""

    services: Services
    lab: LiveStandIn
    address: str
    browser: AsyncClient
    pages: list[Page]

    @property
    def store(self) -> TypingStore:
        return self.services.live.store

    async def typist(self, *, checked: bool = True) -> Participant:
        """Somebody in the study, whose connection was good."""
        somebody = await Participant.join(self.browser, "typing")
        if checked:
            async with self.services.database.transaction() as session:
                await session.execute(
                    update(ParticipantRow)
                    .where(ParticipantRow.token_hash == somebody.token_hash)
                    .values(connection_passed=True, connection_tries=1)
                )
        return somebody

    async def page(self, typist: Participant, place: str = "first") -> Page:
        """A page for the open trial's session."""
        trial = await typist.open_trial()
        return self.plain_page(typist.token, trial[place]["session_token"])

    async def ready_page(
        self, typist: Participant | None = None, place: str = "first", *, over: str = "socket"
    ) -> Page:
        """A page at its terminal: the typist's, or of somebody new."""
        page = await self.page(typist or await self.typist(), place)
        await (page.over_socket() if over == "socket" else page.over_channel())
        await page.stage("ready")
        return page

    def plain_page(self, token: str, session_token: str | None, **hello: Any) -> Page:  # noqa: ANN401
        """A page that says just this."""
        page = Page(self.address, token, session_token, **hello)
        self.pages.append(page)
        return page

    async def sessions(self) -> list[TypingSession]:
        """The rows, in order."""
        async with self.services.database.transaction() as session:
            return list(await session.scalars(select(TypingSession).order_by(TypingSession.id)))

    async def no_terminal_left(self) -> None:
        """Every terminal that was opened is closed, and no host counts one."""
        async with asyncio.timeout(PATIENCE_S):
            await self.lab.until_closed(len(self.lab.opened))
        assert [host.sessions for host in self.services.live.hosts._hosts] == [0]

    async def set_study(self, **changes: Any) -> None:  # noqa: ANN401
        """Another version of the study; without changes, of one pair to be copied."""
        whole = {"blocks": [block([COPY], scale=SCALE)]} | changes
        async with self.services.database.transaction() as session:
            await catalogue.load(session, typing_definition(**whole))


@asynccontextmanager
async def room_over(
    services: Services, lab: LiveStandIn, lab_address: str, folder: Path
) -> AsyncIterator[Room]:
    """A server on a real socket, over a live lab at an address."""
    hosts, store = LiveHosts((lab_address,)), TypingStore(folder / "typing")
    await hosts.look()
    assert hosts.problem is None, hosts.problem
    # The machine may have other tests to run.
    pulse = Pulse(limit_ms=60_000)
    live = Live(StudyDesk(services.database, hosts, store, KINDS, pulse), hosts, store, pulse)
    here = replace(services, live=live)
    async with served(here) as address:
        async with AsyncClient(base_url=address, timeout=PATIENCE_S) as browser:
            room = Room(here, lab, address, browser, [])
            await room.set_study()
            yield room
            for page in room.pages:
                await page.close()
        await live.close()


@asynccontextmanager
async def house(services: Services, lab: LiveStandIn, folder: Path) -> AsyncIterator[Room]:
    """The same with the live lab, which is a stand-in."""
    async with (
        serving(lab, folder / "lab.sock") as address,
        room_over(services, lab, address, folder) as room,
    ):
        yield room


@pytest_asyncio.fixture
async def room(services: Services, tmp_path: Path) -> AsyncIterator[Room]:
    """Over a live lab that echoes."""
    async with house(services, LiveStandIn(), tmp_path) as room:
        yield room
