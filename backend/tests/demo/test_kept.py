"""What stays of a demo: rows, captures, feed; for a replay, for others, after a crash.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

from httpx import AsyncClient
from sqlalchemy import func, select

from tests.demo.conftest import SETTINGS, Stage
from tests.running.thinlab_process import PATIENCE_S
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.database.schema import Demo, DemoEvent, DemoTake
from thinlab.demo import registry
from thinlab.demo.command import ConsoleMessage
from thinlab.demo.store import DemoFiles, DemoStore


def lines_of(text: str) -> list[dict[str, Any]]:
    """Messages of a feed, each as the contract has it."""
    found = [json.loads(line) for line in text.split("\n") if line]
    for one in found:
        ConsoleMessage.model_validate(one)
    return found


async def finished(stage: Stage) -> int:
    """A demo with a mark, a change and a vote, that has ended."""
    summary, console, phone = await stage.watched()
    await console.until(lambda one: one["type"] == "moment" and "whole" in one["lanes"][0])
    await console.do("mark", text="here")
    await console.do("set_lane", lane=0, to=SETTINGS["lanes"][1])
    await console.do("open_poll", question="Which?")
    await phone.say(do="vote", choice="B")
    await phone.until(lambda one: one["type"] == "you" and one["voted"] == "B")
    return await stage.end(console, summary["demo_id"])


async def test_everything_that_happened_is_kept(stage: Stage) -> None:
    demo_id = await finished(stage)
    path = f"/api/demos/{demo_id}"
    found = (await stage.browser.get(path)).json()
    assert found["summary"]["fate"] == "ended"
    assert found["summary"]["length_ms"] > 0
    (take,) = found["takes"]
    assert (take["number"], take["host"], take["end"]) == (1, "g1", "finished")
    assert (take["settings"], take["letters"]) == (SETTINGS, "AB")
    assert take["ready_at_ms"] < take["ended_at_ms"]
    (poll,) = found["polls"]
    assert (poll["question"], poll["order"], poll["votes"]) == ("Which?", [0, 1], {"B": 1})
    # As the lanes were by then, not as the take began.
    assert poll["names"] == ["all", "all"]
    (listed,) = (await stage.browser.get("/api/demos")).json()["demos"]
    assert listed == found["summary"]
    events = (await stage.browser.get(f"{path}/events")).json()["events"]
    assert [one["kind"] for one in events] == ["take", "mark", "lane", "poll_opened", "ended"]
    assert [one["number"] for one in events] == [1, 2, 3, 4, 5]
    feed = lines_of((await stage.browser.get(f"{path}/feed")).text)
    assert {one["type"] for one in feed} == {"state", "moment", "event"}
    told = [one for one in feed if one["type"] == "event"]
    assert told == [{k: v for k, v in one.items() if v is not None} for one in events]
    assert feed[-1]["stage"] == "ended"
    (result,) = (await stage.browser.get(f"{path}/results")).json()["takes"]
    assert len(result["result"]["lanes"]) == 2
    captures = [f"lane-{at}-{end}.pcapng" for at in (0, 1) for end in ("receiver", "sender")]
    assert [name for name in take["captures"] if name.endswith(".pcapng")] == captures
    for name in captures:
        lane, kind = name.removeprefix("lane-").split("-")
        capture = await stage.browser.get(f"{path}/takes/1/lanes/{lane}/{kind}")
        assert capture.text.startswith("frame 1\nframe 2\n")
        assert f"demo-{demo_id}-take-1-{name}" in capture.headers["content-disposition"]
    size = sum(one.stat().st_size for one in stage.services.demos.store.of(demo_id).rglob("*.*"))
    assert found["summary"]["size_bytes"] == size


async def test_a_link_shares_the_replay_and_nothing_more(stage: Stage) -> None:
    demo_id = await finished(stage)
    path = f"/api/demos/{demo_id}"
    token = await stage.share(demo_id)
    assert await stage.share(demo_id) == token
    assert (await stage.browser.get(path)).json()["share_token"] == token
    async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as other:
        shared = f"/api/shared-demos/{token}"
        told = (await other.get(shared)).json()
        assert told["summary"]["demo_id"] == demo_id
        assert told["share_token"] is None
        for part in ("feed", "events", "results", "takes/1/lanes/0/sender.pcapng"):
            own = await stage.browser.get(f"{path}/{part}")
            assert (await other.get(f"{shared}/{part}")).content == own.content
        assert (await other.get(path)).status_code == 401
        assert (await other.get("/api/shared-demos/guessed/feed")).status_code == 404
        assert (await stage.browser.delete(f"{path}/share")).status_code == 204
        assert (await other.get(shared)).status_code == 404
        assert await stage.share(demo_id) != token


async def test_the_rooms_code_leads_to_the_replay_once_it_is_over_and_shared(
    stage: Stage,
) -> None:
    summary, console = await stage.running()
    address = f"/api/audience/{summary['code']}"
    path = f"/api/demos/{summary['demo_id']}"
    async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as other:
        running = (await other.get(address)).json()
        assert (running["ended"], running["replay"]) == (False, None)
        # Shared before its end: nothing of a blind demo may be seen meanwhile.
        token = await stage.share(summary["demo_id"])
        assert (await other.get(address)).json()["replay"] is None
        await console.do("end")
        await stage.over(summary["demo_id"])
        over = (await other.get(address.lower())).json()
        assert over == {
            "title": summary["title"],
            "code": summary["code"],
            "ended": True,
            "replay": token,
        }
        await stage.browser.delete(f"{path}/share")
        assert (await other.get(address)).json()["replay"] is None
        await stage.browser.delete(path)
        assert (await other.get(address)).status_code == 404


async def test_a_shared_demo_shows_nothing_while_it_runs(stage: Stage) -> None:
    summary, console = await stage.running()
    token = await stage.share(summary["demo_id"])
    lane = "/takes/1/lanes/0"
    files = (f"{lane}/sender.pcapng", f"{lane}/sound.opus", f"{lane}/sound/0")
    async with AsyncClient(base_url=stage.address, timeout=PATIENCE_S) as other:
        shared = f"/api/shared-demos/{token}"
        for part in ("", "/feed", "/events", "/results", *files):
            assert (await other.get(f"{shared}{part}")).status_code == 409
        await console.do("end")
        await stage.over(summary["demo_id"])
        assert (await other.get(shared)).status_code == 200


async def test_a_demo_can_be_deleted_once_it_is_over(stage: Stage) -> None:
    summary, console = await stage.running()
    path = f"/api/demos/{summary['demo_id']}"
    assert (await stage.browser.delete(path)).status_code == 409
    await console.do("end")
    await stage.over(summary["demo_id"])
    assert stage.services.demos.store.of(summary["demo_id"]).is_dir()
    assert (await stage.browser.delete(path)).status_code == 204
    assert (await stage.browser.delete(path)).status_code == 404
    assert not stage.services.demos.store.of(summary["demo_id"]).exists()
    async with stage.services.database.transaction() as session:
        for table in (Demo, DemoTake, DemoEvent):
            assert await session.scalar(select(func.count()).select_from(table)) == 0


async def test_what_was_written_before_a_crash_stays_and_is_told(stage: Stage) -> None:
    summary, console = await stage.running()
    demo_id = summary["demo_id"]
    await console.do("mark", text="the last thing")
    mark_ms = (await console.until(lambda one: one.get("text") == "the last thing"))["at_ms"]
    # Written so far, and not only begun: a file is there before its first line is.
    async with asyncio.timeout(PATIENCE_S):
        while (stage.services.demos.store.told_until_ms(demo_id) or 0.0) <= mark_ms:
            await console.until(lambda one: one["type"] == "moment", len(console.came))
    async with stage.services.database.transaction() as session:
        # As the next start of the server does it, with the demo still in the table.
        await registry.mark_broken_off(session, stage.services.demos.store)
    under_way = stage.services.demos._running
    demo = under_way.pop(demo_id)
    found = (await stage.browser.get(f"/api/demos/{demo_id}")).json()
    assert found["summary"]["fate"] == "broken_off"
    assert found["takes"][0]["end"] is None
    assert found["summary"]["size_bytes"] > 0
    # As long as what was told, though nobody did anything at its end.
    told = lines_of((await stage.browser.get(f"/api/demos/{demo_id}/feed")).text)
    marks = [one["at_ms"] for one in told if one.get("text") == "the last thing"]
    assert marks[0] < found["summary"]["length_ms"] <= max(one["at_ms"] for one in told)
    assert lines_of((await stage.browser.get(f"/api/demos/{demo_id}/feed")).text)
    under_way[demo_id] = demo


async def test_what_a_presenter_was_told_is_there_though_the_server_died_before_its_row(
    stage: Stage,
) -> None:
    summary, console = await stage.running()
    demo_id = summary["demo_id"]
    done = await console.do("mark", text="told")
    key = (demo_id, done["event"])
    async with asyncio.timeout(PATIENCE_S):
        while True:
            async with stage.services.database.transaction() as session:
                if (row := await session.get(DemoEvent, key)) is not None:
                    # As if the server had been killed before it came so far.
                    await session.delete(row)
                    break
            await asyncio.sleep(0.01)
    async with stage.services.database.transaction() as session:
        await registry.mark_broken_off(session, stage.services.demos.store)
    async with stage.services.database.transaction() as session:
        row = await session.get(DemoEvent, key)
        assert row is not None
        assert row.text == "told"


def test_the_feed_is_read_by_minutes_and_without_its_end(tmp_path: Path) -> None:
    store = DemoStore(tmp_path)
    files = DemoFiles(store, 7)
    for minute in range(3):
        for at in range(10):
            files.told(minute * 60_000 + at * 6_000, json.dumps({"minute": minute, "at": at}))
        files.write()

    # The server is killed here: nothing is closed.
    def minutes(from_ms: float, until_ms: float) -> list[tuple[int, int]]:
        text = b"".join(store.feed(7, from_ms, until_ms)).decode()
        return [(one["minute"], one["at"]) for one in map(json.loads, text.splitlines())]

    assert minutes(0, 1e9) == [(minute, at) for minute in range(3) for at in range(10)]
    assert {minute for minute, _ in minutes(60_000, 119_999)} == {1}
    last = store.of(7) / "feed" / "00002.ndjson.gz"
    last.write_bytes(last.read_bytes()[:-20])
    whole = minutes(0, 1e9)
    assert whole[:20] == [(minute, at) for minute in range(2) for at in range(10)]
    assert all(minute == 2 for minute, _ in whole[20:])
    files.close()


class SlowStore(DemoStore):
    """The first who wants a folder waits until it is told to go on."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.asked, self.go_on = threading.Event(), threading.Event()

    def of(self, demo_id: int) -> Path:
        if not self.asked.is_set():
            self.asked.set()
            assert self.go_on.wait(PATIENCE_S)
        return super().of(demo_id)


