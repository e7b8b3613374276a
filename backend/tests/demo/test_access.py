"""Who may present, who may not, and what a presenter cannot reach.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from httpx import AsyncClient

from tests.demo.conftest import SETTINGS, Stage
from tests.demo.pages import ConsolePage
from tests.made_up import sign_in
from tests.running.thinlab_process import PATIENCE_S
from thinlab.researcher import access_token
from thinlab.researcher.access_token import Purpose

INSIDE = [
    ("GET", "/api/demos"),
    ("GET", "/api/demos/options"),
    ("POST", "/api/demos"),
    ("GET", "/api/demos/1"),
    ("DELETE", "/api/demos/1"),
    ("POST", "/api/demos/1/share"),
    ("DELETE", "/api/demos/1/share"),
    ("POST", "/api/demos/1/listen"),
    ("POST", "/api/demos/1/microphone"),
    ("GET", "/api/demos/1/feed"),
    ("GET", "/api/demos/1/events"),
    ("GET", "/api/demos/1/results"),
    ("GET", "/api/demos/1/takes/1/lanes/0/sender.pcapng"),
]


@pytest.mark.parametrize(("method", "path"), INSIDE)
async def test_nobody_gets_in_without_a_session(stage: Stage, method: str, path: str) -> None:
    for cookie in (None, "presenter=", "presenter=forged", "researcher=forged"):
        headers = {} if cookie is None else {"Cookie": cookie}
        async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as stranger:
            answer = await stranger.request(method, path, headers=headers)
        assert answer.status_code == 401
        assert answer.json()["remedy"]


async def test_the_printed_token_opens_demos_and_nothing_else(stage: Stage) -> None:
    async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as browser:
        said = (await browser.get("/api/demos/presenter")).json()
        assert said == {"allowed": False, "researcher": False}
        wrong = await browser.post("/api/demos/presenter", json={"token": "guessed"})
        assert (wrong.status_code, wrong.json()["field"]) == (403, "token")
        assert not browser.cookies
        async with stage.services.database.transaction() as session:
            token = await access_token.make(session, Purpose.PRESENTER)
        right = await browser.post("/api/demos/presenter", json={"token": token})
        assert right.status_code == 204
        given = right.headers["set-cookie"]
        assert "HttpOnly" in given
        assert "SameSite=strict" in given
        assert token not in given
        assert (await browser.get("/api/demos/presenter")).json()["allowed"]
        assert (await browser.get("/api/demos")).status_code == 200
        for path in ("/api/researcher/studies/demo", "/api/researcher/studies/demo/results"):
            assert (await browser.get(path)).status_code == 401
        crossing = await browser.post(
            "/api/demos",
            json={"title": "A demo", "settings": SETTINGS},
            headers={"Sec-Fetch-Site": "cross-site"},
        )
        assert crossing.status_code == 403


async def test_a_researcher_may_present_too(stage: Stage) -> None:
    async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as browser:
        await sign_in(browser, stage.services)
        assert (await browser.get("/api/demos/presenter")).json() == {
            "allowed": True,
            "researcher": True,
        }
        answer = await browser.post("/api/demos", json={"title": "A demo", "settings": SETTINGS})
        assert answer.status_code == 201, answer.text
        demo_id = answer.json()["summary"]["demo_id"]
        page = ConsolePage(stage.address, cookie=f"researcher={browser.cookies['researcher']}")
        stage.pages.append(page)
        await page.open(f"/api/demos/{demo_id}/console")
        await page.state(stage="running")


async def test_sockets_say_why_they_are_closed(stage: Stage) -> None:
    summary, console = await stage.running()
    demo_id = summary["demo_id"]

    async def sent_away(path: str, cookie: str | None, *, hello: bool = True) -> tuple[int, str]:
        page = ConsolePage(stage.address, cookie=cookie)
        stage.pages.append(page)
        await page.open(path, hello=False)
        if hello:
            await page.say_raw('{"do": "end", "command": 1}')
        return await page.sent_away()

    code, remedy = await sent_away(f"/api/demos/{demo_id}/console", None, hello=False)
    assert (code, bool(remedy)) == (4401, True)
    code, _ = await sent_away(f"/api/demos/{demo_id}/console", "presenter=forged", hello=False)
    assert code == 4401
    for absent in (demo_id + 1, 0, -1, 2**70):
        code, _ = await sent_away(f"/api/demos/{absent}/console", stage.cookie, hello=False)
        assert code == 4404
    code, _ = await sent_away(f"/api/demos/{demo_id}/console", stage.cookie)
    assert code == 1008, "what is no hello does nothing"
    code, _ = await sent_away("/api/audience/NOSUCH/socket", None, hello=False)
    assert code == 4404
    assert (await console.do("mark", text="still running"))["type"] == "done"
    await console.do("end")
    await stage.over(demo_id)
    code, _ = await sent_away(f"/api/demos/{demo_id}/console", stage.cookie, hello=False)
    assert code == 4410


async def test_another_sites_page_gets_no_socket(stage: Stage) -> None:
    summary = await stage.start()
    page = ConsolePage(stage.address, cookie=stage.cookie)
    page.headers["Origin"] = "http://elsewhere.test"
    with pytest.raises(Exception, match="403"):
        await page.open(f"/api/demos/{summary['demo_id']}/console")
