"""The researcher's experiments over HTTP: who gets in, what is handed out, under which policy.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import re
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from httpx import ASGITransport, AsyncClient

from tests.applications import app_over
from tests.conftest import ORIGIN
from tests.experiment.commands import SMALL
from tests.experiment.desk.errands_here import ErrandsHere
from tests.experiment.made_up_results import SESSIONS, put_results
from tests.made_up import Participant, sign_in
from thinlab.experiment.desk.desk import ExperimentDesk
from thinlab.experiment.desk.places import Places
from thinlab.experiment.run_state import FILE, RunState
from thinlab.researcher import sessions
from thinlab.researcher.sessions import Role
from thinlab.study.catalogue import StoredStudy
from thinlab.web.services import Services

AT = "/api/researcher/experiments"
KEY = "0" * 32
REFUSED = {400, 404, 405, 422}
INSIDE = (
    ("GET", AT),
    ("GET", f"{AT}/small"),
    ("GET", f"{AT}/small/report"),
    ("GET", f"{AT}/small/cells"),
    ("GET", f"{AT}/small/cells/0123456789ab"),
    ("GET", f"{AT}/small/sessions/{KEY}"),
    ("POST", f"{AT}/small/sessions/{KEY}/again"),
    ("GET", f"{AT}/small/sessions/{KEY}/captures/0/sender.pcapng"),
    ("GET", f"{AT}/small/sessions/{KEY}/analysis/0"),
)
STRANGE = (
    *("%2e%2e", "..%2f..%2fetc%2fpasswd", "small%2f..%2fsmall", "sessions", "small%00"),
    *("Small", "a" * 65, "small.parquet", "%ff", "nothing"),
)


@dataclass(frozen=True)
class Laboratory:
    """A server that has results of the small grid."""

    browser: AsyncClient
    services: Services
    places: Places
    errands: ErrandsHere

    async def get(self, path: str = "", **more: Any) -> dict[str, Any]:  # noqa: ANN401
        """An answer, which has to be there."""
        answer = await self.browser.get(f"{AT}{path}", **more)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def read(self) -> dict[str, Any]:
        """The list, once all of it has been read."""
        while (listed := await self.get())["reading"]:
            await asyncio.sleep(0.01)
        return listed

    async def a_session(self) -> str:
        """The address of the first one."""
        await self.read()
        [cell, *_] = (await self.get("/small/cells"))["cells"]
        [session, *_] = (await self.get(f"/small/cells/{cell['address']}"))["sessions"]
        return f"/small/sessions/{session['key']}"


@pytest_asyncio.fixture
async def laboratory(
    services: Services, study: StoredStudy, tmp_path: Path
) -> AsyncIterator[Laboratory]:
    """Nobody has signed in yet."""
    assert study.slug == "demo"
    places = Places(tmp_path / "shipped", tmp_path / "results", tmp_path / "own", "a build")
    for folder in (places.shipped, places.results):
        folder.mkdir()
    shutil.copy(SMALL, places.shipped / "never-run.yaml")
    shutil.copy(SMALL.with_name("small-published.yaml"), places.shipped)
    put_results(places.results)
    errands = ErrandsHere(places)
    desk = ExperimentDesk(places, errands)
    here = replace(services, experiments=desk)
    app = app_over(here)
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as browser:
        yield Laboratory(browser, here, places, errands)
    await desk.close()


@pytest.mark.parametrize(("method", "path"), INSIDE)
async def test_experiments_are_the_researchers_alone(
    laboratory: Laboratory, method: str, path: str
) -> None:
    browser = laboratory.browser
    person = await Participant.join(browser)
    async with laboratory.services.database.transaction() as session:
        presenter = await sessions.begin(session, Role.PRESENTER)
    for headers in (
        {},
        person.headers,
        {"Cookie": "researcher=forged"},
        {"Cookie": f"presenter={presenter}"},
        {"Cookie": f"researcher={presenter}"},
    ):
        refused = await browser.request(method, path, headers=headers)
        assert refused.status_code == 401, headers
        assert refused.headers["content-type"] == "application/problem+json"
        assert "small" not in refused.text
    assert laboratory.errands.told == []


async def test_the_list_tells_of_all_and_of_each_what_came_of_it(laboratory: Laboratory) -> None:
    await sign_in(laboratory.browser, laboratory.services)
    laboratory.errands.may_end.clear()
    first = await laboratory.get()
    assert first["reading"]
    assert all(one["reading"] for one in first["experiments"])
    laboratory.errands.may_end.set()
    listed = (await laboratory.read())["experiments"]
    assert [one["name"] for one in listed] == ["small", "never-run", "small-published"]
    small, never, broken = listed
    assert small["results"]["sessions"] == small["sessions_wanted"] == SESSIONS
    assert (small["results"]["holding"], small["results"]["requirements"]) == (3, 4)
    assert (never["results"], never["run"], never["shipped"]) == (None, None, True)
    assert broken["problem"]


async def test_a_run_under_way_is_seen_and_one_that_died(laboratory: Laboratory) -> None:
    await sign_in(laboratory.browser, laboratory.services)
    folder = laboratory.places.results / "mine"
    folder.mkdir()
    state = RunState(
        title="Mine",
        description="As it runs.",
        stage="running",
        began_at="2026-11-27T04:00:00Z",
        wanted=5_000,
        found=10,
        done=30,
        failed=1,
        left_s=90.0,
    )
    (folder / FILE).write_text(state.model_dump_json())
    [mine, *_] = (await laboratory.read())["experiments"]
    assert (mine["name"], mine["title"], mine["shipped"]) == ("mine", "Mine", False)
    assert mine["run"]["stage"] == "running"
    assert (mine["run"]["through"], mine["sessions_wanted"]) == (41, 5_000)
    os.utime(folder / FILE, (1, 1))
    listed = (await laboratory.read())["experiments"]
    dead = next(one for one in listed if one["name"] == "mine")
    assert dead["run"]["stage"] == "stopped"
    assert dead["run"]["left_s"] is None


async def test_a_report_is_read_in_a_sandbox(laboratory: Laboratory) -> None:
    await sign_in(laboratory.browser, laboratory.services)
    await laboratory.read()
    assert (await laboratory.get("/small"))["report"]["state"] in {"waiting", "drawing"}
    page = await laboratory.browser.get(f"{AT}/small/report")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:; ")
    assert policy.endswith("; sandbox allow-downloads")
    assert "script-src" not in policy
    assert page.headers.get_list("content-security-policy") == [policy]
    # Browsers refuse a sandbox that isolates itself, too.
    assert page.headers.get_list("cross-origin-opener-policy") == ["unsafe-none"]
    assert page.headers.get_list("cache-control") == ["private, no-cache"]
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "<script" not in page.text
    assert (await laboratory.get("/small"))["report"]["state"] == "ready"
    for nothing in ("never-run", "nothing"):
        assert (await laboratory.browser.get(f"{AT}/{nothing}/report")).status_code == 404


async def test_a_report_that_cannot_be_drawn_says_why(laboratory: Laboratory) -> None:
    await sign_in(laboratory.browser, laboratory.services)
    await laboratory.read()
    laboratory.errands.problem = "Nothing draws here."
    refused = await laboratory.browser.get(f"{AT}/small/report")
    assert (refused.status_code, refused.json()["type"]) == (503, "/problems/no-report")
    assert "Nothing draws here." in refused.json()["detail"]
    told = (await laboratory.get("/small"))["report"]
    assert told == {"state": "failed", "problem": "Nothing draws here."}


async def test_cells_come_in_pieces_and_are_found(laboratory: Laboratory) -> None:
    await sign_in(laboratory.browser, laboratory.services)
    await laboratory.read()
    whole = await laboratory.get("/small/cells")
    assert whole["total"] == len(whole["cells"]) == 4
    piece = await laboratory.get("/small/cells", params={"first": 3, "count": 2})
    assert (piece["total"], piece["cells"]) == (4, whole["cells"][3:])
    found = await laboratory.get("/small/cells", params={"search": "20 OFF"})
    assert [one["where"] for one in found["cells"]] == ["loss 20 %, off"]
    address = found["cells"][0]["address"]
    cell = await laboratory.get(f"/small/cells/{address}", params={"first": 1, "count": 1})
    assert (cell["total"], [one["run"] for one in cell["sessions"]]) == (3, [1])
    assert len(cell["metrics"]) == len(cell["groups"][0]["figures"])
    for wrong in ({"first": -1}, {"count": 0}, {"count": 10_000}, {"first": 10**30}):
        answer = await laboratory.browser.get(f"{AT}/small/cells", params=wrong)
        assert answer.status_code == 422


async def test_a_session_is_made_again_and_its_captures_handed_out(laboratory: Laboratory) -> None:
    browser = laboratory.browser
    await sign_in(browser, laboratory.services)
    at = await laboratory.a_session()
    session = await laboratory.get(at)
    assert session["again"] == {"state": "none", "problem": None, "made": None}
    assert (session["where"], session["session"]["run"], session["runs"]) == (
        *("loss 2 %, off", 0),
        3,
    )
    early = await browser.get(f"{AT}{at}/captures/0/sender.pcapng")
    assert (early.status_code, early.json()["type"]) == (404, "/problems/not-kept")
    asked = await asyncio.gather(*(browser.post(f"{AT}{at}/again") for _ in range(3)))
    assert {one.status_code for one in asked} == {202}
    while (again := (await laboratory.get(at))["again"])["state"] != "ready":
        assert again["state"] in {"waiting", "making"}
        await asyncio.sleep(0.01)
    assert again["made"]["agrees"] is True
    assert len([told for told in laboratory.errands.told if told[0] == "session"]) == 1
    for side in ("sender", "receiver"):
        capture = await browser.get(f"{AT}{at}/captures/0/{side}.pcapng")
        assert capture.content == at.rsplit("/", 1)[1].encode()
        assert capture.headers["content-disposition"].startswith("attachment; filename=")
    analysis = await browser.get(f"{AT}{at}/analysis/0")
    assert "Analysis" in analysis.text
    for nothing in ("captures/1/sender.pcapng", "captures/0/emulator.pcapng", "analysis/7"):
        assert (await browser.get(f"{AT}{at}/{nothing}")).status_code in {404, 422}


async def test_a_document_may_run_the_script_that_it_names_and_no_other(
    laboratory: Laboratory,
) -> None:
    browser = laboratory.browser
    await sign_in(browser, laboratory.services)
    at = await laboratory.a_session()
    await browser.post(f"{AT}{at}/again")
    while (await laboratory.get(at))["again"]["state"] != "ready":
        await asyncio.sleep(0.01)
    file = laboratory.places.sessions / at.rsplit("/", 1)[1] / "analysis-0.html"
    named = "sha256-T3FXkvODkdvrnvFE3QPUZKERSG5qpkZDsb4vTRPUptA="
    file.write_text(f"<meta content=\"script-src '{named}'; base-uri 'none'\">")
    policy = (await browser.get(f"{AT}{at}/analysis/0")).headers["content-security-policy"]
    assert f"; script-src '{named}'; " in policy
    assert policy.endswith("; sandbox allow-downloads allow-scripts")
    file.write_text("<meta content=\"script-src 'unsafe-inline' 'self'\">")
    policy = (await browser.get(f"{AT}{at}/analysis/0")).headers["content-security-policy"]
    assert "script" not in policy


@pytest.mark.parametrize("name", STRANGE)
async def test_no_name_leads_anywhere_else(laboratory: Laboratory, name: str) -> None:
    browser = laboratory.browser
    await sign_in(browser, laboratory.services)
    at = await laboratory.a_session()
    for path in (
        f"{AT}/{name}",
        f"{AT}/{name}/report",
        f"{AT}/{name}/cells",
        f"{AT}/small/cells/{name}",
        f"{AT}/small/sessions/{name}",
        f"{AT}/small/sessions/{name}/captures/0/sender.pcapng",
        f"{AT}{at}/captures/{name}/sender.pcapng",
        f"{AT}{at}/captures/0/{name}.pcapng",
        f"{AT}{at}/analysis/{name}",
    ):
        answer = await browser.get(path)
        assert answer.status_code in REFUSED, path
        assert "root:" not in answer.text
    assert (await browser.post(f"{AT}/{name}/sessions/{KEY}/again")).status_code in REFUSED


async def test_a_server_without_experiments_says_so(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    assert (await browser.get(AT)).json() == {"experiments": [], "reading": False}
    assert (await browser.get(f"{AT}/small")).status_code == 404


def test_the_analysers_own_page_names_its_script_where_it_is_looked_for() -> None:
    rust = Path(__file__).parents[3] / "lab-agent" / "plot" / "src" / "page" / "mod.rs"
    assert re.search(r'SCRIPT_SHA256: &str = "[A-Za-z0-9+/=]{44}"', rust.read_text())
    assert "script-src 'sha256-{SCRIPT_SHA256}'" in rust.read_text()
