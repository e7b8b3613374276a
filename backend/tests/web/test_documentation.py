"""The documentation's site, as `make docs` builds it: searchable, for researchers only.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
import pytest_asyncio
from httpx import ASGITransport, AsyncClient

from tests.conftest import ORIGIN
from tests.made_up import sign_in
from thinlab.settings import CHECKOUT, Settings
from thinlab.web import documentation
from thinlab.web.app import make_app
from thinlab.web.routes import ROUTERS
from thinlab.web.services import Services

ASSET = re.compile(r'<(?:script|link|img)\b[^>]*?\b(?:src|href)="([^"]+)"')


@pytest.fixture(scope="module")
def site() -> Path:
    """As it was built last."""
    return Settings.read().need("docs")


@pytest_asyncio.fixture
async def reader(services: Services, site: Path) -> AsyncIterator[AsyncClient]:
    """A browser of nobody in particular."""
    app = make_app(services, None, (*ROUTERS, documentation.router(site)))
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as browser:
        yield browser


async def test_a_researcher_reads_it_with_all_that_a_page_needs(
    reader: AsyncClient, services: Services
) -> None:
    await sign_in(reader, services)
    assert (await reader.get("/docs")).headers["location"] == "/docs/"
    page = await reader.get("/docs/")
    assert page.status_code == 200
    assert "development.html" in page.text
    assets = [urljoin("/docs/", link) for link in ASSET.findall(page.text)]
    assert any(asset.endswith(".js") for asset in assets)
    assert any(asset.endswith(".css") for asset in assets)
    for asset in assets:
        assert (await reader.get(asset)).status_code == 200, asset


async def test_every_page_can_be_found(reader: AsyncClient, services: Services) -> None:
    await sign_in(reader, services)
    index = json.loads((await reader.get("/docs/search/search_index.json")).text)
    found = {entry["location"].split("#")[0] for entry in index["docs"]}
    pages = {path.with_suffix(".html").name for path in (CHECKOUT / "docs").glob("*.md")}
    assert pages - {"README.html"} <= found
    words = {entry["location"]: entry["text"] for entry in index["docs"]}
    assert "tcpti_rdb_bytes" in words["kernel.html#bundling"]


async def test_nobody_else_reads_it(reader: AsyncClient) -> None:
    for path in ("/docs/", "/docs/studies.html", "/docs/search/search_index.json"):
        answer = await reader.get(path)
        assert answer.headers["location"] == "/researcher", path
        assert not answer.text


async def test_nothing_beside_it_is_served(reader: AsyncClient, services: Services) -> None:
    await sign_in(reader, services)
    for path in ("/docs/%2e%2e/docs.key", "/docs/nowhere.html"):
        assert (await reader.get(path)).status_code == 404, path


def test_its_pages_fit_the_policy_of_all_others(site: Path) -> None:
    """Which lets a page run and look like what stands in files of this server only."""
    for page in site.rglob("*.html"):
        text = page.read_text()
        assert not re.search(r"<script>|<style", text), page
        assert not re.search(r"<[^>]+ (style|on\w+)=", text), page
        assert not re.search(r'<(?:script|link|img)\b[^>]*="https?:', text), page


async def test_where_it_is_not_built_it_says_so(services: Services, tmp_path: Path) -> None:
    app = make_app(services, None, (*ROUTERS, documentation.router(tmp_path)))
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as browser:
        await sign_in(browser, services)
        answer = await browser.get("/docs/")
    assert answer.status_code == 404
    assert "make docs" in answer.text
