"""The server is killed while somebody types: the session is void, what was acknowledged stays.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest_asyncio
from httpx import AsyncClient

from tests.live.conftest import COPY, SCALE
from tests.live.page import Page
from tests.live.stand_in_terminal import LiveStandIn
from tests.made_up import Participant, block, typing_definition
from tests.running.thinlab_process import PATIENCE_S, ThinlabProcess, environment, free_port
from tests.stand_in import serving

# Whatever network there is to this machine itself.
ANY_NETWORK = {"rtt_ms_at_most": 10_000, "jitter_ms_at_most": 10_000, "lost_share_at_most": 1}
TASKS = {"sentences": {"kind": "copy", "text": "A thin\nstream.", "limit_s": 60, "least_keys": 5}}
TWO_TRIALS = [COPY, COPY | {"id": "again", "seed": 2}]


def environment_with_two_trials(data_folder: Path, folder: Path, lab: str) -> dict[str, str]:
    """Of a run whose only study is typed."""
    settings = environment(data_folder / uuid.uuid4().hex, folder, lab)
    survey = Path(settings["THINLAB_SURVEY"])
    (survey / "demo.yaml").unlink()
    study = typing_definition(
        blocks=[block(TWO_TRIALS, scale=SCALE)], connection=ANY_NETWORK, tasks=TASKS
    )
    as_file = study.model_dump(mode="json", exclude_unset=True)
    (survey / "typing.yaml").write_text(json.dumps(as_file))
    return settings


@pytest_asyncio.fixture
async def thinlab(data_folder: Path, tmp_path: Path) -> AsyncIterator[ThinlabProcess]:
    """A run with a typing study and a live lab that echoes."""
    agent = LiveStandIn()
    async with serving(agent, tmp_path / "lab.sock") as lab:
        settings = environment_with_two_trials(data_folder, tmp_path, lab)
        process = ThinlabProcess(settings | {"THINLAB_LIVE_LAB": lab}, free_port())
        await process.start()
        yield process
        await process.stop()


async def open_again(browser: AsyncClient) -> None:
    """Returns once the server answers, and there is something to type on."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                if (await browser.get("/api/studies/typing")).json().get("state") == "open":
                    return
            except httpx.HTTPError:
                pass
            await asyncio.sleep(0.05)


async def page_let_in(thinlab: ThinlabProcess, typist: Participant, place: str) -> Page:
    """A page of the open trial. It comes again while a server that has just started is busy."""
    trial = await typist.open_trial()
    async with asyncio.timeout(PATIENCE_S):
        while True:
            page = Page(thinlab.address, typist.token, trial[place]["session_token"])
            await page.over_socket()
            await page.until(lambda page: bool(page.openings))
            if page.openings[0]["type"] == "welcome":
                return page
            assert page.openings[0]["code"] == "busy"
            await page.close()
            # Asked without a pause, it would be busy with that.
            await asyncio.sleep(0.2)


async def type_session(thinlab: ThinlabProcess, typist: Participant, place: str) -> None:
    page = await page_let_in(thinlab, typist, place)
    await page.stage("ready")
    for letter in "A thin":
        await page.seen(page.press(letter))
    page.say(type="finish")
    assert (await page.stage("ended", "void"))["stage"] == "ended"
    await page.close()


async def test_a_killed_server_loses_a_session_under_way_and_nothing_else(
    thinlab: ThinlabProcess,
) -> None:
    async with AsyncClient(base_url=thinlab.address, timeout=30) as browser:
        await open_again(browser)
        typist = await Participant.join(browser, "typing")
        check = await Page(thinlab.address, typist.token, None).over_socket()
        await check.until(lambda page: any(one["type"] == "verdict" for one in page.said))
        await check.close()
        for place in ("first", "second"):
            await type_session(thinlab, typist, place)
        voted = await typist.vote((await typist.open_trial())["trial_token"], noticeable=2)
        assert voted.status_code in {200, 201}
        await type_session(thinlab, typist, "first")

        page = await page_let_in(thinlab, typist, "second")
        await page.stage("ready")
        await page.seen(page.press("A"))
        thinlab.child("thinlab serve").kill()
        await thinlab.line("is back")
        await open_again(browser)

        # The page comes back with a link that nobody knows any more.
        await page.cut()
        await page.over_socket()
        assert await page.refused() == "link-lost"
        await page.close()
        assert (await typist.progress())["trials_done"] == 1
        trial = await typist.open_trial()
        assert trial["position"] == 2
        assert (trial["first"]["done"], trial["second"]["done"]) == (True, False)
        await type_session(thinlab, typist, "second")
        voted = await typist.vote(trial["trial_token"], noticeable=1)
        assert voted.status_code in {200, 201}
        assert (await typist.progress())["state"] == "complete"
