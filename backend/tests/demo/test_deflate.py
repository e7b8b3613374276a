"""What a demo's pages are sent is compressed, once for all; what people type is not.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import uuid
import zlib

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

from tests.demo.conftest import Stage
from tests.running.thinlab_process import PATIENCE_S
from thinlab.demo.deflated import TAIL, deflated

# As Chromium, Firefox and Safari ask for it.
AS_BROWSERS = [ClientPerMessageDeflateFactory()]
SMALL_WINDOW = [ClientPerMessageDeflateFactory(server_max_window_bits=10)]


async def joined(
    stage: Stage, code: str, extensions: list[ClientPerMessageDeflateFactory] | None
) -> ClientConnection:
    address = stage.address.replace("http", "ws", 1) + f"/api/audience/{code}/socket"
    page = await connect(address, extensions=extensions, compression=None, proxy=None)
    await page.send(json.dumps({"do": "hello", "listener": str(uuid.uuid4())}))
    return page


async def moments(page: ClientConnection, count: int) -> list[str]:
    found: list[str] = []
    async with asyncio.timeout(PATIENCE_S):
        while len(found) < count:
            text = str(await page.recv())
            if json.loads(text)["type"] == "moment":
                found.append(text)
    return found


async def test_browsers_are_sent_compressed_what_all_others_get(stage: Stage) -> None:
    summary, console = await stage.running()
    packed = await joined(stage, summary["code"], AS_BROWSERS)
    # Who cannot read what is compressed for all gets it as it is.
    small = await joined(stage, summary["code"], SMALL_WINDOW)
    plain = await joined(stage, summary["code"], None)
    agreed = packed.response.headers["Sec-WebSocket-Extensions"] if packed.response else ""
    assert "server_no_context_takeover" in agreed
    assert (len(packed.protocol.extensions), small.protocol.extensions) == (1, [])
    deflated.cache_clear()
    told: list[set[str]] = [set(), set(), set()]
    async with asyncio.timeout(PATIENCE_S):
        # One joined later than another, by whatever that took.
        while len(told[0] & told[1] & told[2]) <= 5:
            for page, texts in zip((packed, small, plain), told, strict=True):
                texts.update(await moments(page, 5))
    await console.until(lambda one: json.dumps(one, separators=(",", ":")) in told[0])
    for page in (packed, small, plain):
        await page.close()


async def test_a_message_is_compressed_once_however_many_get_it(stage: Stage) -> None:
    summary, _ = await stage.running()
    pages = [await joined(stage, summary["code"], AS_BROWSERS) for _ in range(5)]
    deflated.cache_clear()
    for page in pages:
        await moments(page, 20)
    used = deflated.cache_info()
    # Four of five find what the first has compressed, but for what some had got before the count
    # began, or others have yet to get.
    assert used.misses >= 20
    assert used.hits > 2 * used.misses
    for page in pages:
        await page.close()


async def test_what_people_type_is_never_compressed(stage: Stage) -> None:
    address = stage.address.replace("http", "ws", 1) + "/api/live/socket"
    try:
        async with connect(address, extensions=AS_BROWSERS, compression=None, proxy=None) as link:
            assert link.protocol.extensions == []
            assert link.response is not None
            assert "Sec-WebSocket-Extensions" not in link.response.headers
    except (ConnectionClosed, InvalidStatus) as error:
        raise AssertionError("there is no such socket") from error


def test_what_is_compressed_can_be_read_alone() -> None:
    text = json.dumps({"type": "moment", "lanes": [{"departures": list(range(400))}]}).encode()
    packed = deflated(text)
    assert len(packed) < len(text) / 2
    assert zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed + TAIL) == text
