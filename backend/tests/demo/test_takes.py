"""Takes that end: replaced, broken off by a host that died, refused.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from copy import deepcopy

import pytest

from tests.demo.conftest import SETTINGS, Stage
from thinlab.demo import take_supervisor
from thinlab.demo.clip_position import ClipPosition

ALL = SETTINGS["lanes"][1]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds of patience are none."""
    monkeypatch.setattr(take_supervisor, "PAUSES_S", (0.0, 0.0))


async def test_a_host_that_dies_is_followed_by_the_same_take(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClipPosition, "sample", lambda self, _: 4711 if self._played_ns else 0)
    _, console, phone = await stage.watched()
    await console.do("set_lane", lane=0, to=ALL | {"name": "mended"})
    stage.lab.host_dies.set()
    event = await console.until(lambda one: one["type"] == "event" and one["kind"] == "host_lost")
    assert "host-lost" in event["text"]
    state = await console.state(take=2, stage="running")
    assert state["lanes"][0]["mechanisms"] == ALL["mechanisms"]
    assert list(stage.lab.opened[1].lanes[0].mechanisms) == [1, 2, 3]
    # The clip goes on; the same sockets go on.
    assert (
        stage.lab.opened[0].stream.audio.start_sample,
        stage.lab.opened[1].stream.audio.start_sample,
    ) == (
        0,
        4711,
    )
    await phone.until(lambda one: one["type"] == "moment" and one["take"] == 2)
    assert (await console.do("set_lane", lane=0, to=SETTINGS["lanes"][0]))["type"] == "done"


@pytest.mark.usefixtures("impatient")
async def test_patience_ends_with_the_remedy_and_one_command_starts_again(stage: Stage) -> None:
    summary, console = await stage.running()
    stage.lab.dies_at_opening = 3
    stage.lab.host_dies.set()
    state = await console.state(stage="stopped")
    assert "host-lost" in state["problem"]["text"]
    assert state["problem"]["remedy"]
    assert stage.lab.takes >= 3
    takes = stage.lab.takes
    # What is changed meanwhile counts for the next take.
    path = deepcopy(SETTINGS["path"])
    path["forward"]["delay_ms"] = 10
    done = await console.do("set_path", path=path)
    assert (done["type"], done["kernel_ms"]) == ("done", None)
    stage.lab.dies_at_opening = 0
    assert (await console.do("start"))["type"] == "done"
    await console.state(len(console.came) - 1, stage="running", problem=None)
    assert stage.lab.takes == takes + 1
    assert stage.lab.opened[-1].lanes[0].forward.delay_us == 10_000
    assert (await console.do("start"))["type"] == "refused"
    assert stage.demo(summary["demo_id"]).supervisor.problem is None


async def test_what_the_host_refuses_is_not_tried_again(stage: Stage) -> None:
    stage.lab.refuses = "clip.source_s16le_48k_mono: at most ten minutes"
    summary = await stage.start()
    console = await stage.console(summary["demo_id"])
    state = await console.state(stage="stopped")
    assert "at most ten minutes" in state["problem"]["text"]
    assert stage.lab.takes == 1
    stage.lab.refuses = None
    await console.do("set_stream", stream={"kind": "microphone"})
    await console.state(stage="running")
    assert stage.lab.opened[-1].stream.HasField("microphone")


@pytest.mark.usefixtures("impatient")
async def test_a_demo_that_waits_for_a_host_can_be_ended(stage: Stage) -> None:
    summary, console = await stage.running()
    stage.lab.dies_at_opening = 1_000
    stage.lab.host_dies.set()
    await console.state(stage="stopped")
    await console.do("end")
    await console.state(stage="ended")
    await stage.over(summary["demo_id"])


async def test_a_change_on_its_way_when_the_host_dies_is_in_the_next_take(stage: Stage) -> None:
    summary, console = await stage.running()
    take = stage.demo(summary["demo_id"]).supervisor.take
    assert take is not None
    changing = asyncio.create_task(console.do("set_lane", lane=0, to=ALL))
    stage.lab.host_dies.set()
    done = await changing
    assert done["type"] == "done"
    await console.state(take=2, stage="running")
    assert list(stage.lab.opened[-1].lanes[0].mechanisms) == [1, 2, 3]


async def test_two_demos_run_at_a_time_and_no_more(stage: Stage) -> None:
    for _ in range(2):
        await stage.running()
    body = {"title": "A third", "settings": SETTINGS}
    answer = await stage.browser.post("/api/demos", json=body)
    assert answer.status_code == 409
    assert answer.json()["remedy"]


async def test_without_a_host_for_demos_the_options_say_why(stage: Stage) -> None:
    stage.lab.demo_guests = 0
    await stage.hosts.look()
    options = (await stage.browser.get("/api/demos/options")).json()
    assert "no guests for demos" in options["problem"]["text"]
    assert "--demos" in options["problem"]["remedy"]
    answer = await stage.browser.post("/api/demos", json={"title": "A", "settings": SETTINGS})
    assert answer.status_code == 503
    # What people type is somebody else's.
    assert stage.hosts.problem is None


def test_a_clip_goes_on_where_it_was() -> None:
    position = ClipPosition()
    position.runs(1_000_000_000)
    position.stands(1_100_000_000)
    position.runs(5_000_000_000)
    position.runs(5_050_000_000)
    position.stands(5_100_000_000)
    assert position.sample(1_000_000) == 200 * 48
    assert position.sample(9_000) == 600
    position.back()
    assert position.sample(9_000) == 0
