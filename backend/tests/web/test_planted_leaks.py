"""The blinding's check proves itself: what is planted has to be found, each for its own reason.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import re
import struct
from collections.abc import Callable
from typing import Any

import pytest
from httpx import AsyncClient

from tests.applications import app_over
from tests.made_up import PREFERENCE, Participant
from tests.web.audited import Auditor, definition_of
from tests.web.blinding import WAV_HEADER_BYTES
from tests.web.conftest import PATIENCE_S, Serve
from tests.web.first_byte import first_byte_ms, timing_leaks
from tests.web.leaky import Answer, Leaky, Plant
from tests.web.test_blinding import put
from thinlab.study.definition import StudyDefinition
from thinlab.web.services import Services

DELAY_S = 0.02


def header(name: str, value: Callable[[str], str]) -> Plant:
    """A header with every recording; `value` may depend on the mode."""

    def plant(answer: Answer) -> None:
        if answer.is_recording and answer.secret:
            answer.headers.append((name.encode(), value(answer.secret.mode).encode()))

    return plant


def headers_in_another_order(answer: Answer) -> None:
    """For one of the modes."""
    if answer.is_recording and answer.secret and answer.secret.mode != "off":
        answer.headers.reverse()


def bit_in_wav(answer: Answer) -> None:
    """Bits per sample tell the mode."""
    if answer.is_recording and answer.secret:
        body = bytearray(answer.body)
        body[34] = len(answer.secret.mode)
        answer.body = bytes(body)


def tag_in_wav(answer: Answer) -> None:
    """A chunk of its own, of one length, so that nothing else gives it away."""
    if answer.is_recording and answer.secret:
        answer.body += b"LIST" + struct.pack("<I", 15) + answer.secret.mode.ljust(15).encode()


def another_length(answer: Answer) -> None:
    """One sample more for one of the modes, in a file that is right in itself."""
    if answer.is_recording and answer.secret and answer.secret.mode != "off":
        samples = answer.body[WAV_HEADER_BYTES:] + b"\0\0"
        body = bytearray(answer.body[:WAV_HEADER_BYTES] + samples)
        body[4:8] = struct.pack("<I", len(body) - 8)
        body[40:44] = struct.pack("<I", len(samples))
        answer.body = bytes(body)


def in_trials(change: Callable[[dict[str, Any], Answer], dict[str, Any]]) -> Plant:
    """Changes each trial of the answer that opens trials."""

    def plant(answer: Answer) -> None:
        if answer.path.endswith("/trials") and answer.status == 200:
            trials = json.loads(answer.body)["trials"]
            answer.put_json({"trials": [change(trial, answer) for trial in trials]})

    return plant


def name_in_address(trial: dict[str, Any], answer: Answer) -> dict[str, Any]:
    """A recording's address ends in its mode."""
    for place in ("first", "second"):
        token = trial[place]["recording_token"]
        trial[place] = {"recording_token": f"{token}~{answer.secrets[token].mode}"}
    return trial


def for_kind(kind: str, **fields: Any) -> Plant:  # noqa: ANN401
    """Other fields for trials of one kind."""

    def change(trial: dict[str, Any], answer: Answer) -> dict[str, Any]:
        return trial | fields if answer.secrets[trial["trial_token"]].kind == kind else trial

    return in_trials(change)


def keys_in_another_order(trial: dict[str, Any], answer: Answer) -> dict[str, Any]:
    """For controls."""
    control = answer.secrets[trial["trial_token"]].kind == "control"
    return dict(reversed(trial.items())) if control else trial


def receipt_of_traps(answer: Answer) -> None:
    """A vote's receipt says more where nothing is left to vote on."""
    kinds = {secret.kind for secret in answer.secrets.values()}
    if answer.path.endswith("/votes") and answer.status == 201 and "trapping" in kinds:
        receipt = json.loads(answer.body)
        if receipt["position"] == 3:
            answer.put_json(receipt | {"noted": True})


def source_map(answer: Answer) -> None:
    """The pages' sources, for whoever asks."""
    if answer.path.endswith(".map"):
        answer.status = 200
        answer.put_json({"sources": ["linear_timeouts.ts"]})


