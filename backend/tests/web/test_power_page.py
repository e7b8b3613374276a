"""The power of a study is worked out beside the server: asked for, told of, cancelled, kept."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from httpx import ASGITransport, AsyncClient

from tests.applications import app_over
from tests.conftest import ORIGIN
from tests.made_up import put_recordings, sign_in, study_definition
from thinlab.analysis.power_desk import PowerDesk
from thinlab.study.catalogue import StoredStudy
from thinlab.web.serve import load
from thinlab.web.services import Services

pytestmark = pytest.mark.processes
AT = "/api/researcher/studies/demo/power"
ANALYSIS = {
    "hypothesis": "It is heard.",
    "hypotheses": [
        {"id": "both", "compares": "pooled", "conditions": ["plain", "modified"]}
        | {"trials": ["speech", "song"], "smallest_effect": 0.2}
    ],
}


async def until(ask: Callable[[], Awaitable[dict[str, Any]]], *states: str) -> dict[str, Any]:
    while (found := await ask())["state"] not in states:
        await asyncio.sleep(0.05)
    return found


class Desk:
    """A server with a desk of its own."""

    def __init__(self, services: Services, desk: PowerDesk) -> None:
        self.services = replace(services, power=desk)
        app = app_over(self.services)
        self.browser = AsyncClient(transport=ASGITransport(app), base_url=ORIGIN)

    async def open(self, **changes: Any) -> AsyncClient:  # noqa: ANN401 (any field)
        await load(self.services.database, [study_definition(**changes)])
        await put_recordings(self.services, "demo")
        await sign_in(self.browser, self.services)
        return self.browser

    async def state(self) -> dict[str, Any]:
        found: dict[str, Any] = (await self.browser.get(AT)).json()
        return found

    async def close(self) -> None:
        await self.services.power.close()
        await self.browser.aclose()


def pretending(tmp_path: Path, script: str) -> tuple[str, ...]:
    """Another program in place of the simulation."""
    file = tmp_path / "pretend.py"
    file.write_text("import json, sys, time\nread = sys.stdin.read()\n" + script)
    return (sys.executable, str(file))


async def test_a_curve_is_worked_out_once_and_kept(services: Services, study: StoredStudy) -> None:
    assert study.slug == "demo"
    desk = Desk(services, PowerDesk(studies=2))
    browser = await desk.open(analysis=ANALYSIS, stop={"completed": 24})
    assert await desk.state() == {"state": "none", "share": 0, "problem": None, "curve": None}
    assert (await browser.post(AT)).status_code == 204
    ready = await until(desk.state, "ready", "failed")
    assert ready["state"] == "ready", ready
    assert ready["curve"]["planned"] == 24
    assert [test["id"] for test in ready["curve"]["tests"]] == ["both"]
    assert (await browser.post(AT)).status_code == 204
    assert await desk.state() == ready
    # Another plan has a curve of its own.
    await load(services.database, [study_definition(analysis=ANALYSIS, stop={"completed": 25})])
    assert (await desk.state())["state"] == "none"
    await desk.close()


async def test_a_simulation_can_be_cancelled_and_leaves_no_process(
    services: Services, study: StoredStudy, tmp_path: Path
) -> None:
    assert study.slug == "demo"
    said = tmp_path / "pid"
    script = (
        f"import os; open({str(said)!r}, 'w').write(str(os.getpid()))\n"
        "print(json.dumps({'share': 0.25}), flush=True)\ntime.sleep(600)\n"
    )
    desk = Desk(services, PowerDesk(pretending(tmp_path, script)))
    browser = await desk.open(analysis=ANALYSIS)
    await browser.post(AT)
    assert (await until(desk.state, "computing"))["share"] == 0.25
    assert (await browser.delete(AT)).status_code == 204
    assert (await desk.state())["state"] == "none"
    assert not psutil.pid_exists(int(said.read_text()))
    assert (await browser.delete(AT)).status_code == 204
    await desk.close()


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("print(json.dumps({'problem': 'there is nothing to test'}))", "nothing to test"),
        ("sys.exit(3)", "ended with 3"),
        ("print('no JSON')", "Expecting value"),
    ],
)
async def test_what_comes_to_nothing_says_why_and_can_be_tried_again(
    services: Services, study: StoredStudy, tmp_path: Path, script: str, says: str
) -> None:
    assert study.slug == "demo"
    desk = Desk(services, PowerDesk(pretending(tmp_path, script)))
    browser = await desk.open(analysis=ANALYSIS)
    for _ in range(2):
        await browser.post(AT)
        failed = await until(desk.state, "failed")
        assert says in failed["problem"]
    await desk.close()


async def test_one_study_is_simulated_at_a_time(
    services: Services, study: StoredStudy, tmp_path: Path
) -> None:
    assert study.slug == "demo"
    script = "print(json.dumps({'share': 0.5}), flush=True)\ntime.sleep(600)\n"
    desk = Desk(services, PowerDesk(pretending(tmp_path, script)))
    browser = await desk.open(analysis=ANALYSIS)
    await browser.post(AT)
    await until(desk.state, "computing")
    await load(services.database, [study_definition(analysis=ANALYSIS, stop={"completed": 9})])
    await browser.post(AT)
    assert (await desk.state())["state"] == "waiting"
    await browser.delete(AT)
    assert (await desk.state())["state"] == "none"
    await desk.close()


async def test_a_study_without_a_plan_is_refused(services: Services, study: StoredStudy) -> None:
    assert study.slug == "demo"
    desk = Desk(services, PowerDesk())
    browser = await desk.open()
    refused = await browser.post(AT)
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/not-now")
    assert json.loads(refused.text)["remedy"]
    await desk.close()
