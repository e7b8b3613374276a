"""Blinding on the wire: whole sessions, searched and compared; and leaks that must be found.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest
import pytest_asyncio
import uvicorn
from fastapi import FastAPI
from httpx import AsyncClient, Response
from sqlalchemy import select
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.made_up import Participant, ballot
from tests.web.blinding import Exchange, differences, leaks_in, record
from thinlab.database.schema import Presentation, Recording
from thinlab.web.services import Services

# Everything that names a condition in the study, in the code or in the field.
WORDS = (
    *("plain", "modified", "off", "linear", "timeout", "retransmit", "bundl", "mechanism"),
    *("newreno", "baseline", "modern", "bbr", "loss", "rtt", "jitter", "seed", "condition"),
    *("speech", "song", "control", "pair", "clip", "member_a", "member_b", "capture", "metric"),
    *("kernel", "host-build", "recording_id", "uvicorn", "last-modified", "etag", "filename"),
)


@dataclass
class Session:
    """What a participant's browser saw, and which member each recording was."""

    everything: list[Exchange] = field(default_factory=list)
    opaque: set[str] = field(default_factory=set)
    recordings: list[tuple[Exchange, Exchange]] = field(default_factory=list)
    """First and second of each trial."""
    trials: list[Exchange] = field(default_factory=list)

    def leaks(self) -> list[str]:
        """All that is found against the blinding."""
        found = [leak for one in self.everything for leak in leaks_in(one, WORDS, self.opaque)]
        for first, second in self.recordings:
            found += differences(first, second)
        for one in self.trials[1:]:
            # Position and length differ between trials by design; nothing else may.
            found += [
                what for what in differences(self.trials[0], one) if not what.startswith("length")
            ]
        return found


async def take_part(browser: AsyncClient) -> Session:
    """Everything that a page asks for, errors and dead tokens included."""
    seen = Session()

    def keep(response: Response) -> Exchange:
        exchange = record(response)
        seen.everything.append(exchange)
        return exchange

    keep(await browser.get("/api/studies/demo"))
    keep(await browser.get("/api/studies/demo/sound-check"))
    person = await Participant.join(browser)
    seen.opaque.add(person.token)
    for _ in range(3):
        opened = await browser.post("/api/participation/trials", headers=person.headers)
        trial = opened.json()["trials"][0]
        tokens = [trial[place]["recording_token"] for place in ("first", "second")]
        seen.opaque |= {trial["trial_token"], *tokens}
        exchange = keep(opened)
        alike = json.dumps(trial | {"position": 0}).encode()
        # The list grows shorter towards the end, whatever is in it.
        headers = tuple(one for one in exchange.headers if one[0] != "content-length")
        seen.trials.append(Exchange(exchange.request, exchange.status, headers, alike))
        first, second = [keep(await person.hear(token)) for token in tokens]
        seen.recordings.append((first, second))
        keep(await browser.get(f"/api/recordings/{tokens[0]}"))
        keep(await person.hear("x" * 27))
        vote = ballot(trial["trial_token"])
        for body in (vote | {"choice": "?"}, vote, vote, vote | {"vote_key": trial["trial_token"]}):
            answer = await browser.post(
                "/api/participation/votes", headers=person.headers, json=body
            )
            seen.opaque.add(vote["vote_key"])
            keep(answer)
        dead = [keep(await person.hear(token)) for token in tokens]
        seen.recordings.append((dead[0], dead[1]))
    finished = keep(await browser.get("/api/participation", headers=person.headers))
    seen.opaque.add(json.loads(finished.body)["completion_code"])
    for path in (
        "/openapi.json",
        "/docs",
        "/redoc",
        "/api",
        "/api/recordings",
        "/assets/app.js.map",
    ):
        keep(await browser.get(path))
    return seen


@pytest_asyncio.fixture
async def serve() -> AsyncIterator[Callable[[ASGIApp], "asyncio.Future[str]"]]:
    """Serves an application over real sockets; returns its address."""
    stops: list[tuple[uvicorn.Server, asyncio.Task[None]]] = []

    async def start(app: ASGIApp) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(
            uvicorn.Config(app, access_log=False, log_config=None, server_header=False,
                           date_header=False, lifespan="off")
        )  # fmt: skip
        stops.append((server, asyncio.create_task(server.serve(sockets=[listener]))))
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    yield lambda app: asyncio.ensure_future(start(app))
    for server, task in stops:
        server.should_exit = True
        await task