OTHER_SCALE = PREFERENCE | {"question": "Which do you like better, then?"}
PLANTED: dict[str, tuple[Plant, str]] = {
    "word": (header("x-mode", str), r"word: 'linear' in GET /api/recordings/"),
    "encoded": (
        header("x-id", lambda mode: mode.encode().hex()),
        r"word: 'encoded linear' in GET /api/recordings/",
    ),
    "cache": (header("x-cache", lambda mode: "hit" if mode == "off" else "miss"), r"header: x-cac"),
    "etag": (header("etag", lambda mode: f'"{len(mode)}"'), r"word: 'etag'"),
    "file name": (header("content-disposition", lambda _: 'filename="a.wav"'), "word: 'filename'"),
    "order of headers": (headers_in_another_order, r"^headers: in another order"),
    "bit in the file": (bit_in_wav, r"^WAV header"),
    "tag in the file": (tag_in_wav, r"^WAV chunks: .*LIST.* in GET"),
    "word in a tag": (tag_in_wav, r"word: 'timeout' in GET /api/recordings/"),
    "length": (another_length, r"^length: \d+ / \d+"),
    "address": (in_trials(name_in_address), r"word: 'timeout' in GET /api/recordings/.*~linear"),
    "key": (for_kind("gold", expected=True), r"^keys of a trial: "),
    "order of keys": (in_trials(keys_in_another_order), r"^keys of a trial: "),
    "duration": (for_kind("trapping", duration_ms=7), r"^trial: duration_ms is "),
    # Two where the draw puts the gold trial first or last, else three.
    "question": (for_kind("gold", scale=OTHER_SCALE), r"^kinds of trial: [23] for 1"),
    "practice": (for_kind("control", training=True), r"^kinds of trial: "),
    "receipt": (receipt_of_traps, r"^body: not alike"),
    "source map": (source_map, r"word: 'linear' in GET /assets/app.js.map"),
}


async def leaky_server(
    serve: Serve, services: Services, plant: Plant
) -> tuple[str, StudyDefinition]:
    """The address of a server that tells, and the study on it."""
    slug = await put(services, "preference")
    definition = definition_of("preference")
    leaky = Leaky(app_over(services), services, definition, plant)
    assert definition.slug == slug
    return await serve(leaky), definition


@pytest.mark.parametrize("name", PLANTED)
async def test_a_planted_leak_is_found_for_its_own_reason(
    name: str, serve: Serve, services: Services
) -> None:
    plant, reason = PLANTED[name]
    address, definition = await leaky_server(serve, services, plant)
    async with AsyncClient(base_url=address, timeout=PATIENCE_S) as browser:
        seen = await Auditor(browser, definition.slug).take_part()
    found = seen.leaks()
    if len(seen.blocks) != len(definition.blocks):
        found.append(f"kinds of trial: {len(seen.blocks)} for {len(definition.blocks)} blocks")
    assert any(re.search(reason, leak) for leak in found), found


async def test_a_planted_delay_is_found(serve: Serve, services: Services) -> None:
    def plant(answer: Answer) -> None:
        if answer.is_recording and answer.secret and answer.secret.mode != "off":
            answer.delay_s = DELAY_S

    address, definition = await leaky_server(serve, services, plant)
    async with AsyncClient(base_url=address, timeout=PATIENCE_S) as browser:
        person = await Participant.join(browser, definition.slug)
        trials = await person.open_trials()
        tokens = [
            trial[place]["recording_token"] for trial in trials for place in ("first", "second")
        ]
        times_ms = await first_byte_ms(person, tokens)
        async with asyncio.timeout(PATIENCE_S):
            # On a busy machine more rounds may be needed to be as sure. What is wrongly called a
            # leak is no matter here: that no leak is found where none is has a test of its own.
            while not (leaks := timing_leaks(times_ms)):
                for known, more in zip(times_ms, await first_byte_ms(person, tokens), strict=True):
                    known.extend(more)
    (leak,) = leaks
    assert leak.startswith("time of the first byte: ")
