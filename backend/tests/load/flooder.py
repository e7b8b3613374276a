"""One flood, for some seconds, in a process of its own that gives way to all else.

    python -m tests.load.flooder KIND ADDRESS SECONDS

Prints what came of it as JSON: answers by status, and the processor time that it took itself. It
comes from another address of this machine than the typists.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import os
import random
import resource
import socket
import ssl
import sys
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import urlsplit

import httpx
import websockets

from thinlab.bots.network import Line, RefusedError
from thinlab.trials.typing.bot.page_link import LinkRefusedError
from thinlab.trials.typing.bot.page_transport import DialError, dial_channel
from thinlab.trials.typing.bot.part import Hands, TypingPart

ELSEWHERE = "127.0.0.99"
STUDY = "typists"
NICE = 19
HELD = 1500
PATIENCE_S = 30.0
SIGN_IN = "/api/researcher/session"
HEAD = f"POST {SIGN_IN} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n".encode()
FRAME = json.dumps({"ack": 0, "first": 1, "messages": [], "answers": []})

Once = Callable[[], Awaitable[object]]


class Target:
    """The server, and what came of what was done to it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.found: Counter[str] = Counter()
        self.chance = random.Random(20_080)  # noqa: S311 - reproducible, not secret
        parts = urlsplit(address)
        self._where = (parts.hostname or "", parts.port or 80)

    def client(self, connections: int) -> httpx.AsyncClient:
        """Of so many connections."""
        limits = httpx.Limits(max_connections=connections)
        transport = httpx.AsyncHTTPTransport(
            local_address=ELSEWHERE,
            limits=limits,
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        )
        return httpx.AsyncClient(
            base_url=self.address, transport=transport, timeout=PATIENCE_S, trust_env=False
        )

    async def many(self, at_once: int, once: Once) -> None:
        """Again and again, so many at once, until cancelled."""

        async def go_on() -> None:
            while True:
                try:
                    answer = await once()
                except (httpx.TransportError, OSError, TimeoutError) as error:
                    self.found[type(error).__name__] += 1
                    await asyncio.sleep(0.01)
                else:
                    told = answer.status_code if isinstance(answer, httpx.Response) else "done"
                    self.found[str(told)] += 1

        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(go_on())

    async def raw(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection on which nothing is said yet."""
        async with asyncio.timeout(PATIENCE_S):
            return await asyncio.open_connection(*self._where, local_addr=(ELSEWHERE, 0))

    async def part(self, client: httpx.AsyncClient) -> TypingPart:
        """Somebody who takes part."""
        body = {"consent_version": "1", "join_key": str(uuid.uuid4()), "language": "en"}
        line = Line(client, chance=self.chance)
        answer = await line.ask("POST", f"/api/studies/{STUDY}/participants", body=body)
        token = str(answer.json()["participant_token"])
        return TypingPart(line, token, self.chance, Hands(link="websocket"))

    def hello(self, token: str, purpose: str, session_token: str | None = None) -> str:
        """A link's first frame."""
        opening = {
            "type": "hello",
            "participant_token": token,
            "link_id": str(uuid.uuid4()),
            "resumes": False,
            "purpose": purpose,
            "session_token": session_token,
        }
        return json.dumps(json.loads(FRAME) | {"opening": opening})

    def socket(self) -> websockets.connect:
        """Of links."""
        return websockets.connect(
            f"ws{self.address.removeprefix('http')}/api/live/socket",
            local_addr=(ELSEWHERE, 0),
            compression=None,
            open_timeout=PATIENCE_S,
        )


async def sign_ins(target: Target) -> None:
    """Wrong passwords."""
    async with target.client(50) as client:
        await target.many(50, lambda: client.post(SIGN_IN, json={"password": "letmein"}))


async def joins(target: Target) -> None:
    """New participants."""
    async with target.client(50) as client:

        async def join() -> httpx.Response:
            body = {"consent_version": "1", "join_key": str(uuid.uuid4()), "language": "en"}
            return await client.post(f"/api/studies/{STUDY}/participants", json=body)

        await target.many(50, join)


async def requests(target: Target) -> None:
    """The study's first page, from a hundred connections."""
    async with target.client(100) as client:
        await target.many(100, lambda: client.get(f"/api/studies/{STUDY}"))


async def connections(target: Target) -> None:
    """Connections opened and closed."""

    async def once() -> None:
        _, writer = await target.raw()
        writer.transport.abort()

    await target.many(50, once)


async def _held(target: Target, first: bytes, drop: bytes) -> None:
    """As many connections as there may be, each of which says a little every second."""

    async def once() -> None:
        reader, writer = await target.raw()
        try:
            writer.write(first)
            while not reader.at_eof() and not writer.is_closing():
                await writer.drain()
                with suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        await reader.read(1000)
                writer.write(drop)
        finally:
            writer.transport.abort()

    await target.many(HELD, once)


async def slow_heads(target: Target) -> None:
    """Heads that never end."""
    await _held(target, b"GET / HTTP/1.1\r\n", b"x: y\r\n")


async def slow_bodies(target: Target) -> None:
    """Bodies that never end."""
    await _held(target, HEAD + b"content-length: 100000\r\n\r\n", b" ")


async def huge_bodies(target: Target) -> None:
    """As long as bodies may be."""
    body = b" " * (256 * 1024)
    async with target.client(20) as client:
        await target.many(20, lambda: client.post(SIGN_IN, content=body))


async def pipelines(target: Target) -> None:
    """Thousands of requests at once on each connection."""
    asked = b"GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n" * 3000

    async def once() -> None:
        reader, writer = await target.raw()
        try:
            writer.write(asked)
            async with asyncio.timeout(PATIENCE_S):
                await reader.read()
        finally:
            writer.transport.abort()

    await target.many(10, once)


async def _sent_without_end(target: Target, first: str | None) -> None:
    try:
        async with target.socket() as link:
            if first is not None:
                await link.send(first)
            while True:
                await link.send(FRAME)
                target.found["frames"] += 1
                if target.found["frames"] % 20 == 0:
                    await asyncio.sleep(0)
    except websockets.InvalidStatus as error:
        target.found[str(error.response.status_code)] += 1
    except websockets.WebSocketException:
        target.found["closed"] += 1


async def sockets(target: Target) -> None:
    """Sockets that say nothing, opened for ever."""

    async def once() -> None:
        with suppress(websockets.WebSocketException):
            async with target.socket() as link:
                await link.wait_closed()

    await target.many(400, once)


async def frames(target: Target) -> None:
    """Frames over links that were let in, as fast as they go."""
    async with target.client(10) as client:
        parts = [await target.part(client) for _ in range(10)]

        async def once() -> None:
            token = target.chance.choice(parts).token
            await _sent_without_end(target, target.hello(token, "check"))

        await target.many(10, once)


async def channels(target: Target) -> None:
    """The same over data channels."""
    async with target.client(10) as client:
        parts = [await target.part(client) for _ in range(3)]

        async def once() -> None:
            part = target.chance.choice(parts)
            try:
                transport = await dial_channel(part._offer)
            except (DialError, RefusedError):
                return
            transport.send(target.hello(part.token, "check"))
            while not transport.closed:
                transport.send(FRAME)
                target.found["frames"] += 1
                await asyncio.sleep(0)

        await target.many(3, once)


async def typing_starts(target: Target) -> None:
    """Typing sessions that are begun and left."""
    async with target.client(10) as client:
        parts = [await target.part(client) for _ in range(5)]
        for part in parts:
            with suppress(LinkRefusedError, DialError):
                await part.check()

        async def once() -> None:
            part = target.chance.choice(parts)
            opened = await part.line.ask("POST", "/api/participation/trials", token=part.token)
            session_token = opened.json()["trials"][0]["first"]["session_token"]
            with suppress(websockets.WebSocketException):
                async with target.socket() as link:
                    await link.send(target.hello(part.token, "typing", session_token))
                    said = json.loads(await link.recv())["opening"]
                    target.found[said.get("code", said["type"])] += 1

        await target.many(5, once)


FLOODS: dict[str, Callable[[Target], Awaitable[None]]] = {
    one.__name__: one
    for one in (
        sign_ins,
        joins,
        requests,
        connections,
        slow_heads,
        slow_bodies,
        huge_bodies,
        pipelines,
        sockets,
        frames,
        channels,
        typing_starts,
    )
}


async def flood(kind: str, address: str, seconds: float) -> Counter[str]:
    """Does it for so long."""
    target = Target(address)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await FLOODS[kind](target)
    return target.found


def main() -> None:
    """Prints what came of it."""
    kind, address, seconds = sys.argv[1:]
    os.nice(NICE)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    # All stays on this machine.
    assert urlsplit(address).hostname in {"127.0.0.1", socket.gethostname()}
    found = asyncio.run(flood(kind, address, float(seconds)))
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"found": found, "cpu_s": used.ru_utime + used.ru_stime}))


if __name__ == "__main__":
    main()
