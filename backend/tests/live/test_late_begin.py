"""A session that takes long to begin: by then its page may be gone, or the server may be closing.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.live.conftest import Room
from tests.live.page import PATIENCE_S
from thinlab.live import switchboard as switchboards
from thinlab.live.connection import Connection
from thinlab.live.newcomer import Newcomer


async def until(holds: Callable[[], bool]) -> None:
    """Waits for what no page is told of."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.01)


class HeldUp:
    """Whatever begins is entered, and its switchboard does not hear of it until it is told to."""

    def __init__(self, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        self.entered, self.go_on = asyncio.Event(), asyncio.Event()
        self.connection: Connection
        self.newcomer: Newcomer
        desk, switchboard = room.services.live.desk, room.services.live.switchboard
        begin: Callable[..., Awaitable[Any]] = desk.begin
        type_: Callable[..., Awaitable[None]] = switchboard._type

        async def begin_late(*words: Any) -> Any:  # noqa: ANN401 (as the desk's)
            job = await begin(*words)
            self.entered.set()
            await self.go_on.wait()
            return job

        async def look(
            hello: Any,  # noqa: ANN401
            participant_id: int,
            connection: Connection,
            newcomer: Newcomer,
        ) -> None:
            self.connection, self.newcomer = connection, newcomer
            await type_(hello, participant_id, connection, newcomer)

        monkeypatch.setattr(desk, "begin", begin_late)
        monkeypatch.setattr(switchboard, "_type", look)


@pytest.fixture
def held_up(room: Room, monkeypatch: pytest.MonkeyPatch) -> HeldUp:
    return HeldUp(room, monkeypatch)


async def nothing_began(room: Room, reason: str) -> None:
    """The session was entered, is void, and no terminal was ever asked for."""
    async with asyncio.timeout(PATIENCE_S):
        while (await room.sessions())[0].state == "typing":
            await asyncio.sleep(0.01)
    assert [(one.state, one.reason) for one in await room.sessions()] == [("void", reason)]
    assert room.services.live.switchboard.running() == []
    assert room.lab.opened == []
    await room.no_terminal_left()


async def test_who_left_meanwhile_gets_no_terminal(room: Room, held_up: HeldUp) -> None:
    page = await (await room.page(await room.typist())).over_socket()
    await held_up.entered.wait()
    await page.cut()
    await until(lambda: held_up.newcomer.gone)
    held_up.go_on.set()
    await nothing_began(room, "link-away")


async def test_whose_link_has_ended_meanwhile_is_told_and_may_come_again(
    room: Room, held_up: HeldUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    typist = await room.typist()
    with monkeypatch.context() as impatient:
        impatient.setattr("thinlab.live.connection.AWAY_LIMIT_S", 0.01)
        page = await (await room.page(typist)).over_socket()
        await held_up.entered.wait()
        await until(lambda: held_up.connection.closed)
    held_up.go_on.set()
    assert await page.refused() == "link-lost"
    await nothing_began(room, "link-away")
    await room.ready_page(typist)


async def test_who_withdraws_meanwhile_has_no_terminal_when_that_is_done(
    room: Room, held_up: HeldUp
) -> None:
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await held_up.entered.wait()
    withdrawing = asyncio.create_task(
        room.browser.delete("/api/participation", headers=typist.headers)
    )
    (lock,) = room.services.live.switchboard._participant_locks.values()
    await until(lambda: bool(lock._waiters) or withdrawing.done())
    held_up.go_on.set()
    assert (await withdrawing).status_code == 204
    assert room.services.live.switchboard.running() == []
    assert await page.refused() == "withdrawn"
    assert await room.sessions() == []
    await room.no_terminal_left()


async def test_a_server_that_closes_meanwhile_begins_nothing(room: Room, held_up: HeldUp) -> None:
    page = await (await room.page(await room.typist())).over_socket()
    await held_up.entered.wait()
    closing = asyncio.create_task(room.services.live.switchboard.close())
    # It has asked everybody to end, and waits for them.
    await asyncio.sleep(0)
    held_up.go_on.set()
    await closing
    assert await page.refused() == "unavailable"
    await nothing_began(room, "host-lost")


async def test_what_does_not_end_by_itself_has_ended_when_the_server_has_closed(
    room: Room, held_up: HeldUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(switchboards, "CLOSING_PATIENCE_S", 0.01)
    await (await room.page(await room.typist())).over_socket()
    await held_up.entered.wait()
    switchboard = room.services.live.switchboard
    other = switchboard.spawn(_for_ever())
    await switchboard.close()
    assert other.cancelled()
    assert switchboard.running() == []


async def _for_ever() -> None:
    await asyncio.Event().wait()
