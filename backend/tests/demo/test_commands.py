"""What a presenter does, and what everybody sees of it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from copy import deepcopy

from tests.demo.conftest import SETTINGS, Stage
from tests.running.thinlab_process import PATIENCE_S
from thinlab.contract.generated import lab_pb2 as pb

ALL = {"name": None, "baseline": "newreno2008"} | {
    "mechanisms": ["linear_timeouts", "early_fast_retransmit", "bundling"]
}
OFF = ALL | {"mechanisms": []}


async def test_a_demo_starts_with_two_lanes_that_meet_the_same_losses(stage: Stage) -> None:
    _, console = await stage.running()
    (opened,) = stage.lab.opened
    assert [list(lane.mechanisms) for lane in opened.lanes] == [[], [1, 2, 3]]
    assert opened.lanes[0].seed == opened.lanes[1].seed
    assert opened.lanes[0].forward.delay_us == 65_000
    assert opened.lanes[1].backward.uniform.loss_share == 0.02
    assert len(opened.stream.audio.source_s16le_48k_mono) > 0
    state = console.last("state")
    assert [(lane["letter"], lane["name"]) for lane in state["lanes"]] == [
        ("A", "off"),
        ("B", "all"),
    ]
    assert state["preset"] == "paper"
    moment = await console.until(
        lambda one: one["type"] == "moment" and "messages" in one["lanes"][0]
    )
    assert moment["take"] == 1
    figures = await console.until(
        lambda one: one["type"] == "moment" and "whole" in one["lanes"][1]
    )
    curve = figures["lanes"][1]["whole"]["metrics"]["application"]["per_message"]["cdf"]
    assert len(curve) <= 80
    assert (curve[0]["share"], curve[-1]["share"]) == (0, 1)


async def test_a_switch_reaches_the_lane_and_is_an_event_for_all(stage: Stage) -> None:
    summary, console = await stage.running()
    other = await stage.console(summary["demo_id"])
    phone = await stage.phone(summary["code"])
    done = await console.do("set_lane", lane=0, to=ALL)
    assert done["type"] == "done", done
    (change,) = [one.change for one in stage.lab.inputs if one.HasField("change")]
    assert [(one.lane, list(one.spec.mechanisms)) for one in change.lanes] == [(0, [1, 2, 3])]
    assert 0 <= done["kernel_ms"] < 60_000
    for page in (console, other, phone):
        event = await page.until(lambda one: one.get("number") == done["event"])
        assert (event["kind"], event["who"], event["lanes"]) == ("lane", "presenter", [0])
        assert event["text"] == "A: all"
        assert event["kernel_ms"] == done["kernel_ms"]
    # The state came before the answer: a page has no moment in which it is neither.
    at = console.came.index(done)
    before = [one for one in console.came[:at] if one["type"] == "state"][-1]
    assert before["lanes"][0]["mechanisms"] == ALL["mechanisms"]
    await other.until(
        lambda one: one["type"] == "state" and one["lanes"][0]["mechanisms"] == ALL["mechanisms"]
    )


async def test_a_path_changes_for_all_lanes_at_once(stage: Stage) -> None:
    _, console = await stage.running()
    path = deepcopy(SETTINGS["path"])
    path["forward"]["delay_ms"] = 100
    done = await console.do("set_path", path=path)
    assert done["type"] == "done"
    (change,) = [one.change for one in stage.lab.inputs if one.HasField("change")]
    assert [(one.lane, one.spec.forward.delay_us) for one in change.lanes] == [
        (0, 100_000),
        (1, 100_000),
    ]
    assert stage.lab.opened[0].lanes[0].seed == change.lanes[0].spec.seed
    state = await console.state(preset=None)
    assert state["path"]["forward"]["delay_ms"] == 100
    assert (await console.do("set_path", path=path))["type"] == "done"
    assert len([one for one in stage.lab.inputs if one.HasField("change")]) == 1


async def test_what_the_lanes_refuse_changes_nothing_and_is_told(stage: Stage) -> None:
    _, console = await stage.running()
    stage.lab.problem = "lanes[0].forward.jitter_us: at most 1 s"
    path = deepcopy(SETTINGS["path"])
    path["forward"]["jitter_ms"] = 2_000
    refused = await console.do("set_path", path=path)
    assert refused["type"] == "refused"
    assert refused["field"] == "path"
    assert "jitter_us" in refused["text"]
    assert refused["remedy"]
    assert console.last("state")["path"] == SETTINGS["path"]
    stage.lab.problem = ""
    assert (await console.do("set_lane", lane=0, to=ALL))["type"] == "done"
    assert console.last("state")["path"] == SETTINGS["path"]


async def test_bad_commands_name_the_field_and_the_remedy(stage: Stage) -> None:
    _, console = await stage.running()
    path = deepcopy(SETTINGS["path"])
    path["forward"]["loss_share"] = 1.5
    refused = await console.do("set_path", path=path)
    assert (refused["field"], refused["remedy"]) == ("path.forward.loss_share", "Give at most 1.0.")
    refused = await console.do("set_lane", lane=3, to=OFF)
    assert refused["field"] == "lane"
    refused = await console.do("set_lane", lane=0, to=OFF | {"mechanisms": ["magic"]})
    assert refused["field"] == "to.mechanisms.0"
    assert "bundling" in refused["remedy"]
    refused = await console.do("key", data="x")
    assert refused["text"] == "No terminal is open."
    refused = await console.do("set_stream", stream={"kind": "clip", "clip": "nonesuch"})
    assert refused["field"] == "stream.clip"
    refused = await console.do("mark", text="\0")
    assert refused["field"] == "text"
    await console.say_raw("[")
    refused = await console.until(lambda one: one["type"] == "refused" and one["command"] is None)
    assert refused["remedy"]
    assert (await console.do("mark", text="still here"))["type"] == "done"


async def test_what_the_kernel_lacks_is_refused_with_the_reason(stage: Stage) -> None:
    stage.lab.lacks = {pb.MECHANISM_BUNDLING}
    await stage.hosts.look()
    options = (await stage.browser.get("/api/demos/options")).json()
    bundling = {"name": "bundling", "title": "Bundling", "protocols": ["sctp", "tcp"]}
    assert bundling | {"available": False, "reason": "not patched"} in options["mechanisms"]
    body = {"title": "A demo", "settings": SETTINGS}
    answer = await stage.browser.post("/api/demos", json=body)
    assert answer.status_code == 422
    assert answer.json()["field"] == "settings.lanes.1.mechanisms"
    assert "not patched" in answer.json()["detail"]
    _, console = await stage.running(lanes=[OFF, OFF])
    refused = await console.do("set_lane", lane=1, to=ALL)
    assert refused["field"] == "to.mechanisms"


async def test_another_stream_or_number_of_lanes_is_another_take(stage: Stage) -> None:
    _, console = await stage.running()
    stream = {"kind": "synthetic", "payload_bytes": 120, "iat_ms": 140}
    assert (await console.do("set_stream", stream=stream))["type"] == "done"
    await console.state(take=2, stage="running")
    assert stage.lab.opened[1].stream.synthetic.iat_us == 140_000
    done = await console.do("set_synthetic", payload_bytes=200, iat_ms=50)
    assert done["type"] == "done"
    # What the agent answers comes after all that it was told before.
    assert (await console.do("set_lane", lane=0, to=ALL))["type"] == "done"
    (said,) = [one.synthetic for one in stage.lab.inputs if one.HasField("synthetic")]
    assert (said.payload_bytes, said.iat_us) == (200, 50_000)
    assert (await console.do("set_lanes", lanes=[OFF, ALL, OFF]))["type"] == "done"
    state = await console.state(take=3, stage="running")
    assert [lane["letter"] for lane in state["lanes"]] == ["A", "B", "C"]
    assert len(stage.lab.opened[2].lanes) == 3
    assert stage.lab.opened[2].stream.synthetic.payload_bytes == 200
    assert [one["text"].split(":")[0] for one in console.all("event") if one["kind"] == "take"] == [
        "Take 1",
        "Take 2",
        "Take 3",
    ]


async def test_another_protocol_is_another_take_and_its_mechanisms_are_switched(
    stage: Stage,
) -> None:
    _, console = await stage.running()
    sctp = OFF | {"baseline": "lksctp"}
    assert (await console.do("set_lane", lane=1, to=sctp))["type"] == "done"
    state = await console.state(take=2, stage="running")
    assert [lane["name"] for lane in state["lanes"]] == ["off, newreno2008", "off, lksctp"]
    assert stage.lab.opened[1].lanes[1].baseline == pb.BASELINE_LKSCTP
    assert any("protocol" in one["text"] for one in state["advice"])
    quick = sctp | {"mechanisms": ["short_min_rto", "bundling"]}
    done = await console.do("set_lane", lane=1, to=quick)
    assert done["kernel_ms"] is not None
    (change,) = [one.change for one in stage.lab.inputs if one.HasField("change")]
    assert [one.lane for one in change.lanes] == [1]
    # Its receiver's SACKs are delayed otherwise, and as ever again, and it goes on.
    for delay_ms, says in ((0, "prompt SACKs"), (70, "SACKs after 70 ms"), (None, "bundling")):
        done = await console.do(
            "set_lane", lane=1, to=quick | {"sctp": {"sack_delay_ms": delay_ms}}
        )
        assert done["kernel_ms"] is not None
        assert says in console.last("event")["text"]
        *_, change = [one.change for one in stage.lab.inputs if one.HasField("change")]
        ((lane,),) = [change.lanes]
        assert lane.spec.sctp.HasField("sack_delay_ms") == (delay_ms is not None)
        assert lane.spec.sctp.sack_delay_ms == (delay_ms or 0)
    refused = await console.do("set_lane", lane=1, to=sctp | {"mechanisms": ["early_probe"]})
    assert refused["type"] == "refused"
    assert "a mechanism of TCP" in str(refused)
    await console.state(take=2)


async def test_one_keyboard_types_in_every_terminal(stage: Stage) -> None:
    stream = {"kind": "terminal", "editor": "vi", "text": "Hei på deg\n"}
    summary, console = await stage.running(stream=stream)
    assert stage.lab.opened[0].stream.terminal.text.decode() == stream["text"]
    for letter in "på":
        await console.say(do="key", data=letter)
    for lane in (0, 1):
        await console.until(
            lambda one, lane=lane: (
                one["type"] == "screen"  # type: ignore[misc]
                and (one["lane"], one["answers_key"], one["data"]) == (lane, 2, "å")
            )
        )
    # Whoever comes late sees all that is there.
    late = await stage.console(summary["demo_id"])
    phone = await stage.phone(summary["code"])
    for page, which in ((late, {"lane": 1}), (phone, {"letter": "B"})):
        screen = await page.until(
            lambda one, which=which: one["type"] == "screen" and which.items() <= one.items()  # type: ignore[misc]
        )
        assert screen["from_start"]
        assert screen["data"].endswith("på")
        assert "Hei på deg" in screen["data"]


async def test_paused_is_paused_in_the_next_take_too(stage: Stage) -> None:
    _, console = await stage.running()
    assert (await console.do("pause"))["type"] == "done"
    await console.state(stage="paused")
    assert (await console.do("pause"))["event"] is None

    async def hears(pauses: list[bool]) -> None:
        # A command is done when it is on its way; a host that dies before has not heard of it.
        async with asyncio.timeout(PATIENCE_S):
            while pauses != [one.pause.paused for one in stage.lab.inputs if one.HasField("pause")]:
                await asyncio.sleep(0.01)

    await hears([True])
    stage.lab.host_dies.set()
    await console.until(lambda one: one["type"] == "event" and one["kind"] == "host_lost")
    await console.state(take=2, stage="paused")
    await console.do("resume")
    await console.state(take=2, stage="running")
    await hears([True, True, False])


async def test_commands_of_two_consoles_are_carried_out_one_after_the_other(stage: Stage) -> None:
    summary, one = await stage.running()
    two = await stage.console(summary["demo_id"])
    names = ["first", "second", "third", "fourth"]
    answers = await asyncio.gather(
        *(
            page.do("set_lane", lane=0, to=OFF | {"name": f"{name} {at}"})
            for at, page in enumerate((one, two))
            for name in names
        )
    )
    assert {answer["type"] for answer in answers} == {"done"}
    await one.do("mark", text="last")
    await two.until(lambda message: message.get("text") == "last")
    assert one.last("event") == two.last("event")
    assert one.last("state")["lanes"] == two.last("state")["lanes"]


async def test_the_end_is_told_and_the_sockets_are_closed(stage: Stage) -> None:
    summary, console, phone = await stage.watched()
    assert (await console.do("end"))["type"] == "done"
    for page in (console, phone):
        await page.state(stage="ended")
        assert await page.sent_away() == (4410, "The demo has ended.")
    await stage.over(summary["demo_id"])
    late = await stage.browser.get(f"/api/audience/{summary['code']}")
    assert (late.json()["ended"], late.json()["replay"]) == (True, None)
    unknown = await stage.browser.get("/api/audience/BBBBBB")
    assert unknown.status_code == 404
    assert unknown.json()["remedy"]
