"""A presenter and a listener of one demo after another: marks, switches, polls, votes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from tests.demo.conftest import SETTINGS
from tests.demo.pages import AudiencePage, ConsolePage
from tests.soak.ledger import KeptEvent, KeptPollVote
from tests.soak.people import World

DEMO_S = 40.0
OPENING_PATIENCE_S = 60.0
ANSWER_PATIENCE_S = 20.0
AGAIN_S = 0.5
PAUSE_S = 0.3

# Whatever a killed server, guest or database makes of a page's socket.
BROKEN_OFF = (AssertionError, OSError, TimeoutError, WebSocketException, httpx.HTTPError)


async def keep_presenting(world: World, token: str, stop: asyncio.Event) -> None:
    """One demo after another."""
    while not stop.is_set():
        try:
            async with world.client() as browser:
                await _present(world, browser, token, stop)
                world.done["demos ended"] += 1
        except BROKEN_OFF:
            world.done["demos broken off"] += 1
            await asyncio.sleep(AGAIN_S)


async def _present(
    world: World, browser: httpx.AsyncClient, token: str, stop: asyncio.Event
) -> None:
    signed_in = await browser.post("/api/demos/presenter", json={"token": token})
    signed_in.raise_for_status()
    body = {"title": "A soak", "settings": SETTINGS}
    async with asyncio.timeout(OPENING_PATIENCE_S):
        while (started := await browser.post("/api/demos", json=body)).status_code in {409, 503}:
            await asyncio.sleep(AGAIN_S)
    summary = started.raise_for_status().json()["summary"]
    console = ConsolePage(world.address, cookie=f"presenter={browser.cookies['presenter']}")
    phone = AudiencePage(world.address)
    try:
        async with asyncio.timeout(OPENING_PATIENCE_S):
            await console.open(f"/api/demos/{summary['demo_id']}/console")
            await phone.open(f"/api/audience/{summary['code']}/socket")
            await console.state(stage="running")
        await _at_work(world, summary["demo_id"], console, phone, stop)
        await _do(console, "end")
    finally:
        await console.close()
        await phone.close()


async def _at_work(
    world: World, demo_id: int, console: ConsolePage, phone: AudiencePage, stop: asyncio.Event
) -> None:
    loop = asyncio.get_running_loop()
    until, number = loop.time() + DEMO_S, 0
    while loop.time() < until and not stop.is_set():
        number += 1
        text = f"mark {number} of demo {demo_id}"
        done = await _do(console, "mark", text=text)
        if done["type"] == "done":
            world.ledger.enter(KeptEvent(demo_id, done["event"], text))
        await _do(console, "set_lane", lane=0, to=SETTINGS["lanes"][number % 2])
        if number % 4 == 0:
            await _poll(world, demo_id, console, phone)
        await asyncio.sleep(PAUSE_S)


async def _poll(world: World, demo_id: int, console: ConsolePage, phone: AudiencePage) -> None:
    if (await _do(console, "open_poll", question="Which?"))["type"] != "done":
        return
    poll = console.last("state")["poll"]["number"]
    since = len(phone.came)
    async with asyncio.timeout(ANSWER_PATIENCE_S):
        await phone.state(since)
        await phone.say(do="vote", choice="B")
        await phone.until(lambda one: one["type"] == "you" and one["voted"] == "B", since)
    world.ledger.enter(KeptPollVote(demo_id, poll, "B"))
    await _do(console, "close_poll")


async def _do(console: ConsolePage, do: str, **fields: Any) -> Mapping[str, Any]:  # noqa: ANN401
    async with asyncio.timeout(ANSWER_PATIENCE_S):
        return await console.do(do, **fields)
