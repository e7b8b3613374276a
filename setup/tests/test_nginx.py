"""nginx as it stands before the backend: it keeps nothing of who asked, and has room for a room.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import re
import resource
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from nginx_process import Nginx, free_port, running

TOKEN = "tok-3n-0f-a-participant"  # noqa: S105 (nobody's)
PHONES = 1000
# Loopback has many addresses.
FLOODS = "127.0.0.99"
LARGE = 3_000_000


def _asked(method: str, path: str, *headers: str, body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: thinlab", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


@asynccontextmanager
async def _backend(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], object],
) -> AsyncIterator[int]:
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=4096)  # type: ignore[arg-type]
    async with server:
        yield server.sockets[0].getsockname()[1]


async def _hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nnot a header")
    writer.close()


async def _provoke(nginx: Nginx) -> dict[str, int]:
    """Each way in which nginx itself refuses or fails a request; the status that came back."""
    api, place = f"/api/recordings/{TOKEN}", f"thinlab-{TOKEN}"
    answers = {
        "body too large": _asked("POST", api, f"Content-Length: {LARGE}"),
        "no such request": f"GET {api} HTTP/1.1\r\n{TOKEN}\r\n\r\n".encode(),
        "no such method": f"{TOKEN} /\r\n\r\n".encode(),
        "header too long": _asked("GET", api, f"X-Token: {TOKEN * 5000}"),
        "address too long": _asked("GET", f"/api/{TOKEN * 5000}"),
        "zero in the address": _asked("GET", f"/{TOKEN}%00"),
        "two hosts": _asked("GET", api, f"Host: {place}"),
        "no such file": _asked("GET", f"/assets/{TOKEN}.js"),
        "no such map": _asked("GET", f"/assets/{TOKEN}.js.map"),
        "a line break in the address": _asked("GET", f"/assets/%0a{TOKEN}"),
        "upstream": _asked("GET", api),
        "socket": _asked("GET", f"/api/audience/{TOKEN}/socket", "Upgrade: websocket"),
        "slow header": f"GET {api} HTTP/1.1\r\nHost: {place}".encode(),
        "slow body": _asked("POST", api, "Content-Length: 10", body=b"x"),
    }
    came = await asyncio.gather(*(nginx.ask(asked) for asked in answers.values()))
    found = {}
    for name, answer in zip(answers, came, strict=True):
        status = re.match(rb"HTTP/1.1 (\d+)", answer)
        found[name] = int(status[1]) if status else 0
    burst = await asyncio.gather(*(nginx.ask(_asked("GET", api)) for _ in range(40)))
    found["limit"] = sum(answer.startswith(b"HTTP/1.1 503") for answer in burst)
    return found


def _hasty(text: str) -> str:
    """With limits that a test reaches."""
    text = text.replace("burst=3000", "burst=20").replace("rate=1000r/s", "rate=1r/m")
    text = text.replace("client_header_timeout 10s", "client_header_timeout 1s")
    return text.replace("client_body_timeout 20s", "client_body_timeout 1s")


EXPECTED = {
    "body too large": 413,
    "no such request": 400,
    "no such method": 400,
    "header too long": 400,
    "address too long": 414,
    "zero in the address": 400,
    "two hosts": 400,
    "no such file": 404,
    "no such map": 404,
    "a line break in the address": 404,
    "upstream": 503,
    "socket": 503,
    "slow header": 408,
    "slow body": 408,
}


async def test_nothing_is_kept_of_who_asked(tmp_path: Path) -> None:
    said = []
    for port in (free_port(), None):
        folder = tmp_path / str(port)
        async with _backend(_hang_up) as alive, running(folder, port or alive, _hasty) as nginx:
            found = await _provoke(nginx)
        assert found.pop("limit") > 0
        # Without a status, nginx has closed the connection on who was too slow.
        assert {name: status or 408 for name, status in found.items()} == EXPECTED
        said.append(nginx.said())
    for text in said:
        assert TOKEN not in text
        assert "127.0.0.1" not in text
        assert "client" not in text


async def test_the_same_would_have_been_kept_otherwise(tmp_path: Path) -> None:
    """What the test above provokes is worth a line to nginx."""

    def loud(text: str) -> str:
        return _hasty(text).replace("error_log /dev/null emerg", "error_log stderr info")

    async with running(tmp_path / "loud", free_port(), loud) as nginx:
        await _provoke(nginx)
    said = nginx.said()
    assert "Connection refused" in said
    assert "limiting requests" in said
    assert "too large body" in said
    assert said.count(TOKEN) > 10
    assert "client: 127.0.0.1" in said


async def test_too_many_connections_are_not_told_of_either(tmp_path: Path) -> None:
    def narrow(text: str) -> str:
        return text.replace("worker_connections 16384", "worker_connections 12")

    async with running(tmp_path / "narrow", free_port(), narrow) as nginx:
        held = []
        for _ in range(40):
            reader, writer = await asyncio.open_connection("127.0.0.1", nginx.port)
            writer.write(f"GET /api/{TOKEN} HTTP/1.1\r\n".encode())
            held.append((reader, writer))
        # Some are turned away at once.
        await asyncio.wait(
            [asyncio.create_task(reader.read()) for reader, _ in held],
            return_when=asyncio.FIRST_COMPLETED,
        )
        for _, writer in held:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in held), return_exceptions=True)
    assert TOKEN not in nginx.said()
    assert "127.0.0.1" not in nginx.said()


async def test_a_room_of_phones_has_room(tmp_path: Path) -> None:
    """Each holds a socket, which is two connections of nginx, and one that idles."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    arrived = 0
    everybody = asyncio.Event()

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal arrived
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
        arrived += 1
        if arrived == PHONES:
            everybody.set()
        await reader.read()
        writer.close()

    async def phone(nginx: Nginx) -> asyncio.StreamWriter:
        reader, writer = await asyncio.open_connection("127.0.0.1", nginx.port)
        writer.write(
            b"GET /api/audience/demo/socket HTTP/1.1\r\nHost: thinlab\r\n"
            b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n"
        )
        assert await reader.readline() == b"HTTP/1.1 101 Switching Protocols\r\n"
        return writer

    try:
        async with _backend(hold) as port, running(tmp_path / "room", port) as nginx:
            async with asyncio.timeout(60):
                phones = await asyncio.gather(*(phone(nginx) for _ in range(PHONES)))
                idle = await asyncio.gather(
                    *(asyncio.open_connection("127.0.0.1", nginx.port) for _ in range(PHONES))
                )
                await everybody.wait()
                page = await nginx.ask(_asked("GET", "/"))
                assert page.startswith(b"HTTP/1.1 200")
                assert not any(reader.at_eof() for reader, _ in idle)
                for writer in (*phones, *(writer for _, writer in idle)):
                    writer.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_a_flood_from_one_address_takes_no_others_turn(tmp_path: Path) -> None:
    def slow(text: str) -> str:
        text = text.replace("rate=500r/s", "rate=1r/m").replace("rate=1000r/s", "rate=1r/m")
        return text.replace("burst=2000", "burst=20").replace("burst=3000", "burst=60")

    async def statuses(nginx: Nginx, source: str, times: int) -> list[bytes]:
        asked = _asked("GET", "/api/studies")
        answers = await asyncio.gather(*(nginx.ask(asked, source) for _ in range(times)))
        return [answer.split(b" ", 2)[1] for answer in answers]

    async with _backend(_tell_who) as port, running(tmp_path / "flood", port, slow) as nginx:
        flood = await statuses(nginx, FLOODS, 100)
        assert (flood.count(b"200"), flood.count(b"503")) == (21, 79)
        # What was refused was not counted for all.
        assert await statuses(nginx, "127.0.0.1", 20) == [b"200"] * 20


