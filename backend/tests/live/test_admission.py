"""A machine that is behind: who comes is told before anything begins, who types is spared.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import itertools
from typing import Any

import pytest

from tests.live.conftest import Room
from tests.live.page import PATIENCE_S
from tests.live.test_typing_sessions import finish, type_all
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.live.session import Limits
from thinlab.trials.typing.job import emulator_late_ms


async def test_who_comes_to_a_machine_that_is_behind_is_refused_before_it_begins(
    room: Room,
) -> None:
    pulse = room.services.live.pulse
    pulse.looked(0.0, pulse.limit_ms / 1000, 0.1)
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    assert await page.refused() == "busy"
    assert await room.sessions() == []
    assert room.lab.opened == []
    # It has kept up since: the same page is let in.
    pulse.looked(10.0, 0.0, 0.1)
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    await finish(page)


async def test_a_crowd_is_let_in_as_fast_as_it_gets_ready(room: Room) -> None:
    room.lab.ready_after_s = lambda _: 3600.0
    pages = []
    for _ in range(8):
        pages.append(await (await room.page(await room.typist())).over_socket())
        await pages[-1].stage("preparing")
    late = await (await room.page(await room.typist())).over_socket()
    assert await late.refused() == "busy"
    async with asyncio.timeout(PATIENCE_S):
        await room.lab.until_opened(8)
    assert len(room.lab.opened) == 8


async def test_who_types_is_held_while_the_machine_catches_up(room: Room) -> None:
    pulse = room.services.live.pulse
    page = await room.ready_page()
    pulse.looked(0.0, pulse.limit_ms / 1000, 0.1)
    await page.until(lambda page: any(one["type"] == "held" for one in page.said))
    pulse.looked(10.0, 0.0, 0.1)
    await page.until(lambda page: len([one for one in page.said if one["type"] == "held"]) == 2)
    held, goes_on = (one for one in page.said if one["type"] == "held")
    assert (held["held"], goes_on["held"]) == (True, False)
    assert held["limit_ms_left"] == goes_on["limit_ms_left"] <= 60_000
    await type_all(page)
    await finish(page)
    assert pulse.listeners == set()


async def test_no_time_is_taken_while_a_page_is_told_what_is_left(room: Room) -> None:
    page = await room.ready_page()
    (running,) = room.services.live.switchboard._running.values()
    session = running.session
    session.hold(True)
    # A machine that needs a second for every step.
    session._loop = EverSlower(session._loop)  # type: ignore[assignment]
    session.hold(False)
    await page.until(lambda page: len([one for one in page.said if one["type"] == "held"]) == 2)
    held, goes_on = (one for one in page.said if one["type"] == "held")
    assert held["limit_ms_left"] == goes_on["limit_ms_left"]


class EverSlower:
    """A loop whose clock goes on by a second whenever it is read."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._readings = itertools.count(1)

    def time(self) -> float:
        return self._loop.time() + next(self._readings)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._loop, name)


def shortened(monkeypatch: pytest.MonkeyPatch, limit_s: float) -> None:
    """However long tasks may take by their study."""
    monkeypatch.setattr(
        "thinlab.trials.typing.job.Limits",
        lambda _, least_keys, waits: Limits(limit_s, least_keys, waits),
    )


async def test_who_is_held_loses_nothing_of_the_task_s_time(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortened(monkeypatch, 0.1)
    pulse = room.services.live.pulse
    pulse.held = True
    page = await (await room.page(await room.typist())).over_socket()
    # However long that takes: much longer than what the task has.
    await type_all(page)
    await page.until(lambda page: page.probes > 2)
    pulse.looked(10.0, 0.0, 0.1)
    assert (await page.stage("ended", "void"))["reason"] == "limit"
    times = [one["limit_ms_left"] for one in page.said if one["type"] in {"stage", "held"}]
    assert times == [None, 100, 100, 100, None]
    (session,) = await room.sessions()
    assert (session.state, session.end) == ("done", "limit")


async def test_a_machine_that_stays_behind_ends_the_session(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortened(monkeypatch, 0.1)
    monkeypatch.setattr("thinlab.live.session.OVERTIME_S", 0.4)
    room.services.live.pulse.held = True
    page = await (await room.page(await room.typist())).over_socket()
    assert (await page.stage("ended", "void"))["reason"] == "host-behind"
    (session,) = await room.sessions()
    assert (session.state, session.reason) == ("void", "host-behind")


async def test_a_session_of_which_a_key_waited_too_long_is_void_and_offered_again(
    room: Room,
) -> None:
    room.services.live.pulse.limit_ms = 2_000.0
    room.lab.pty_after_ns = 3_000_000_000
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    page.say(type="finish")
    assert (await page.stage("void"))["reason"] == "host-behind"
    room.lab.pty_after_ns = 0
    room.services.live.pulse.limit_ms = 60_000.0
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    await finish(page)
    void, done = await room.sessions()
    assert (void.state, void.reason) == ("void", "host-behind")
    assert void.host_wait_max_ms is not None
    assert void.host_wait_max_ms >= 3_000
    assert done.state == "done"
    assert done.host_wait_max_ms is not None


def test_a_packet_that_the_emulator_kept_spoils_a_session_where_that_is_known() -> None:
    result = pb.TerminalResult()
    result.timing.forward.max_us = 300_000
    result.timing.backward.max_us = 2_000
    lane = pb.LaneSpec()
    assert emulator_late_ms(result, lane) == 300
    lane.forward.jitter_us = 5_000
    assert emulator_late_ms(result, lane) == 2
    lane.backward.rate_bit_per_s = 1_000_000
    assert emulator_late_ms(result, lane) == 0
