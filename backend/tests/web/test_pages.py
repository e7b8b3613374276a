"""The built pages: every page's address leads to them, nothing else leaks out.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from tests.conftest import ORIGIN
from thinlab.web.app import make_app
from thinlab.web.services import Services


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A build with an asset, its source map, and a secret beside the folder."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>page")
    (folder / "assets" / "app-1a2b.js").write_text("app")
    (folder / "assets" / "app-1a2b.js.map").write_text("names")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


async def test_pages(services: Services, pages: Path) -> None:
    transport = ASGITransport(make_app(services, pages))
    async with AsyncClient(transport=transport, base_url=ORIGIN) as browser:
        for path in (
            "/",
            "/s/demo",
            "/s/demo/",
            "/researcher",
            "/researcher/studies/demo",
            "/demo",
            "/demo/replay/some.token",
            "/d",
            "/d/BCDFGH",
        ):
            page = await browser.get(path)
            assert page.status_code == 200, path
            assert page.text == "<!doctype html>page"
            assert page.headers["cache-control"] == "no-cache"
        asset = await browser.get("/assets/app-1a2b.js")
        assert asset.text == "app"
        assert "immutable" in asset.headers["cache-control"]
        for path in (
            "/assets/app-1a2b.js.map",
            "/assets/gone.js",
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/%2e%2e/%2e%2e/secret.txt",
            "/api/nothing",
            "/openapi.json",
        ):
            answer = await browser.get(path)
            assert answer.status_code == 404, path
            assert "secret" not in answer.text


async def test_an_address_without_a_page_is_told_so(services: Services, pages: Path) -> None:
    transport = ASGITransport(make_app(services, pages))
    async with AsyncClient(transport=transport, base_url=ORIGIN) as browser:
        for path in ("/nowhere", "/s", "/s/demo/more", "/researchers", "/d/a/b", "/assets"):
            answer = await browser.get(path)
            assert answer.status_code == 404, path
            assert answer.text == "<!doctype html>page"


async def test_pages_that_are_not_built_say_so(services: Services, tmp_path: Path) -> None:
    transport = ASGITransport(make_app(services, tmp_path / "none"))
    async with AsyncClient(transport=transport, base_url=ORIGIN) as browser:
        answer = await browser.get("/")
        assert answer.status_code == 503
        assert "make run" in answer.text
