"""A room's listener: those who take part get in, desk and console are not there.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
import websockets

from tests.made_up import Participant, sign_in
from tests.running.thinlab_process import PATIENCE_S, free_port
from thinlab.settings import SettingError, Settings
from thinlab.study.catalogue import StoredStudy
from thinlab.tls.own_certificate import kept
from thinlab.web.app import make_app
from thinlab.web.routes import ROOM_ROUTERS
from thinlab.web.server import Listening, Server
from thinlab.web.services import Services


class Listeners:
    """The desk's address and the room's."""

    def __init__(self, services: Services, folder: Path) -> None:
        self.certificate = kept(folder, ("127.0.0.1",))
        self.trusting = ssl.create_default_context(cafile=str(self.certificate.chain))
        desk, room = free_port(), free_port()
        self.desk, self.room = f"http://127.0.0.1:{desk}", f"https://127.0.0.1:{room}"
        self.told: list[str] = []
        there = Listening("127.0.0.1", room, self.certificate)
        self.server = Server(
            make_app(services, None),
            Listening("127.0.0.1", desk, room=there),
            lambda event: self.told.append(event["event"]),
        )
        self.server.listen_also(make_app(services, None, ROOM_ROUTERS), there)

    def browser(self, address: str) -> httpx.AsyncClient:
        """Somebody at one of them."""
        return httpx.AsyncClient(base_url=address, verify=self.trusting, timeout=PATIENCE_S)


@pytest_asyncio.fixture
async def listeners(
    services: Services, study: StoredStudy, tmp_path: Path
) -> AsyncIterator[Listeners]:
    """Both, of one server."""
    assert study.slug == "demo"
    made = Listeners(services, tmp_path / "tls")
    task = asyncio.create_task(made.server.serve())
    while not made.server.started or "listening" not in made.told:
        await asyncio.sleep(0.01)
    yield made
    made.server.should_exit = True
    await task


async def test_people_take_part_in_the_room_and_the_desk_is_not_there(
    listeners: Listeners, services: Services
) -> None:
    async with listeners.browser(listeners.desk) as desk:
        await sign_in(desk, services)
        assert (await desk.get("/api/researcher/studies")).status_code == 200
        token = desk.cookies["researcher"]
    async with listeners.browser(listeners.room) as phone:
        person = await Participant.join(phone)
        await person.take_all()
        assert (await person.progress())["completion_code"]
        session = {"Cookie": f"__Host-researcher={token}; researcher={token}"}
        for method, path in (
            ("GET", "/api/researcher/state"),
            ("GET", "/api/researcher/studies"),
            ("GET", "/api/researcher/studies/demo/export.csv"),
            ("GET", "/api/researcher/experiments"),
            ("POST", "/api/researcher/session"),
            ("POST", "/api/researcher/password"),
            ("GET", "/api/demos"),
            ("POST", "/api/demos/presenter"),
            ("POST", "/api/demos"),
        ):
            answer = await phone.request(method, path, headers=session, json={})
            assert answer.status_code in {404, 405}, (method, path)
    console = listeners.room.replace("https", "wss") + "/api/demos/1/console"
    with pytest.raises(websockets.InvalidStatus, match="403"):
        await websockets.connect(console, ssl=listeners.trusting)
    assert listeners.told.count("certificate") == 1


@pytest.mark.parametrize("value", ["8443", ":8443", "0.0.0.0:", "0.0.0.0:http", "0.0.0.0:65536"])
def test_a_place_that_is_none_is_named(value: str) -> None:
    with pytest.raises(SettingError, match=r"THINLAB_ROOM is .*such as 0\.0\.0\.0:8443"):
        Settings.read({"THINLAB_ROOM": value})


def test_what_only_this_machine_reaches_stays_plain_beside_a_room(tmp_path: Path) -> None:
    told = {"THINLAB_DATA": str(tmp_path), "THINLAB_TLS": "own", "THINLAB_ROOM": "[::]:8443"}
    listening = Listening.of(Settings.read(told), "127.0.0.1", 8000)
    assert listening.certificate is None
    assert listening.room is not None
    assert (listening.room.host, listening.room.port) == ("::", 8443)
    assert listening.room.certificate is not None
    beyond = Listening.of(Settings.read(told), "192.0.2.7", 8000)
    assert beyond.certificate is not None
