"""Sound that may arrive late, damaged or not at all: what a console can ask for, and what not.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

from tests.demo.conftest import SETTINGS, Stage
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.presets import LATE_OR_DAMAGED

SET_UP: dict[str, Any] = LATE_OR_DAMAGED.model_dump(mode="json")
TERMINAL = {"kind": "terminal", "editor": "vi", "text": "A text."}
PLAIN, LITE, UDP_LITE, UDP = SET_UP["lanes"]
WITHOUT_CHECKSUM = LITE | {"mechanisms": ["tcp_lite"]}


def _changes(stage: Stage) -> list[pb.DemoChange]:
    return [one.change for one in stage.lab.inputs if one.HasField("change")]


async def test_a_demo_is_set_up_at_once_for_late_or_damaged(stage: Stage) -> None:
    options = (await stage.browser.get("/api/demos/options")).json()
    assert [one["name"] for one in options["set_ups"]] == ["first", "late-or-damaged"]
    assert options["set_ups"][1]["settings"] == SET_UP
    assert {"udp", "udp_lite"} <= {one["name"] for one in options["baselines"]}
    assert "tcp_lite" in {one["name"] for one in options["mechanisms"]}
    _, console = await stage.running()
    done = await console.do("set_up", to=options["set_ups"][1]["settings"])
    assert done["type"] == "done", done
    state = await console.state(stage="running", take=2)
    assert [lane["name"] for lane in state["lanes"]] == [
        "plain TCP",
        "TCP Lite",
        "UDP-Lite",
        "UDP",
    ]
    assert state["stream"] == SET_UP["stream"]
    assert state["words"]["stream"] == "the clip “speech” as G.711"
    assert state["path"] == SET_UP["path"]
    assert state["advice"] == []
    opened = stage.lab.opened[1]
    assert opened.stream.audio.codec == pb.CODEC_G711
    assert [lane.baseline for lane in opened.lanes] == [
        pb.BASELINE_NEWRENO2008,
        pb.BASELINE_NEWRENO2008,
        pb.BASELINE_UDP_LITE,
        pb.BASELINE_UDP,
    ]
    assert list(opened.lanes[1].mechanisms) == [
        pb.MECHANISM_TCP_LITE,
        pb.MECHANISM_HEADER_CHECKSUM,
    ]
    assert opened.lanes[2].forward.bit_errors.bad_us == 150_000
    # The same again is no new take.
    done = await console.do("set_up", to=SET_UP)
    assert done["type"] == "done"
    assert "event" not in done or done["event"] is None
    assert len(stage.lab.opened) == 2


async def test_taking_damage_is_switched_live_and_what_ends_agree_on_needs_a_take(
    stage: Stage,
) -> None:
    _, console = await stage.running(lanes=[PLAIN, LITE])
    # Off and on again over the connection that is open.
    for lane, mechanisms in ((LITE | {"mechanisms": []}, []), (LITE, LITE["mechanisms"])):
        done = await console.do("set_lane", lane=1, to=lane)
        assert done["kernel_ms"] is not None, done
        await console.state(take=1)
        (changed,) = _changes(stage)[-1].lanes
        assert len(changed.spec.mechanisms) == len(mechanisms)
    # A connection without headers' checksums may take damage, too, and may not get them.
    done = await console.do("set_lane", lane=0, to=WITHOUT_CHECKSUM)
    assert done["kernel_ms"] is not None, done
    done = await console.do("set_lane", lane=0, to=LITE)
    assert done.get("kernel_ms") is None, done
    await console.state(stage="running", take=2)
    assert [len(lane.mechanisms) for lane in stage.lab.opened[1].lanes] == [2, 2]
    # And another protocol is another connection.
    await console.do("set_lane", lane=0, to=UDP_LITE)
    await console.state(stage="running", take=3)
    covered = UDP_LITE | {"udp_lite": {"covered_bytes": 10}}
    await console.do("set_lane", lane=0, to=covered)
    state = await console.state(stage="running", take=4)
    assert state["lanes"][0]["udp_lite"] == {"covered_bytes": 10}


async def test_a_terminal_takes_neither_damage_nor_datagrams(stage: Stage) -> None:
    for lane, reason in (
        (LITE, "`tcp_lite` hands damaged bytes over"),
        (UDP_LITE, "`baseline: udp_lite` is UDP-Lite"),
        (UDP, "`baseline: udp` is UDP"),
    ):
        body = {"title": "A demo", "settings": SETTINGS | {"lanes": [lane], "stream": TERMINAL}}
        refused = await stage.browser.post("/api/demos", json=body)
        assert refused.status_code == 422
        assert reason in refused.text
    summary, console = await stage.running(lanes=[PLAIN, UDP])
    refusal = await console.do("set_stream", stream=TERMINAL)
    assert (refusal["type"], refusal["field"]) == ("refused", "stream")
    assert "Lane B cannot have a terminal: `baseline: udp` is UDP" in refusal["text"]
    assert refusal["remedy"]
    for command in (
        {"do": "set_lanes", "lanes": [PLAIN, PLAIN]},
        {"do": "set_stream", "stream": TERMINAL},
    ):
        what = dict(command)
        done = await console.do(str(what.pop("do")), **what)
        assert done["type"] == "done", done
    refusal = await console.do("set_lane", lane=0, to=WITHOUT_CHECKSUM)
    assert (refusal["type"], refusal["field"]) == ("refused", "to")
    refusal = await console.do("set_lanes", lanes=[UDP_LITE])
    assert (refusal["type"], refusal["field"]) == ("refused", "lanes")
    refusal = await console.do("set_up", to=SET_UP | {"stream": TERMINAL})
    assert refusal["type"] == "refused"
    assert stage.demo(summary["demo_id"]).supervisor.settings.stream.kind == "terminal"
