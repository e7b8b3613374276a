"""Sessions and tokens end: by themselves, by whoever holds them, and everywhere at once.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from datetime import timedelta

import pytest
from httpx import AsyncClient
from sqlalchemy import text

from tests.demo.conftest import SETTINGS, Stage, stage
from tests.demo.pages import ConsolePage
from tests.made_up import PASSWORD, sign_in
from tests.running.thinlab_process import PATIENCE_S
from thinlab.database.engine import Database
from thinlab.researcher import access_token, account, sessions
from thinlab.researcher.access_token import Purpose
from thinlab.researcher.sessions import Role
from thinlab.web import demo_console
from thinlab.web.services import Services

__all__ = ["stage"]

INSIDE = "/api/researcher/studies"
UNTOUCHED = {"Thinlab-Untouched": "1"}


# The server's role may replace a token, not change it.
LATER = {
    "web_session": "update web_session set created_at = created_at - make_interval(secs => :s), "
    "used_at = used_at - make_interval(secs => :s), "
    "expires_at = expires_at - make_interval(secs => :s)",
    "access_token": "with old as (delete from access_token returning *) insert into access_token "
    "select purpose, token_hash, made_at - make_interval(secs => :s), "
    "expires_at - make_interval(secs => :s) from old",
}


async def later(database: Database, table: str, hours: float) -> None:
    """As if so much time had passed."""
    async with database.transaction() as session:
        await session.execute(text(LATER[table]), {"s": hours * 3600})


async def status(browser: AsyncClient, **headers: str) -> int:
    return (await browser.get(INSIDE, headers=headers)).status_code


async def test_a_session_that_nobody_uses_ends_and_one_in_use_goes_on(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    for _ in range(3):
        await later(services.database, "web_session", 11)
        assert await status(browser) == 200
    # A forgotten tab asks by itself: that is no use.
    await later(services.database, "web_session", 11)
    assert await status(browser, **UNTOUCHED) == 200
    await later(services.database, "web_session", 1.1)
    assert await status(browser, **UNTOUCHED) == 401
    assert await status(browser) == 401


async def test_a_session_ends_however_busy_it_is(browser: AsyncClient, services: Services) -> None:
    await sign_in(browser, services)
    longest = sessions.LONGEST[Role.RESEARCHER]
    for _ in range(longest // timedelta(hours=11)):
        await later(services.database, "web_session", 11)
        assert await status(browser) == 200
    await later(services.database, "web_session", 11)
    assert await status(browser) == 401


async def test_a_setup_token_is_told_once_good_once_and_for_a_day(
    browser: AsyncClient, services: Services
) -> None:
    async with services.database.transaction() as session:
        first = await account.first_setup_token(session)
        assert first is not None
        assert await account.first_setup_token(session) is None, "it was told already"
        second = await account.new_setup_token(session)
    assert second is not None

    async def use(token: str) -> str:
        body = {"setup_token": token, "password": PASSWORD}
        answer = await browser.post("/api/researcher/password", json=body)
        return "taken" if answer.status_code == 204 else str(answer.json()["type"])

    assert await use(first) == "/problems/wrong-setup-token", "another took its place"
    await later(services.database, "access_token", 25)
    assert await use(second) == "/problems/wrong-setup-token", "it has ended"
    async with services.database.transaction() as session:
        third = await account.new_setup_token(session)
    assert third is not None
    assert await use(third) == "taken"
    assert await use(third) == "/problems/password-set"
    async with services.database.transaction() as session:
        fourth = await account.reset(session)
    assert await status(browser) == 401
    assert await use(third) == "/problems/wrong-setup-token"
    assert await use(fourth) == "taken"


async def test_tokens_are_stored_as_hashes_only(services: Services) -> None:
    async with services.database.transaction() as session:
        token = await access_token.make(session, Purpose.PRESENTER)
        opened = await sessions.begin(session, Role.PRESENTER)
        for table in ("access_token", "web_session", "server_secret", "audit_entry"):
            rows = await session.execute(text(f"select t::text from {table} t"))  # noqa: S608
            stored = " ".join(row[0] for row in rows)
            assert token not in stored
            assert token.encode().hex() not in stored
            assert opened not in stored


async def test_the_web_servers_next_start_keeps_the_token_of_the_run(services: Services) -> None:
    async with services.database.transaction() as session:
        assert await access_token.at_start(session, "printed") == "printed"
        opened = await sessions.begin(session, Role.PRESENTER)
        assert await access_token.at_start(session, "printed") == "printed"
        assert await sessions.is_live(session, Role.PRESENTER, opened)
        # The next run's: whoever came by the last one's is out.
        await access_token.at_start(session, "another")
        assert not await access_token.is_right(session, Purpose.PRESENTER, "printed")
        assert not await sessions.is_live(session, Role.PRESENTER, opened)


async def test_a_presenters_token_ends_and_can_be_revoked(stage: Stage) -> None:
    services = stage.services
    async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as browser:
        await sign_in(browser, services)

        async def present(token: str) -> int:
            async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as other:
                answer = await other.post("/api/demos/presenter", json={"token": token})
                return answer.status_code

        async def fresh() -> str:
            made = await browser.post("/api/researcher/presenter-token")
            assert made.headers["cache-control"] == "no-store"
            return str(made.json()["path"]).removeprefix("/demo#present=")

        first, second = await fresh(), await fresh()
        assert [await present(first), await present(second)] == [403, 204]
        said = (await browser.get("/api/researcher/access")).json()
        assert (said["researcher_sessions"], said["presenter_sessions"]) == (1, 1)
        await later(services.database, "access_token", 25)
        assert await present(second) == 403
        assert (await browser.get("/api/researcher/access")).json()["presenter_token"] is None
        third = await fresh()
        assert await present(third) == 204
        assert (await browser.delete("/api/researcher/presenter-token")).status_code == 204
        assert await present(third) == 403
        assert (await browser.get("/api/researcher/access")).json()["presenter_sessions"] == 0


async def test_a_presenter_can_sign_out(stage: Stage) -> None:
    kept = stage.browser.cookies["presenter"]
    out = await stage.browser.delete("/api/demos/presenter")
    assert out.headers["set-cookie"].startswith('presenter=""')
    async with AsyncClient(
        base_url=stage.address, cookies={"presenter": kept}, timeout=PATIENCE_S
    ) as browser:
        assert (await browser.get("/api/demos")).status_code == 401


async def test_signing_out_everywhere_reaches_an_open_console(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_console, "ACCESS_LOOK_S", 0.05)
    _, console = await stage.running()
    async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as browser:
        await sign_in(browser, stage.services)
        async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as other:
            await other.post("/api/researcher/session", json={"password": PASSWORD})
            own = ConsolePage(stage.address, cookie=f"researcher={other.cookies['researcher']}")
            stage.pages.append(own)
            (demo,) = (await other.get("/api/demos")).json()["demos"]
            await own.open(f"/api/demos/{demo['demo_id']}/console")
            await own.state(stage="running")
            assert (await own.do("mark", text="still in"))["type"] == "done"
            out = await browser.delete("/api/researcher/sessions")
            assert out.status_code == 204
            assert "researcher" not in browser.cookies
            assert (await other.get(INSIDE)).status_code == 401
        for page in (console, own):
            code, _ = await asyncio.wait_for(page.sent_away(), 60)
            assert code == 4401
        started = await stage.browser.post("/api/demos", json={"title": "x", "settings": SETTINGS})
        assert started.status_code == 401
