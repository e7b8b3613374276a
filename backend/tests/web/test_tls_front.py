"""HTTPS by the server itself, over real sockets: what it serves, and whom it sends elsewhere.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import pytest_asyncio
import websockets
from websockets.typing import Origin

from tests.attack.flood import ELSEWHERE
from tests.made_up import sign_in
from tests.running.thinlab_process import PATIENCE_S
from tests.served import served
from thinlab.study.catalogue import StoredStudy
from thinlab.tls.own_certificate import kept
from thinlab.tls.server_certificate import ServerCertificate
from thinlab.web import tls_front
from thinlab.web.services import Services
from thinlab.web.tls_front import elsewhere


@pytest.fixture
def certificate(tmp_path: Path) -> ServerCertificate:
    """Of our own making."""
    return kept(tmp_path / "tls", ("127.0.0.1", "localhost"))


@pytest.fixture
def trusting(certificate: ServerCertificate) -> ssl.SSLContext:
    """A client's side that knows this certificate and no other."""
    return ssl.create_default_context(cafile=str(certificate.chain))


@pytest_asyncio.fixture
async def address(
    services: Services, study: StoredStudy, certificate: ServerCertificate
) -> AsyncIterator[str]:
    """Of a server that speaks TLS."""
    assert study.slug == "demo"
    async with served(services, certificate) as address:
        yield address


async def test_pages_and_sockets_are_served_and_cookies_kept_to_it(
    address: str, services: Services, trusting: ssl.SSLContext
) -> None:
    async with httpx.AsyncClient(base_url=address, verify=trusting, timeout=PATIENCE_S) as browser:
        await sign_in(browser, services)
        assert list(browser.cookies) == ["__Host-researcher"]
        answer = await browser.get("/api/researcher/studies")
        assert answer.status_code == 200
        # Whoever lets a certificate of our own making pass must be able to the next time, too.
        assert "strict-transport-security" not in answer.headers
        assert (await browser.get("/api/health", timeout=PATIENCE_S)).http_version == "HTTP/1.1"
    there = address.replace("https", "wss") + "/api/live/socket"
    async with websockets.connect(there, ssl=trusting, origin=Origin(address)) as page:
        await page.send(json.dumps({"hello": "nobody"}))
        with pytest.raises(websockets.ConnectionClosed):
            await page.recv()
    with pytest.raises(websockets.InvalidStatus, match="403"):
        await websockets.connect(there, ssl=trusting, origin=Origin("https://evil.example"))


async def test_another_certificate_is_not_taken_for_ours(address: str) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE_S) as stranger:
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            await stranger.get("/api/health")


async def test_whoever_comes_without_encryption_is_sent_to_where_it_is(address: str) -> None:
    plain = address.replace("https", "http")
    async with httpx.AsyncClient(base_url=plain, timeout=PATIENCE_S) as browser:
        answer = await browser.get("/s/demo?language=nb")
        assert answer.status_code == 307
        assert answer.headers["location"] == f"{address}/s/demo?language=nb"
        assert address in answer.text
        sent = await browser.post("/api/researcher/session", json={"password": "in clear"})
        assert (sent.status_code, "location" in sent.headers) == (403, False)
        assert "HTTPS only" in sent.text


@pytest.mark.parametrize(
    ("head", "location"),
    [
        ("GET /a HTTP/1.1\r\nHost: lab.example:8000\r\n\r\n", "https://lab.example:8000/a"),
        ("GET /a HTTP/1.1\r\nhost:  [::1]:8000 \r\n\r\n", "https://[::1]:8000/a"),
        ("GET / HTTP/1.0\r\n\r\n", "https://192.0.2.7:8000/"),
        ('GET / HTTP/1.1\r\nHost: a"><script>\r\n\r\n', "https://192.0.2.7:8000/"),
        ("GET http://evil.example/ HTTP/1.1\r\nHost: lab:8000\r\n\r\n", "https://lab:8000/"),
        ("GET /\x0b\x85 HTTP/1.1\r\nHost: lab:8000\r\n\r\n", "https://lab:8000/"),
        ("", None),
        ("SSH-2.0-OpenSSH\r\n\r\n", None),
    ],
)
def test_where_it_sends_is_this_server_whatever_is_said(head: str, location: str | None) -> None:
    answer = elsewhere(head.encode("latin-1"), ("192.0.2.7", 8000)).decode()
    said = [line for line in answer.split("\r\n") if line.startswith("Location: ")]
    assert said == ([f"Location: {location}"] if location else [])
    assert "<script>" not in answer


async def test_who_says_nothing_holds_up_nobody(
    address: str, trusting: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tls_front, "PATIENCE_S", 3.0)
    place = (urlsplit(address).hostname or "", urlsplit(address).port or 0)
    loop = asyncio.get_running_loop()
    silent = [socket.create_connection(place) for _ in range(20)]
    for one in silent:
        one.setblocking(False)
    async with asyncio.timeout(PATIENCE_S):
        for one in silent:
            assert await loop.sock_recv(one, 1) == b""
            one.close()
    async with httpx.AsyncClient(base_url=address, verify=trusting, timeout=PATIENCE_S) as browser:
        assert (await browser.get("/api/health")).status_code == 200


async def test_who_holds_every_place_in_front_gives_way_to_who_comes(
    address: str, trusting: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    # For as long as anybody waits for an answer here, nobody has to go for being late.
    monkeypatch.setattr(tls_front, "PATIENCE_S", 10 * PATIENCE_S)
    place = (urlsplit(address).hostname or "", urlsplit(address).port or 0)
    silent = [
        socket.create_connection(place, source_address=(ELSEWHERE, 0))
        for _ in range(2 * tls_front.WAITING_LIMIT)
    ]
    async with httpx.AsyncClient(base_url=address, verify=trusting, timeout=PATIENCE_S) as browser:
        assert (await browser.get("/api/health")).status_code == 200
    held = 0
    for one in silent:
        one.setblocking(False)
        with suppress(BlockingIOError):
            one.recv(1)
            held -= 1
        held += 1
        one.close()
    assert held == tls_front.WAITING_LIMIT - 1
