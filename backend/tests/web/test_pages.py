"""The built pages: every page's address leads to them, nothing else leaks out.

SPDX-License-Identifier: Apache-2.0
"""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
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


@pytest_asyncio.fixture
async def browser(services: Services, pages: Path) -> AsyncIterator[AsyncClient]:
    """Somebody's, where the pages are served."""
    transport = ASGITransport(make_app(services, pages))
    async with AsyncClient(transport=transport, base_url=ORIGIN) as browser:
        yield browser


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/s/demo",
        "/s/demo/",
        "/researcher",
        "/researcher/studies/demo",
        "/demo",
        "/demo/replay/some.token",
        "/d",
        "/d/BCDFGH",
    ],
)
async def test_every_page_s_address_leads_to_the_pages(browser: AsyncClient, path: str) -> None:
    page = await browser.get(path)
    assert page.status_code == 200
    assert page.text == "<!doctype html>page"
    assert page.headers["cache-control"] == "no-cache"


async def test_an_asset_is_kept_for_good(browser: AsyncClient) -> None:
    asset = await browser.get("/assets/app-1a2b.js")
    assert asset.text == "app"
    assert "immutable" in asset.headers["cache-control"]


async def expect_nothing(browser: AsyncClient, path: str) -> None:
    answer = await browser.get(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/%2e%2e/%2e%2e/secret.txt"]
)
async def test_nothing_beside_the_pages_leaks_out(browser: AsyncClient, path: str) -> None:
    await expect_nothing(browser, path)


@pytest.mark.parametrize(
    "path", ["/assets/app-1a2b.js.map", "/assets/gone.js", "/api/nothing", "/openapi.json"]
)
async def test_what_is_neither_page_nor_asset_is_not_there(browser: AsyncClient, path: str) -> None:
    await expect_nothing(browser, path)


@pytest.mark.parametrize(
    "path", ["/nowhere", "/s", "/s/demo/more", "/researchers", "/d/a/b", "/assets"]
)
async def test_an_address_without_a_page_is_told_so(browser: AsyncClient, path: str) -> None:
    answer = await browser.get(path)
    assert answer.status_code == 404
    assert answer.text == "<!doctype html>page"


@pytest.mark.parametrize(
    "path",
    ["/%00", "/s/%00", "/" + "x" * 300, "/assets/" + "x" * 300, "/" + "a/" * 14_000],
    ids=["NUL", "NUL behind a page", "a long part", "one behind a folder", "many parts"],
)
async def test_an_address_that_no_file_can_have_is_not_there_and_not_logged(
    browser: AsyncClient, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "thinlab")
    answer = await browser.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert caplog.records == []


async def test_pages_that_are_not_built_say_so(services: Services, tmp_path: Path) -> None:
    transport = ASGITransport(make_app(services, tmp_path / "none"))
    async with AsyncClient(transport=transport, base_url=ORIGIN) as browser:
        answer = await browser.get("/")
        assert answer.status_code == 503
        assert "make run" in answer.text