async def test_the_end_waits_for_a_write_that_nobody_waits_for(tmp_path: Path) -> None:
    store = SlowStore(tmp_path)
    files = DemoFiles(store, 7)
    files.told(0, "{}")
    writing = threading.Thread(target=files.write)
    writing.start()
    assert await asyncio.to_thread(store.asked.wait, PATIENCE_S)
    ending = asyncio.create_task(asyncio.to_thread(files.close))
    # Without the lock the end comes through here, before the minute that it should end is open.
    await asyncio.wait({ending}, timeout=0.2)
    store.go_on.set()
    await asyncio.to_thread(writing.join)
    await ending
    unpacker = zlib.decompressobj(wbits=31)
    packed = (store.of(7) / "feed" / "00000.ndjson.gz").read_bytes()
    assert unpacker.decompress(packed) == b"{}\n"
    assert unpacker.eof, "the file lacks its end"


def test_nothing_that_comes_beside_a_write_is_lost(tmp_path: Path) -> None:
    store = DemoStore(tmp_path)
    files = DemoFiles(store, 7)
    came = threading.Event()

    def write() -> None:
        while not came.is_set():
            files.write()

    pieces = [b"%05d " % number for number in range(20_000)]
    writing = threading.Thread(target=write)
    before_s = sys.getswitchinterval()
    # Every few steps another thread's turn: each piece comes at some step or other of a write.
    sys.setswitchinterval(1e-6)
    try:
        writing.start()
        for piece in pieces:
            files.captured(1, 0, pb.FILE_KIND_SENDER_CAPTURE, piece)
            files.told(0, piece.decode())
    finally:
        sys.setswitchinterval(before_s)
        came.set()
        writing.join()
    files.close()
    assert store.file(7, 1, 0, "sender.pcapng").read_bytes() == b"".join(pieces)
    told = b"".join(store.feed(7, 0, 1))
    assert told.splitlines() == pieces


def test_captures_grow_by_what_comes(tmp_path: Path) -> None:
    store = DemoStore(tmp_path)
    files = DemoFiles(store, 7)
    for piece in (b"one", b"two"):
        files.captured(1, 0, pb.FILE_KIND_SENDER_CAPTURE, piece)
        files.captured(1, 0, pb.FILE_KIND_RECEIVER_CAPTURE, piece.upper())
        files.captured(1, 0, pb.FILE_KIND_MESSAGE_ENDS, b"240\n")
        files.captured(1, 0, pb.FILE_KIND_RECORDING, b"not kept")
        files.write()
    files.told(0, "{}")
    files.close()
    assert store.file(7, 1, 0, "sender.pcapng").read_bytes() == b"onetwo"
    assert store.files(7, 1) == [
        "lane-0-message-ends.txt",
        "lane-0-receiver.pcapng",
        "lane-0-sender.pcapng",
    ]
    assert files.size_bytes == store.size_bytes(7)
    minute = store.of(7) / "feed" / "00000.ndjson.gz"
    assert zlib.decompress(minute.read_bytes(), wbits=31) == b"{}\n"
