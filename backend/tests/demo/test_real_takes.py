"""Demos over the real lab: switches that reach the kernel, figures, captures, a host that dies.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import math
import os
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import pytest_asyncio
from numpy.typing import NDArray

from tests.demo.conftest import SETTINGS, Stage, stage_over
from tests.demo.kept_sounds import decoded
from tests.demo.stand_in_take import DemoStandIn
from tests.live.real_agent import real_agent, until_it_answers
from thinlab.demo.rtp_stream import SAMPLES_PER_S
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
    await until_it_answers(address)
    lab = DemoStandIn()
    async with stage_over(services, lab, address, folder) as stage:
        yield stage


@pytest_asyncio.fixture
async def stage(
    services: Services, agent: tuple[psutil.Process, str], tmp_path: Path
) -> AsyncIterator[Stage]:
    """Over the real agent."""
    async with real_stage(services, agent[1], tmp_path) as stage:
        yield stage


def much_is_felt(one: dict[str, Any]) -> bool:
    """Whether this is a moment by which every lane's receiver has had fifty messages."""
    return one["type"] == "moment" and all(
        lane.get("whole", {}).get("felt", {}).get("messages", 0) > 50 for lane in one["lanes"]
    )


async def kept(stage: Stage, demo_id: int) -> tuple[dict[str, Any], Path]:
    """The only take of a demo that is over: its results, and the folder with its captures."""
    (take,) = (await stage.browser.get(f"/api/demos/{demo_id}/results")).json()["takes"]
    return take, stage.services.demos.store.of(demo_id) / "take-1"


async def test_switches_reach_the_kernel_and_what_is_kept_is_what_was_shown(stage: Stage) -> None:
    summary, console = await stage.running(stream=SYNTHETIC)
    for number in range(SWITCHES):
        done = await console.do("set_lane", lane=0, to=(ALL, OFF)[number % 2])
        assert done["type"] == "done", done
        assert done["kernel_ms"] is not None
        event = await console.until(lambda one, d=done: one.get("number") == d["event"])  # type: ignore[misc]
        assert event["kernel_ms"] == done["kernel_ms"]
    shown = await console.until(much_is_felt)
    kinds = {
        packet["kind"]
        for one in console.all("moment")
        for packet in one["lanes"][1].get("departures", [])
    }
    assert {"bundle", "acknowledgement"} <= kinds
    assert shown["lanes"][0]["whole"]["metrics"]["application"]["per_message"]["p50_us"] >= 65_000
    take, folder = await kept(stage, await stage.end(console, summary["demo_id"]))
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
    _, console, phone = await stage.watched()
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


# Where nothing is heard for so long, a window of it is quiet whatever the codec does at its edges.
STALL_MS = 80.0
EDGE_MS = 20.0
# Until then a lane has nothing to play yet.
BEGINNING_MS = 2_000.0
QUIET_SHARE = 0.05
# Whoever speaks pauses, too: in one of so many the other lane is heard.
STALLS = 5


def silence_ms(moments: list[dict[str, Any]], lane: int) -> list[tuple[float, float]]:
    """From when to when a lane was silent; it is told in pieces."""
    stalls: list[tuple[float, float]] = []
    for one in moments:
        for passage in one["lanes"][lane].get("playout", {}).get("passages", []):
            if passage["kind"] != "silent":
                continue
            begin, end = passage["at_ms"], passage["at_ms"] + passage["length_ms"]
            if stalls and begin - stalls[-1][1] < 1:
                stalls[-1] = stalls[-1][0], end
            else:
                stalls.append((begin, end))
    return stalls


def stalls_of_first_ms(moments: list[dict[str, Any]], from_ms: float) -> list[tuple[float, float]]:
    """From when to when the first lane stood still for long, while the other played on."""
    others = silence_ms(moments, 1)
    return [
        (begin, end)
        for begin, end in silence_ms(moments, 0)
        if begin > from_ms
        and end - begin >= STALL_MS
        and all(end < since or until < begin for since, until in others)
    ]


