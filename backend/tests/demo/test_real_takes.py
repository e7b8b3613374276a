"""Demos over the real lab: switches that reach the kernel, figures, captures, a host that dies.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio

from tests.demo.conftest import SETTINGS, Stage, stage_over
from tests.demo.stand_in_take import DemoStandIn
from tests.live.real_agent import real_agent
from tests.running.thinlab_process import PATIENCE_S
from thinlab.lab.agent import Agent, AgentAwayError
from thinlab.web.services import Services

pytestmark = pytest.mark.alone

OFF, ALL = SETTINGS["lanes"]
SWITCHES = 20
SYNTHETIC = {"kind": "synthetic", "payload_bytes": 120, "iat_ms": 20}
# As `lab-agent analyze --json` and `LaneFigures` both have them.
COUNTED = (
    "packets",
    "payload_bytes",
    "unique_bytes",
    "retransmitted_bytes",
    "lost_packets_forward",
)


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[psutil.Process, str]]:
    """The agent in real time with a guest for demos, and its address."""
    with real_agent(tmp_path_factory.mktemp("agent"), "--demos", "1") as (process, address):
        yield psutil.Process(process.pid), address


@asynccontextmanager
async def real_stage(services: Services, address: str, folder: Path) -> AsyncIterator[Stage]:
    """A server over an agent that is starting or runs."""
    asking = Agent(address)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await asking.describe()
                break
            except AgentAwayError:
                await asyncio.sleep(0.1)
    await asking.close()
    lab = DemoStandIn()  # type: ignore[abstract]  # not asked
    async with stage_over(services, lab, address, folder) as stage:
        yield stage


@pytest_asyncio.fixture
async def stage(
    services: Services, agent: tuple[psutil.Process, str], tmp_path: Path
) -> AsyncIterator[Stage]:
    """Over the real agent."""
    async with real_stage(services, agent[1], tmp_path) as stage:
        yield stage


async def test_switches_reach_the_kernel_and_what_is_kept_is_what_was_shown(stage: Stage) -> None:
    summary, console = await stage.running(stream=SYNTHETIC)
    for number in range(SWITCHES):
        done = await console.do("set_lane", lane=0, to=(ALL, OFF)[number % 2])
        assert done["type"] == "done", done
        assert done["kernel_ms"] is not None
        event = await console.until(lambda one, d=done: one.get("number") == d["event"])  # type: ignore[misc]
        assert event["kernel_ms"] == done["kernel_ms"]
    shown = await console.until(
        lambda one: (
            one["type"] == "moment"
            and all(
                lane.get("whole", {}).get("felt", {}).get("messages", 0) > 50
                for lane in one["lanes"]
            )
        )
    )
    kinds = {
        packet["kind"]
        for one in console.all("moment")
        for packet in one["lanes"][1].get("departures", [])
    }
    assert {"bundle", "acknowledgement"} <= kinds
    assert shown["lanes"][0]["whole"]["metrics"]["application"]["per_message"]["p50_us"] >= 65_000
    await console.do("end")
    await stage.over(summary["demo_id"])
    path = f"/api/demos/{summary['demo_id']}"
    (take,) = (await stage.browser.get(f"{path}/results")).json()["takes"]
    folder = stage.services.demos.shelf.of(summary["demo_id"]) / "take-1"
    for at, lane in enumerate(take["result"]["lanes"]):
        check = lane["check"]["forward"]
        assert check["sent_packets"] == check["received_packets"] + check["dropped_packets"]
        metrics = lane["figures"]["metrics"]
        analysed = await analyse(folder, at)
        assert {name: analysed[name] for name in COUNTED} == {
            name: metrics[name] for name in COUNTED
        }


async def analyse(folder: Path, lane: int) -> dict[str, Any]:
    """The analyser's metrics of a lane's stored captures."""
    process = await asyncio.create_subprocess_exec(
        os.environ["THINLAB_AGENT"],
        *("analyze", "--json"),
        *("--message-ends", folder / f"lane-{lane}-message-ends.txt"),
        folder / f"lane-{lane}-sender.pcapng",
        folder / f"lane-{lane}-receiver.pcapng",
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    found = json.loads(out)
    metrics: dict[str, Any] = found.get("metrics", found)
    return metrics


async def test_what_the_lab_refuses_names_the_field_and_the_take_goes_on(stage: Stage) -> None:
    summary, console = await stage.running(stream=SYNTHETIC)
    path = json.loads(json.dumps(SETTINGS["path"]))
    path["forward"]["queue_packets"] = 1_000_000
    path["forward"]["jitter_ms"] = 9_999
    answer = await console.do("set_path", path=path)
    if answer["type"] == "refused":
        assert answer["text"]
        assert answer["remedy"]
    assert (await console.do("set_lane", lane=0, to=ALL))["type"] == "done"
    assert console.last("state")["take"] == 1
    assert stage.demo(summary["demo_id"]).take_number == 1


async def test_a_guest_that_dies_is_followed_by_another_take(
    stage: Stage, agent: tuple[psutil.Process, str]
) -> None:
    summary, console = await stage.running()
    phone = await stage.phone(summary["code"])
    await console.do("set_lane", lane=0, to=ALL)
    await phone.until(lambda one: one["type"] == "moment")
    # That of the demo is among them.
    for guest in agent[0].children(recursive=True):
        guest.kill()
    event = await console.until(lambda one: one["type"] == "event" and one["kind"] == "host_lost")
    # The room reads it: what the guest's kernel said last is in the log.
    assert event["text"].endswith("the guest was ended by signal 9")
    state = await console.state(take=2, stage="running")
    assert state["lanes"][0]["mechanisms"] == ALL["mechanisms"]
    await phone.until(lambda one: one["type"] == "moment" and one["take"] == 2)
    assert (await console.do("set_lane", lane=0, to=OFF))["kernel_ms"] is not None
