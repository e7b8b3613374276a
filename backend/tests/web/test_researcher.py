"""The researcher's account: one password, sessions out of a script's reach, closed doors.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from tests.conftest import ORIGIN
from tests.made_up import PASSWORD, Participant, sign_in
from thinlab.researcher import account
from thinlab.web.services import Services

INSIDE = (
    "/api/researcher/studies",
    "/api/researcher/studies/demo",
    "/api/researcher/studies/demo/monitor",
    "/api/researcher/studies/demo/participants",
    "/api/researcher/studies/demo/invitations",
    "/api/researcher/studies/demo/plan",
    "/api/researcher/studies/demo/results",
    "/api/researcher/studies/demo/looks",
    "/api/researcher/studies/demo/power",
    "/api/researcher/studies/demo/delay",
    "/api/researcher/studies/demo/recordings",
    "/api/researcher/studies/demo/export.csv",
    "/api/researcher/studies/demo/codebook.csv",
    "/api/researcher/experiments",
    "/api/researcher/recordings/1/audio",
    "/api/researcher/recordings/1/captures/sender.pcapng",
)


@pytest.mark.parametrize("path", INSIDE)
async def test_doors_are_closed_and_open(
    browser: AsyncClient, services: Services, path: str
) -> None:
    refused = await browser.get(path)
    assert refused.status_code == 401
    assert refused.headers["content-type"] == "application/problem+json"
    person = await Participant.join(browser)
    assert (await browser.get(path, headers=person.headers)).status_code == 401
    await sign_in(browser, services)
    assert (await browser.get(path)).status_code == 200


async def test_the_first_password_needs_the_printed_token(
    browser: AsyncClient, services: Services
) -> None:
    state = (await browser.get("/api/researcher/state")).json()
    assert state == {"password_set": False, "signed_in": False}
    wrong = {"setup_token": "x" * 27, "password": PASSWORD}
    assert (await browser.post("/api/researcher/password", json=wrong)).status_code == 403
    short = wrong | {"password": "short"}
    assert (await browser.post("/api/researcher/password", json=short)).status_code == 422
    await sign_in(browser, services)
    state = (await browser.get("/api/researcher/state")).json()
    assert state == {"password_set": True, "signed_in": True}
    async with services.database.transaction() as session:
        assert await account.new_setup_token(session) is None
    assert (await browser.post("/api/researcher/password", json=wrong)).status_code == 409


async def test_signing_in_and_out(app: FastAPI, browser: AsyncClient, services: Services) -> None:
    await sign_in(browser, services)
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as other:
        wrong = await other.post("/api/researcher/session", json={"password": "not it at all"})
        assert wrong.status_code == 403
        right = await other.post("/api/researcher/session", json={"password": PASSWORD})
        assert right.status_code == 204
        cookie = right.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert (await other.get("/api/researcher/studies")).status_code == 200
        token = other.cookies["researcher"]
        await other.delete("/api/researcher/session")
        other.cookies.set("researcher", token)
        assert (await other.get("/api/researcher/studies")).status_code == 401
    assert (await browser.get("/api/researcher/studies")).status_code == 200


async def test_another_sites_page_cannot_act(browser: AsyncClient, services: Services) -> None:
    await sign_in(browser, services)
    answer = await browser.post(
        "/api/researcher/studies/demo/record", headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status_code == 403


async def test_a_forgotten_password_can_be_reset(browser: AsyncClient, services: Services) -> None:
    await sign_in(browser, services)
    async with services.database.transaction() as session:
        await account.reset(session)
    assert (await browser.get("/api/researcher/studies")).status_code == 401
    await sign_in(browser, services)


async def test_every_response_is_guarded(browser: AsyncClient) -> None:
    for path in ("/api/studies/demo", "/api/nowhere", "/s/demo", "/api/researcher/studies"):
        headers = (await browser.get(path)).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-embedder-policy"] == "require-corp"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
