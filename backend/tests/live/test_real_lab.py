"""Typing over a real lane: kernel, OpenSSH, editor; its clock line, its captures, its death.

SPDX-License-Identifier: Apache-2.0
"""

import subprocess
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from pathlib import Path

import psutil
import pytest
import pytest_asyncio
from sqlalchemy import select

from tests.live.conftest import Room, room_over
from tests.live.page import Page
from tests.live.real_agent import real_agent, until_it_answers
from tests.live.stand_in_terminal import LiveStandIn
from thinlab.database.schema import Keystroke
from thinlab.live.keystrokes import AGENT_STAMPS
from thinlab.web.services import Services

pytestmark = pytest.mark.alone

PATH = {"rtt_ms": 130}
CALM = {"plain": {"mode": "off", "path": PATH}, "modified": {"mode": "all", "path": PATH}}


@pytest.fixture(scope="module")
def agent(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The agent in real time, and its address."""
    with real_agent(tmp_path_factory.mktemp("agent")) as agent:
        yield agent


@pytest_asyncio.fixture
async def room(
    services: Services, agent: tuple[subprocess.Popen[bytes], str], tmp_path: Path
) -> AsyncIterator[Room]:
    """A server over the real agent."""
    process, address = agent
    await until_it_answers(address, process)
    lab = LiveStandIn()
    async with room_over(services, lab, address, tmp_path) as room:
        await room.set_study(conditions=CALM, keep_text=True)
        yield room


async def type_text(page: Page, text: str) -> None:
    """Every letter, each once its echo was seen."""
    said = await page.stage("ready", "void")
    assert said["stage"] == "ready", said
    for letter in text:
        await page.seen(page.press(letter, "enter" if letter == "\r" else "character"))


@pytest.mark.parametrize("over", ["socket", "channel"])
async def test_keys_go_over_the_lane_and_every_step_is_stamped(room: Room, over: str) -> None:
    typist = await room.typist()
    page = await room.page(typist)
    await (page.over_socket() if over == "socket" else page.over_channel())
    await type_text(page, "A thin\rstream.")
    page.say(type="finish")
    assert (await page.stage("ended", "void"))["reason"] == "finished"
    (session,) = await room.sessions()
    assert (session.state, session.transport) == (
        "done",
        "websocket" if over == "socket" else "webrtc",
    )
    assert (session.final_text or "").rstrip("\n") == "A thin\nstream."
    assert session.measures is not None
    assert session.measures["errors_left"] == 0
    assert session.host_build
    async with room.services.database.transaction() as database:
        keys = list(await database.scalars(select(Keystroke).order_by(Keystroke.number)))
    assert [key.data for key in keys] == list("A thin\rstream.")
    uncertainty_us = (session.clock_uncertainty_ms or 0) * 1000 + 1
    for key in keys:
        stamps = [getattr(key, f"{name}_us") for name in AGENT_STAMPS]
        assert None not in stamps, stamps
        # Captures and journals stamp at different places of one step: a fraction of a ms.
        assert all(before <= after + 500 for before, after in pairwise(stamps)), stamps
        assert key.echo_delivered_us - key.key_written_us >= 130_000  # type: ignore[operator]
        assert key.painted_us >= 130_000 - uncertainty_us  # type: ignore[operator]
        assert (key.key_recovery, key.echo_recovery) == ("none", "none")
    for name in ("sender.pcapng", "receiver.pcapng"):
        capture = (room.store.of(session.id) / name).read_bytes()
        assert capture[:4] == b"\x0a\x0d\x0d\x0a"


async def test_both_conditions_show_the_same_before_a_key_is_pressed(room: Room) -> None:
    typist = await room.typist()
    shown = []
    for place in ("first", "second"):
        page = await (await room.page(typist, place)).over_socket()
        await type_text(page, "A thin")
        first_key = next(one for one in page.said if one.get("answers_key", 0) > 0)
        before = page.said[: page.said.index(first_key)]
        shown.append("".join(one["data"] for one in before if one["type"] == "screen"))
        page.say(type="finish")
        await page.stage("ended")
    assert shown[0] == shown[1]
    assert not any(word in shown[0].lower() for word in ("bundl", "tcp", "linux", "thin"))


async def test_a_guest_that_dies_makes_its_sessions_void_and_another_is_there(
    room: Room, agent: tuple[subprocess.Popen[bytes], str]
) -> None:
    process, _ = agent
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_text(page, "A thin")
    for guest in psutil.Process(process.pid).children():
        guest.kill()
    assert (await page.stage("void"))["reason"] == "host-lost"
    again = await (await room.page(typist)).over_socket()
    await type_text(again, "A thin")
    again.say(type="finish")
    assert (await again.stage("ended", "void"))["stage"] == "ended"
    assert [one.state for one in await room.sessions()] == ["void", "done"]
