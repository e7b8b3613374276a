"""Floods links with frames that are all right, and begins typing sessions without end.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio

import pytest

from tests.live.conftest import Room, room
from tests.live.page import PATIENCE_S, Page
from tests.live.test_hostile_page import calm, unharmed
from thinlab.live import datagrams, frame_rate, starts

__all__ = ["room"]
PROBES = [{"number": 1, "server_us": 1, "at_us": 1}]


@pytest.fixture
def few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood is one soon."""
    monkeypatch.setattr(frame_rate, "FRAMES_AT_ONCE", 300.0)


async def lost(page: Page) -> None:
    """Sends empty frames until the transport has closed."""
    before = page._send
    assert before is not None
    async with asyncio.timeout(PATIENCE_S):
        while page.sockets and page.sockets[-1].state.name == "OPEN":
            for _ in range(50):
                page.flush(PROBES)
            await asyncio.sleep(0)


@pytest.mark.usefixtures("few_frames")
async def test_who_floods_a_link_loses_it_and_nobody_else(room: Room) -> None:
    victim = await calm(room)
    page = await room.ready_page()
    await lost(page)
    await unharmed(room, victim)


@pytest.mark.usefixtures("few_frames")
async def test_who_floods_a_channel_loses_it_and_nobody_else(room: Room) -> None:
    victim = await calm(room)
    page = await room.ready_page(over="channel")
    peers = room.services.live.peers
    async with asyncio.timeout(PATIENCE_S):
        while peers.open:
            for _ in range(20):
                page.flush(PROBES)
            await asyncio.sleep(0.001)
    await unharmed(room, victim)


async def test_datagrams_beyond_the_bound_are_lost_and_cost_nothing(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datagrams, "DATAGRAMS_AT_ONCE", 60.0)
    monkeypatch.setattr(datagrams, "DATAGRAMS_A_SECOND", 60.0)
    page = await room.ready_page(over="channel")
    for _ in range(200):
        page.flush(PROBES)
    # The link repeats what was lost.
    await page.seen(page.press("A"))


async def test_who_begins_sessions_without_end_is_told_to_wait(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starts, "PARTICIPANT_AT_ONCE", 3.0)
    monkeypatch.setattr(starts, "PARTICIPANT_A_SECOND", 0.001)
    victim = await calm(room)
    greedy = await room.typist()
    for _ in range(3):
        page = await room.ready_page(greedy)
    page = await (await room.page(greedy)).over_socket()
    assert await page.refused() == "unavailable"
    await unharmed(room, victim)
