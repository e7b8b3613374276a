"""Sends heads and bodies that never end, come drop by drop, or are far too large.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import gzip
import json
import re

import httpx
import pytest

from tests.attack.aim import Instance
from tests.attack.conftest import PATIENCE_S
from tests.attack.flood import raw
from thinlab.web import protocols, security

POST = b"POST /api/researcher/session HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"


ASK = b"GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n"
# Patience that ends early: what it ends in is the same.
HURRIED_S = 0.2


async def answer_of(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the server closes, or resets what it did not read."""
    pieces = []
    async with asyncio.timeout(PATIENCE_S):
        try:
            while piece := await reader.read(65_536):
                pieces.append(piece)
        except ConnectionError:
            # What came before the reset is there, and is not given out any more.
            pieces.append(bytes(reader._buffer))  # type: ignore[attr-defined]
    return b"".join(pieces)


async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Asks, and reads the whole answer."""
    writer.write(ASK)
    async with asyncio.timeout(PATIENCE_S):
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        (length,) = re.findall(rb"content-length: (\d+)", head)
        await reader.readexactly(int(length))


@pytest.mark.parametrize("head", [b"", b"GET / HTTP/1.1\r\nhost:", b"GET "])
async def test_a_head_that_does_not_end_is_not_waited_for(
    own: Instance, head: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "HEAD_PATIENCE_S", HURRIED_S)
    async with raw(own) as (reader, writer):
        writer.write(head)
        assert await answer_of(reader) == b""


async def test_a_later_head_is_not_waited_for_either(
    own: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with raw(own) as (reader, writer):
        await asked(reader, writer)
        # From the next answer on: with the head of that request the server is patient still.
        monkeypatch.setattr(protocols, "HEAD_PATIENCE_S", HURRIED_S)
        await asked(reader, writer)
        # Begun, so that this is no connection which is only kept open.
        writer.write(b"GET /api/health HT")
        assert await answer_of(reader) == b""


@pytest.mark.parametrize("length", [b"content-length: 100", b"transfer-encoding: chunked"])
async def test_a_body_that_does_not_end_is_not_waited_for(
    own: Instance, length: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "BODY_PATIENCE_S", HURRIED_S)
    async with raw(own) as (reader, writer):
        writer.write(POST + length + b"\r\n\r\n")
        answer = await answer_of(reader)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"/problems/too-slow" in answer
    assert b"content-security-policy" in answer


async def test_a_huge_head_is_refused(instance: Instance) -> None:
    async with raw(instance) as (reader, writer):
        writer.write(b"GET / HTTP/1.1\r\nx: " + b"x" * (protocols.HEAD_LIMIT_BYTES + 1))
        assert (await answer_of(reader)).startswith(b"HTTP/1.1 400")


async def test_a_head_of_many_lines_is_refused(instance: Instance) -> None:
    async with raw(instance) as (reader, writer):
        lines = b"a: b\r\n" * (protocols.HEAD_LINES_LIMIT + 1)
        writer.write(b"GET /api/health HTTP/1.1\r\n" + lines + b"\r\n")
        assert (await answer_of(reader)).startswith(b"HTTP/1.1 400")


async def test_thousands_of_requests_at_once_on_one_connection_are_refused(
    instance: Instance,
) -> None:
    async with raw(instance) as (reader, writer):
        writer.write(ASK * 3000)
        assert (await answer_of(reader)).count(b"HTTP/1.1 200") <= protocols.PIPELINE_LIMIT + 1


@pytest.mark.parametrize("declared", [True, False])
async def test_a_huge_body_is_refused(
    instance: Instance, stranger: httpx.AsyncClient, declared: bool
) -> None:
    piece = b" " * 4096
    pieces = security.BODY_LIMIT_BYTES // len(piece) + 1
    if declared:
        answer = await stranger.post("/api/researcher/session", content=piece * pieces)
        assert answer.status_code == 413
        return
    async with raw(instance) as (reader, writer):
        writer.write(POST + b"transfer-encoding: chunked\r\n\r\n")
        writer.write((b"%x\r\n" % len(piece) + piece + b"\r\n") * pieces)
        assert (await answer_of(reader)).startswith(b"HTTP/1.1 413")


async def test_many_bodies_together_have_a_bound(
    own: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "BODIES_LIMIT_BYTES", 10_000)
    half = b"x" * 8000
    async with raw(own) as (_, first), raw(own) as (reader, second):
        first.write(POST + b"content-length: 9000\r\n\r\n" + half)
        second.write(POST + b"content-length: 9000\r\n\r\n" + half)
        answers = asyncio.create_task(answer_of(reader))
        # Whichever of the two the server has read last is told.
        async with raw(own) as (third_reader, third):
            third.write(POST + b"content-length: 9000\r\n\r\n" + half)
            refused = await answer_of(third_reader)
        answers.cancel()
    assert refused.startswith(b"HTTP/1.1 503")
    async with httpx.AsyncClient(base_url=own.url, timeout=60) as other:
        # Nothing is left of what was given up.
        async with asyncio.timeout(30):
            while (await other.post("/api/researcher/session", content=half)).status_code == 503:
                await asyncio.sleep(0.01)


async def test_a_compressed_body_is_not_inflated(stranger: httpx.AsyncClient) -> None:
    bomb = gzip.compress(json.dumps({"password": "x" * 20_000_000}).encode())
    headers = {"content-encoding": "gzip", "content-type": "application/json"}
    answer = await stranger.post("/api/researcher/session", content=bomb, headers=headers)
    assert answer.status_code in {400, 422}


async def test_who_does_not_read_is_not_waited_for(
    own: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "UNREAD_PATIENCE_S", 0.2)
    assert own.inside
    async with raw(own, buffer_bytes=4096) as (_, writer):
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        asked = b"GET /api/studies/demo/sound-check HTTP/1.1\r\nhost: x\r\n\r\n"
        async with asyncio.timeout(30):
            while not writer.is_closing():
                writer.write(asked)
                try:
                    await writer.drain()
                except ConnectionError:
                    break
                await asyncio.sleep(0.05)
