"""Floods links with frames that are all right, and begins typing sessions without end.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import socket

import pytest
from aioice import Connection, stun
from aiortc import RTCPeerConnection

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


def _check(page: Connection, server: Connection, *, complete: bool = True) -> bytes:
    """What a page asks of each way to the server, signed as it would."""
    request = stun.Message(stun.Method.BINDING, stun.Class.REQUEST)
    request.attributes["USERNAME"] = f"{server.local_username}:{page.local_username}"
    request.attributes["ICE-CONTROLLING"] = 1
    if complete:
        request.attributes["PRIORITY"] = 1
    request.add_message_integrity(server.local_password.encode())
    return bytes(request)


def _ice(peer: RTCPeerConnection) -> Connection:
    assert peer.sctp
    return peer.sctp.transport.transport._connection


async def test_of_who_sends_from_many_ports_few_are_kept(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    page = await room.ready_page(over="channel")
    (peer,) = room.services.live.peers._peers
    server, mine = _ice(peer), _ice(page.peers[0])
    (pair,) = mine._nominated.values()
    check = _check(mine, server)
    caplog.set_level(logging.WARNING, "asyncio")
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(PATIENCE_S):
        for _ in range(3 * datagrams.ADDRESSES_LIMIT):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as port:
                port.setblocking(False)
                port.connect((pair.remote_candidate.host, pair.remote_candidate.port))
                port.send(_check(mine, server, complete=False))
                port.send(check)
                # By then it was looked at.
                while stun.parse_message(await loop.sock_recv(port, 2048)).message_class != (
                    stun.Class.RESPONSE
                ):
                    pass
    assert len(server._remote_candidates) <= datagrams.ADDRESSES_LIMIT
    assert len(server._check_list) <= datagrams.ADDRESSES_LIMIT * len(server._protocols)
    assert caplog.records == []
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