async def test_a_lanes_stall_is_heard_in_its_replay_alone_and_where_the_charts_have_it(
    stage: Stage,
) -> None:
    path = json.loads(json.dumps(SETTINGS["path"]))
    path["forward"]["loss_share"] = 0.1
    summary, console = await stage.running(path=path)
    from_ms = console.last("state")["take_at_ms"] + BEGINNING_MS
    await console.until(lambda _: len(stalls_of_first_ms(console.all("moment"), from_ms)) >= STALLS)
    await console.do("end")
    await stage.over(summary["demo_id"])
    demo = f"/api/demos/{summary['demo_id']}"
    (take,) = (await stage.browser.get(demo)).json()["takes"]
    sound = take["sound"]
    lines = (await stage.browser.get(f"{demo}/feed")).text.split("\n")[:-1]
    moments = [one for one in map(json.loads, lines) if one["type"] == "moment"]
    # Ending takes a while, in which a moment more may come; on a busy machine, longer.
    assert sound["began_at_ms"] + sound["length_ms"] >= moments[-1]["at_ms"] - 500
    stalls = stalls_of_first_ms(moments, from_ms)
    # The last may have gone on until the other lane stood still, too.
    assert len(stalls) >= STALLS - 1
    first, second = [
        loudness(await sound_of(stage, f"{demo}/takes/1/lanes/{lane}", sound), sound, stalls)
        for lane in range(2)
    ]
    assert max(first) < QUIET_SHARE < max(second)


def loudness(
    heard: NDArray[np.float64], sound: dict[str, Any], windows_ms: list[tuple[float, float]]
) -> list[float]:
    """Of each window, of that of the whole."""
    found = []
    for begin_ms, end_ms in windows_ms:
        begin, end = (
            round((at_ms - sound["began_at_ms"]) * SAMPLES_PER_S / 1_000)
            for at_ms in (begin_ms + EDGE_MS, end_ms - EDGE_MS)
        )
        found.append(float(np.sqrt(np.mean(heard[begin:end] ** 2) / np.mean(heard**2))))
    return found


async def sound_of(stage: Stage, lane: str, sound: dict[str, Any]) -> NDArray[np.float64]:
    """What was heard of a lane, from all of its pieces."""
    pieces = []
    for number in range(math.ceil(sound["length_ms"] / sound["piece_ms"])):
        answer = await stage.browser.get(f"{lane}/sound/{number}")
        assert answer.status_code == 200
        pieces.append(decoded(answer.content))
    return np.concatenate(pieces)


ETHERNET_BYTES = 14
DATA_OFFSET_AT = 12
ENHANCED_PACKET = 6


def captured_payloads_bytes(capture: bytes) -> list[tuple[int, int]]:
    """Of each segment how many bytes of payload a capture holds, and how many there were."""
    found = []
    at = 0
    while at < len(capture):
        kind, length = struct.unpack_from("<II", capture, at)
        if kind == ENHANCED_PACKET:
            held, whole = struct.unpack_from("<II", capture, at + 20)
            ip = at + 28 + ETHERNET_BYTES
            tcp = ip + (capture[ip] & 0x0F) * 4
            headers = tcp + (capture[tcp + DATA_OFFSET_AT] >> 4) * 4 - (at + 28)
            found.append((held - headers, whole - headers))
        at += length
    return found


async def test_captures_hold_no_word_that_was_said_and_all_that_was_measured(stage: Stage) -> None:
    summary, console = await stage.running(stream={"kind": "microphone"})
    await console.until(much_is_felt)
    take, folder = await kept(stage, await stage.end(console, summary["demo_id"]))
    for at, lane in enumerate(take["result"]["lanes"]):
        for end in ("sender", "receiver"):
            capture = (folder / f"lane-{at}-{end}.pcapng").read_bytes()
            held, sent = zip(*captured_payloads_bytes(capture), strict=True)
            assert sum(sent) > 0
            assert set(held) == {0}
        metrics = lane["figures"]["metrics"]
        analysed = await analyse(folder, at)
        assert {name: analysed[name] for name in COUNTED} == {
            name: metrics[name] for name in COUNTED
        }