async def test_nothing_tells_the_members_apart(
    app: FastAPI, serve: Callable[[ASGIApp], "asyncio.Future[str]"], services: Services
) -> None:
    async with AsyncClient(base_url=await serve(app)) as browser:
        sessions = [await take_part(browser) for _ in range(4)]
    for seen in sessions:
        assert seen.leaks() == []
    # Members heard in both orders, or the comparison would prove little.
    async with services.database.transaction() as session:
        firsts = await session.scalars(select(Presentation.first_member))
        assert set(firsts) == {"a", "b"}
    # And between participants: whoever has member a first sees what the others see.
    ones = [first for seen in sessions for first, _ in seen.recordings if first.is_audio]
    assert all(differences(ones[0], one) == [] for one in ones)


Change = Callable[[Message, str], Message]


class Leaky:
    """An application that was made to tell, in one way."""

    def __init__(self, app: ASGIApp, mode_of: dict[str, str], change: Change) -> None:
        self.app = app
        self.mode_of = mode_of
        self.change = change

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = scope.get("path", "").rsplit("/", 1)[-1]
        mode = self.mode_of.get(token, "")

        async def telling(message: Message) -> None:
            await send(self.change(message, mode) if mode else message)

        await self.app(scope, receive, telling)


def with_header(name: str, value: Callable[[str], str]) -> Change:
    """Adds a header to the start of a response."""

    def change(message: Message, mode: str) -> Message:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (name.encode(), value(mode).encode())]
        return message

    return change


def in_another_order(message: Message, mode: str) -> Message:
    """Swaps two headers for one of the members."""
    if message["type"] == "http.response.start" and mode != "off":
        message["headers"] = message["headers"][::-1]
    return message


def with_chunk(message: Message, mode: str) -> Message:
    """Puts the mode into a spare byte of the WAV header."""
    if message["type"] == "http.response.body" and message["body"][:4] == b"RIFF":
        body = bytearray(message["body"])
        body[34] = len(mode)
        message["body"] = bytes(body)
    return message


@pytest.mark.parametrize(
    "change",
    [
        with_header("x-mode", lambda mode: mode),
        with_header("x-cache", lambda mode: "hit" if mode == "off" else "miss"),
        with_header("etag", lambda mode: f'"{len(mode)}"'),
        with_header("content-disposition", lambda _: 'inline; filename="a.wav"'),
        in_another_order,
        with_chunk,
    ],
    ids=["word", "cache", "etag", "filename", "order", "wav"],
)
async def test_the_check_finds_a_planted_leak(
    app: FastAPI,
    serve: Callable[[ASGIApp], "asyncio.Future[str]"],
    services: Services,
    change: Change,
) -> None:
    mode_of: dict[str, str] = {}
    address = await serve(Leaky(app, mode_of, change))
    async with AsyncClient(base_url=address) as browser:

        async def learn_modes(response: Response) -> None:
            if response.request.url.path == "/api/participation/trials":
                await note_modes(services, mode_of)

        browser.event_hooks["response"] = [learn_modes]
        seen = await take_part(browser)
    assert seen.leaks() != []


async def note_modes(services: Services, mode_of: dict[str, str]) -> None:
    """Which mode each token stands for: what the server knows and must not tell."""
    async with services.database.transaction() as session:
        for place in ("first", "second"):
            rows = await session.execute(
                select(
                    getattr(Presentation, f"{place}_token"), Recording.condition["mode"].astext
                ).join(Recording, Recording.id == getattr(Presentation, f"{place}_recording_id"))
            )
            mode_of.update((token, mode) for token, mode in rows)


def test_the_search_finds_words_however_hidden() -> None:
    for hidden in (b'{"x": "LINEAR_TIMEOUTS"}', b"bW9kaWZpZWQ", b"9c5f5aa9"):
        exchange = Exchange("GET /", 200, (), hidden)
        found = leaks_in(exchange, WORDS, ())
        assert bool(found) == (hidden != b"9c5f5aa9")