async def test_who_holds_connections_keeps_nobody_else_out(tmp_path: Path) -> None:
    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await reader.read()
        writer.close()

    def few(text: str) -> str:
        return text.replace("limit_conn held 5000", "limit_conn held 3")

    async def status(reader: asyncio.StreamReader) -> bytes:
        return (await reader.readline()).split(b" ", 2)[1]

    async with _backend(hold) as port, running(tmp_path / "held", port, few) as nginx:
        held, found = [], []
        for source in [FLOODS] * 5 + ["127.0.0.1"]:
            reader, writer = await nginx.connect(source)
            writer.write(_asked("GET", "/api/studies"))
            found.append(await status(reader))
            held.append(writer)
        assert found == [b"200"] * 3 + [b"503"] * 2 + [b"200"]
        for writer in held:
            writer.close()


async def _tell_who(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    who = re.search(r"X-Forwarded-For: (.*)\r", head)
    writer.write(
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<%s>" % (who[1].encode() if who else b"")
    )
    writer.close()


@pytest.mark.parametrize(
    ("proxies", "told", "seen"),
    [
        # Nobody is believed unless they were named.
        ("", "203.0.113.9", "127.0.0.1"),
        ("172.16.0.0/12", "203.0.113.9", "127.0.0.1"),
        ("172.16.0.0/12, 127.0.0.1", "203.0.113.9", "203.0.113.9"),
        # What stands before the proxy's own word is the stranger's.
        ("127.0.0.1", "198.51.100.7, 203.0.113.9", "203.0.113.9"),
        ("127.0.0.1 10.0.0.0/8", "203.0.113.9, 10.2.3.4", "203.0.113.9"),
    ],
)
async def test_a_proxy_before_nginx_tells_who_asks(
    tmp_path: Path, proxies: str, told: str, seen: str
) -> None:
    async with _backend(_tell_who) as port, running(tmp_path / "x", port, proxies=proxies) as nginx:
        answer = await nginx.ask(_asked("GET", "/api/studies", f"X-Forwarded-For: {told}"))
    assert f"<{seen}>" in answer.decode()
