"""What another site's page cannot make a browser do here, and how cookies are kept to us.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import replace

import pytest
from httpx import ASGITransport, AsyncClient

from tests.applications import app_over
from tests.conftest import ORIGIN
from tests.made_up import PASSWORD, Participant, sign_in
from thinlab.origin import Origin
from thinlab.study.catalogue import StoredStudy
from thinlab.web.services import Services

PUBLIC = "https://lab.example"
ELSEWHERE = ("https://evil.example", "null", "http://thinlab.test.evil.example", ORIGIN + ":81")


def at(services: Services, address: str, **said: str) -> AsyncClient:
    """A browser at an address that shows this server."""
    return AsyncClient(transport=ASGITransport(app_over(services)), base_url=address, headers=said)


@pytest.fixture
def public(services: Services, study: StoredStudy) -> Services:
    """Behind a proxy that speaks TLS for it."""
    assert study.slug == "demo"
    return replace(services, public_origin=Origin.parse(PUBLIC), strict_transport=True)


@pytest.mark.parametrize("origin", ELSEWHERE)
async def test_no_unsafe_request_of_another_sites_page_is_heard(
    browser: AsyncClient, services: Services, origin: str
) -> None:
    await sign_in(browser, services)
    person = await Participant.join(browser)
    for method, path in (
        ("POST", "/api/researcher/session"),
        ("DELETE", "/api/researcher/session"),
        ("POST", "/api/researcher/studies/demo/close"),
        ("POST", "/api/studies/demo/participants"),
        ("POST", "/api/demos/presenter"),
        ("POST", "/api/participation/votes"),
    ):
        headers = {**person.headers, "Origin": origin}
        answer = await browser.request(method, path, headers=headers, json={})
        assert (answer.status_code, answer.json()["type"]) == (403, "/problems/cross-site"), path
    assert (await browser.get("/api/researcher/studies")).status_code == 200
    own = await browser.delete("/api/researcher/session", headers={"Origin": ORIGIN})
    assert own.status_code == 204


async def test_behind_a_proxy_the_public_origin_and_plain_addresses_are_ours(
    public: Services,
) -> None:
    for address, origin, ours in (
        (PUBLIC, PUBLIC, True),
        # The proxy says its own name instead of the browser's.
        ("http://backend:8000", PUBLIC, True),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("http://192.0.2.7", "http://192.0.2.7", True),
        # Another's name, turned to this machine's address after its page was loaded.
        ("http://rebound.example", "http://rebound.example", False),
        ("http://lab.example", "http://lab.example", True),
        (PUBLIC, "https://lab.example:8443", False),
    ):
        async with at(public, address, Origin=origin) as browser:
            answer = await browser.post("/api/researcher/session", json={"password": "guessed"})
        # Whoever is heard is told that the password is wrong.
        expected = "/problems/wrong-password" if ours else "/problems/cross-site"
        assert answer.json()["type"] == expected, (address, origin)


async def test_behind_a_proxy_that_encrypts_cookies_are_kept_to_this_host(
    public: Services,
) -> None:
    async with at(public, "http://lab.example", Origin=PUBLIC) as proxied:
        await sign_in(proxied, public)
        answer = await proxied.post("/api/researcher/session", json={"password": PASSWORD})
        given = answer.headers["set-cookie"]
        name, attributes = given.split("=")[0], given.lower().split("; ")[1:]
        assert name == "__Host-researcher"
        assert {"secure", "httponly", "samesite=strict", "path=/"} <= set(attributes)
        assert not any(one.startswith("domain") for one in attributes)
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        token = given.split("=")[1].split(";")[0]
    async with at(public, "http://lab.example") as proxied:
        # A neighbour by name can set this one for us, but not the other.
        planted = {"Cookie": f"researcher={token}"}
        assert (await proxied.get("/api/researcher/studies", headers=planted)).status_code == 401
        kept = {"Cookie": f"__Host-researcher={token}"}
        assert (await proxied.get("/api/researcher/studies", headers=kept)).status_code == 200
    async with at(public, "http://lab.example", Origin=PUBLIC) as proxied:
        out = await proxied.delete(
            "/api/researcher/session", headers={"Cookie": f"__Host-researcher={token}"}
        )
        assert out.headers["set-cookie"].startswith('__Host-researcher=""')
        assert "secure" in out.headers["set-cookie"].lower()


async def test_on_this_machine_nothing_insists_on_encryption(public: Services) -> None:
    async with at(public, "http://127.0.0.1:8000") as here:
        await sign_in(here, public)
        assert "researcher" in here.cookies
        answer = await here.get("/api/researcher/studies")
        assert answer.status_code == 200
        assert "strict-transport-security" not in answer.headers
