"""Pages that stall, a disk that fails: the demo goes on for all others, or ends and says why.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import socket
import uuid
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.demo.conftest import Stage
from tests.running.thinlab_process import PATIENCE_S
from thinlab.demo.store import DemoFiles, DemoStore
from thinlab.demo.watchers import MOMENTS_LIMIT, Told

HANDSHAKE = (
    "GET /api/audience/{code}/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    "Sec-WebSocket-Version: 13\r\n\r\n"
)
TEXT = 0x81
MASKED = 0x80


async def stalled(stage: Stage, code: str) -> socket.socket:
    """A page that has joined and reads nothing any more."""
    host = urlsplit(stage.address).netloc
    name, port = host.split(":")
    page = socket.socket()
    page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    page.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(page, (name, int(port)))
    await loop.sock_sendall(page, HANDSHAKE.format(code=code, host=host).encode())
    await loop.sock_recv(page, 4096)
    hello = json.dumps({"do": "hello", "listener": str(uuid.uuid4())}).encode()
    await loop.sock_sendall(page, bytes([TEXT, MASKED | len(hello), 0, 0, 0, 0]) + hello)
    return page


async def test_a_page_that_stalls_holds_up_nobody(stage: Stage) -> None:
    summary, console = await stage.running()
    broadcast = stage.demo(summary["demo_id"]).broadcast
    page = await stalled(stage, summary["code"])
    async with asyncio.timeout(PATIENCE_S):
        while not len(broadcast.audience):
            await asyncio.sleep(0.01)
    (watcher,) = broadcast.audience._watchers
    phone = await stage.phone(summary["code"])
    # No page's contract; as long as what a minute of a room would be.
    before = len(phone.all("moment"))
    async with asyncio.timeout(PATIENCE_S):
        while not watcher.lost_moments:
            watcher.tell(" " * 1_000_000, Told.MOMENT)
            await asyncio.sleep(0)
    assert len(watcher._waiting) <= MOMENTS_LIMIT + 10
    while len(phone.all("moment")) < before + 5:
        await phone.until(lambda one: one["type"] == "moment", len(phone.came))
    assert (await console.do("mark", text="on"))["type"] == "done"
    await console.do("end")
    await stage.over(summary["demo_id"])
    page.close()


@pytest.mark.parametrize("what", ["write", "free_bytes"])
async def test_a_disk_that_fails_ends_the_demo_and_is_said(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    summary, console = await stage.running()

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(DemoFiles if what == "write" else DemoStore, what, fails)
    event = await console.until(lambda one: one["type"] == "event" and one["kind"] == "limit")
    assert "could not be written" in event["text"]
    await console.state(stage="ended")
    await stage.over(summary["demo_id"])


def test_what_was_told_is_known_of_a_feed_that_lacks_its_end(tmp_path: Path) -> None:
    store = DemoStore(tmp_path)
    assert store.told_until_ms(7) is None
    files = DemoFiles(store, 7)
    for at_ms in (10.0, 61_000.0, 62_500.5):
        files.told(at_ms, json.dumps({"at_ms": at_ms}))
        files.write()
    assert store.told_until_ms(7) == 62_500.5
    last = store.of(7) / "feed" / "00001.ndjson.gz"
    last.write_bytes(last.read_bytes()[:12])
    assert store.told_until_ms(7) == 10.0
    files.close()


def test_files_are_let_go_of_on_a_disk_that_is_full(tmp_path: Path) -> None:
    store = DemoStore(tmp_path)
    feed = store.of(7) / "feed"
    feed.mkdir(parents=True)
    (feed / "00000.ndjson.gz").symlink_to("/dev/full")
    files = DemoFiles(store, 7)
    files.happened("begun")
    files.told(10.0, "{}")
    assert open_files(tmp_path) != []
    with pytest.raises(OSError, match="No space left"):
        files.close()
    assert open_files(tmp_path) == []


def open_files(folder: Path) -> list[str]:
    """Those of a folder, and the full disk, that this process has open."""
    found = []
    for descriptor in Path("/proc/self/fd").iterdir():
        # Others of this process come and go, that of this listing as well.
        with suppress(FileNotFoundError):
            path = descriptor.readlink()
            if path == Path("/dev/full") or path.is_relative_to(folder):
                found.append(str(path))
    return found
