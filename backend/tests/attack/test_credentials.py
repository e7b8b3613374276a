"""Old tokens, old sessions, other sites' pages, cookies of neighbours.

SPDX-License-Identifier: Apache-2.0
"""

import httpx
import pytest
from sqlalchemy import text

from tests.attack.aim import Instance
from tests.attack.conftest import PATIENCE_S
from tests.made_up import PASSWORD, sign_in
from thinlab.researcher import access_token, account
from thinlab.researcher.access_token import Purpose

EVIL = "https://evil.example"
ACTS = (
    ("POST", "/api/researcher/session"),
    ("DELETE", "/api/researcher/session"),
    ("DELETE", "/api/researcher/sessions"),
    ("POST", "/api/researcher/password"),
    ("POST", "/api/demos"),
    ("POST", "/api/demos/presenter"),
    ("POST", "/api/participation/withdrawal"),
    ("POST", "/api/live/offer"),
)


@pytest.mark.parametrize(("method", "path"), ACTS)
@pytest.mark.parametrize("origin", [EVIL, "null"])
async def test_another_sites_page_can_make_a_browser_do_nothing(
    stranger: httpx.AsyncClient, method: str, path: str, origin: str
) -> None:
    answer = await stranger.request(method, path, headers={"Origin": origin}, json={})
    assert (answer.status_code, answer.json()["type"]) == (403, "/problems/cross-site")


async def test_invented_credentials_open_nothing(stranger: httpx.AsyncClient) -> None:
    for name in ("researcher", "presenter", "__Host-researcher", "__Host-presenter"):
        headers = {"Cookie": f"{name}={'A' * 27}"}
        for path in ("/api/researcher/studies", "/api/researcher/audit", "/api/demos"):
            assert (await stranger.get(path, headers=headers)).status_code == 401, (name, path)


async def test_a_setup_token_is_good_once(own: Instance) -> None:
    assert own.inside is not None
    async with own.inside.database.transaction() as session:
        token = await account.new_setup_token(session)
    body = {"setup_token": token, "password": PASSWORD}
    async with httpx.AsyncClient(base_url=own.url, timeout=PATIENCE_S) as thief:
        path = "/api/researcher/password"
        assert (await thief.post(path, json=body)).status_code == 204
        again = await thief.post(path, json=body | {"password": "the thief's own one"})
        assert again.status_code == 409
        async with own.inside.database.transaction() as session:
            await account.reset(session)
        stale = await thief.post(path, json=body | {"password": "the thief's own one"})
        assert (stale.status_code, stale.json()["type"]) == (403, "/problems/wrong-setup-token")


async def test_a_presenters_token_of_yesterday_opens_nothing(own: Instance) -> None:
    assert own.inside is not None
    async with own.inside.database.transaction() as session:
        token = await access_token.make(session, Purpose.PRESENTER)
        await session.execute(
            text(
                "with old as (delete from access_token returning *) insert into access_token "
                "select purpose, token_hash, made_at, now() from old"
            )
        )
    async with httpx.AsyncClient(base_url=own.url, timeout=PATIENCE_S) as thief:
        answer = await thief.post("/api/demos/presenter", json={"token": token})
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


async def test_a_stolen_cookie_ends_with_signing_out_everywhere(own: Instance) -> None:
    assert own.inside is not None
    async with httpx.AsyncClient(base_url=own.url, timeout=PATIENCE_S) as researcher:
        await sign_in(researcher, own.inside)
        stolen = {"Cookie": f"researcher={researcher.cookies['researcher']}"}
        async with httpx.AsyncClient(base_url=own.url, headers=stolen, timeout=PATIENCE_S) as thief:
            assert (await thief.get("/api/researcher/studies")).status_code == 200
            assert (await researcher.delete("/api/researcher/sessions")).status_code == 204
            assert (await thief.get("/api/researcher/studies")).status_code == 401
            assert (await thief.delete("/api/researcher/sessions")).status_code == 401
