"""The pool of live hosts: used evenly, and honest about why nothing can be typed.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest
from httpx import AsyncClient

from tests.live.conftest import Room
from tests.live.stand_in_terminal import LiveStandIn
from tests.made_up import sign_in
from tests.stand_in import StandIn, serving
from thinlab.bots.researcher import ResearcherError, answer_key
from thinlab.lab.live_hosts import LiveHosts, NoHostError


async def test_the_host_with_the_fewest_sessions_comes_next(tmp_path: Path) -> None:
    lab = LiveStandIn()
    async with serving(lab, tmp_path / "a") as one, serving(lab, tmp_path / "b") as other:
        hosts = LiveHosts((one, other))
        await hosts.look()
        first, second = hosts.take(), hosts.take()
        assert first is not second
        hosts.give_back(second)
        assert hosts.take() is second
        await hosts.close()


async def test_a_host_that_is_away_or_of_the_wrong_kind_gets_nothing(tmp_path: Path) -> None:
    virtual = StandIn()  # type: ignore[abstract]  # nobody asks for a live run
    lab = LiveStandIn()
    nowhere = f"unix:{tmp_path}/nowhere"
    async with serving(virtual, tmp_path / "v") as one:
        hosts = LiveHosts((one, nowhere))
        with pytest.raises(NoHostError):
            hosts.take()
        await hosts.look()
        problem = hosts.problem or ""
        assert "start it with `--clock real`" in problem
        assert nowhere in problem
        await hosts.close()
        async with serving(lab, tmp_path / "l") as well:
            hosts = LiveHosts((one, well, nowhere))
            await hosts.look()
            assert hosts.problem is None
            assert hosts.take() is hosts.take()
            await hosts.close()


async def test_without_a_host_nobody_is_taken_and_the_researcher_is_told_why(
    room: Room, browser: AsyncClient
) -> None:
    await sign_in(room.browser, room.services)
    typist = await room.typist()
    page = await room.page(typist)
    room.services.live.hosts._hosts[0].problem = "it has no terminals; give it `--terminal`"
    assert (await room.browser.get("/api/studies/typing")).json()["state"] == "preparing"
    path = "/api/studies/typing/participants"
    body = {"consent_version": "1", "join_key": "8f2f7f8e-3c57-4c50-8a39-6a94d4a90a51"}
    joined = await room.browser.post(path, json=body)
    assert (joined.status_code, joined.json()["type"]) == (503, "/problems/no-host")
    assert joined.headers["Retry-After"] == "2"
    assert "recording" not in joined.text
    seen = (await room.browser.get("/api/researcher/studies/typing")).json()
    assert "give it `--terminal`" in seen["live_lab_problem"]
    # Bots would wait, as a page does, for what may never come.
    with pytest.raises(ResearcherError, match="give it `--terminal`"):
        await answer_key(room.browser, "typing", {})
    heard = (await room.browser.get("/api/researcher/studies/demo")).json()
    assert heard["live_lab_problem"] is None
    # Who is under way is told to come back.
    await page.over_socket()
    assert await page.refused() == "no-host"
    assert browser is not room.browser
    # The host is back: what was sent before is sent again.
    room.services.live.hosts._hosts[0].problem = None
    assert (await room.browser.get("/api/studies/typing")).json()["state"] == "open"
    assert (await room.browser.post(path, json=body)).status_code == 201
