"""The whole API under requests that its contract describes, breaks and never thought of.

Schemathesis makes requests from the OpenAPI document: some that fit it, some that break it in one
place. Each is sent as several people. Whatever comes, the answer is a success or a clear problem
document, never a fault of the server.
"""

import asyncio
import json
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest_asyncio
import schemathesis
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from tests import made_up_typing
from tests.conftest import ORIGIN
from tests.made_up import Participant, ballot, sign_in, typing_definition
from thinlab.study import catalogue
from thinlab.web.openapi import contract
from thinlab.web.security import BODY_LIMIT_BYTES
from thinlab.web.services import Services

FORGED = "A" * 43
# These end what later requests stand on; they have tests of their own.
ENDS_THE_SESSION = {"signOut", "setPassword"}
EXAMPLES = 12
# A demo that fits is refused nevertheless: this server has no lab.
NO_LAB = "/problems/no-demo-host"

Send = Callable[..., Response]
Operation = schemathesis.APIOperation[Any, Any, Any, Any]


@dataclass(frozen=True)
class Visitor:
    """Who asks."""

    name: str
    token: str | None = None
    cookie: str | None = None

    def headers(self) -> dict[str, str]:
        """Their credentials."""
        found = {}
        if self.token is not None:
            found["Authorization"] = f"Bearer {self.token}"
        if self.cookie is not None:
            found["Cookie"] = f"researcher={self.cookie}"
        return found


@dataclass(frozen=True)
class World:
    """A server with a study, a researcher and participants."""

    client: AsyncClient
    visitors: tuple[Visitor, ...]
    known: dict[str, list[str]]
    """Values that exist, by parameter."""


@pytest_asyncio.fixture
async def world(app: FastAPI, services: Services) -> World:
    """Participants at different stages, so that requests reach what lies behind the door."""
    transport = ASGITransport(app, raise_app_exceptions=False)
    async with AsyncClient(transport=transport, base_url=ORIGIN) as browser:
        await sign_in(browser, services)
        cookie = browser.cookies["researcher"]
        beginner = await Participant.join(browser)
        done = await Participant.join(browser)
        await done.take_all()
        gone = await Participant.join(browser)
        left = await browser.delete("/api/participation", headers=gone.headers)
        assert left.status_code == 204, left.text
        trial = await beginner.open_trial()
        async with services.database.transaction() as session:
            await catalogue.load(session, typing_definition())
        typist = await made_up_typing.join(browser, services)
        handles = await typist.open_trial()
        token = handles["first"]["session_token"]
        typed = await made_up_typing.type_session(services, typist, token)
    client = AsyncClient(transport=transport, base_url=ORIGIN)
    return World(
        client,
        (
            Visitor("nobody"),
            Visitor("forger", FORGED, FORGED),
            Visitor("beginner", beginner.token),
            Visitor("completed", done.token),
            Visitor("withdrawn", gone.token),
            Visitor("typist", typist.token),
            Visitor("researcher", None, cookie),
        ),
        {
            "slug": ["demo", "typing"],
            "session_id": [str(typed.id), str(2**31), str(2**63), str(10**30), "-1", "0"],
            "recording_id": ["1", "2", str(2**31), str(2**63), str(10**30), "-1", "0"],
            "recording_token": [trial["first"]["recording_token"]],
        },
    )


def sender(world: World) -> Send:
    """Sends from the thread that Hypothesis works in to the loop that the server runs in."""
    loop = asyncio.get_running_loop()

    def send(method: str, path: str, **more: Any) -> Response:  # noqa: ANN401
        async def ask() -> Response:
            return await world.client.request(method, path, **more)

        return asyncio.run_coroutine_threadsafe(ask(), loop).result(60)

    return send


def check(answer: Response, who: str) -> None:
    """A success, or a problem document that says what it is."""
    asked = f"{answer.request.method} {answer.request.url!r} as {who}: {answer.request.content!r}"
    assert answer.status_code < 500 or NO_LAB in answer.text, (
        f"{answer.status_code} to {asked[:2000]}\n{answer.text}"
    )
    if answer.status_code >= 400:
        told = answer.headers["content-type"]
        assert told == "application/problem+json", f"{told} to {asked[:2000]}"
        problem = answer.json()
        assert problem["status"] == answer.status_code
        assert problem["title"], asked
        assert problem["detail"], asked


def operations() -> Iterator[Operation]:
    """Every operation of the contract but those that end the session."""
    for found in schemathesis.openapi.from_dict(contract()).get_all_operations():
        operation = found.ok()  # type: ignore[union-attr]  # else it raises, as it should
        if operation.definition.raw["operationId"] not in ENDS_THE_SESSION:
            yield operation


OPERATIONS = tuple(operations())


async def test_requests_of_the_contract_and_beyond_it(world: World) -> None:
    assert len(OPERATIONS) > 20
    send = sender(world)
    faults = []
    answers: Counter[int] = Counter()
    for operation in OPERATIONS:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                await asyncio.to_thread(fuzz, operation, mode, world, send, answers)
            except AssertionError as fault:
                faults.append(f"{operation.label}: {fault}")
            except Unsatisfiable:
                # Nothing to break: no body, and every text fits every parameter.
                assert mode is GenerationMode.NEGATIVE, operation.label
    assert not faults, "\n\n".join(faults)
    # That it got behind the door, and was turned away there and before it.
    assert answers.total() > 10 * len(OPERATIONS)
    assert answers[200] > 50
    assert answers[401] > 50
    assert answers[422] > 50


def fuzz(
    operation: Operation, mode: GenerationMode, world: World, send: Send, answers: Counter[int]
) -> None:
    """Some requests of one operation, each sent by somebody."""

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(generation_mode=mode),
        visitor=st.sampled_from(world.visitors),
        data=st.data(),
    )
    def one(case: Any, visitor: Visitor, data: st.DataObject) -> None:  # noqa: ANN401
        for parameter in case.path_parameters or {}:
            if parameter in world.known and data.draw(st.integers(0, 3)):
                chosen = data.draw(st.sampled_from(world.known[parameter]))
                case.path_parameters[parameter] = chosen
        wanted = _as_httpx(case.as_transport_kwargs(base_url=ORIGIN))
        others = {
            name: value
            for name, value in dict(wanted.pop("headers", {})).items()
            if name.lower() not in {"authorization", "cookie"}
        }
        answer = send(**wanted, headers=others | visitor.headers())
        answers[answer.status_code] += 1
        check(answer, visitor.name)

    one()


def _as_httpx(wanted: dict[str, Any]) -> dict[str, Any]:
    """Schemathesis speaks to requests, we to httpx."""
    content = {"data": "content"}
    kept = {
        content.get(name, name): wanted[name]
        for name in ("headers", "params", "json", "data")
        if wanted.get(name) is not None
    }
    return kept | {"method": wanted["method"], "path": wanted["url"].removeprefix(ORIGIN)}


DEEP = "[" * 20_000 + "]" * 20_000
HUGE = "9" * 5_000
HOSTILE_BODIES = {
    "NUL": b'{"consent_version": "\\u0000", "join_key": "%s"}' % str(uuid.uuid4()).encode(),
    "lone surrogate": b'{"consent_version": "\\ud800", "join_key": "x"}',
    "lone surrogate as a key": b'{"\\ud800": 1}',
    "lone surrogates in a vote": json.dumps(ballot("\ud800" * 30)).encode(),
    "NUL in an answer": b'{"answers": {"\\u0000": "\\u0000"}}',
    "surrogate in an answer": b'{"answers": {"q": "\\udfff"}}',
    "reason with NUL": b'{"reason": "\\u0000", "excluded": true}',
    "reason with surrogate": b'{"reason": "\\ud800 because", "excluded": true}',
    "not UTF-8": b'{"answers": "\xff\xfe"}',
    "not JSON": b"{",
    "empty": b"",
    "deep": DEEP.encode(),
    "huge number": f'{{"level_percent": {HUGE}}}'.encode(),
    "huge exponent": b'{"level_percent": 1e400}',
    "not a number": b'{"level_percent": NaN}',
    "twice": b'{"level_percent": 1, "level_percent": "x"}',
    "an array": b"[1, 2]",
    "a string": b'"x"',
    "too long": b'{"answers": "' + b"x" * BODY_LIMIT_BYTES + b'"}',
}


async def test_hostile_bodies(world: World) -> None:
    posts = [
        (operation.method.upper(), operation.full_path)
        for operation in OPERATIONS
        if operation.method.upper() in {"POST", "PUT", "PATCH", "DELETE"}
    ]
    assert len(posts) > 5
    inside = [one for one in world.visitors if one.name in {"beginner", "researcher"}]
    for body, (method, template) in product(HOSTILE_BODIES.values(), posts):
        path = template.format_map(_Filled(world.known))
        for visitor in inside:
            headers = {"Content-Type": "application/json"} | visitor.headers()
            answer = await world.client.request(method, path, content=body, headers=headers)
            check(answer, visitor.name)
            if len(body) > BODY_LIMIT_BYTES and method != "DELETE":
                assert answer.status_code == 413


class _Filled(dict[str, Any]):
    """Parameters of a path: one that exists, else something."""

    def __missing__(self, key: str) -> str:
        return "x"

    def __getitem__(self, key: str) -> str:
        return str(super().__getitem__(key)[0]) if key in self else self.__missing__(key)


HOSTILE_TEXTS = {
    "NUL": "%00",
    "surrogate": "%ED%A0%80",
    "not UTF-8": "%FF",
    "long": "a" * 5_000,
    "slash": "..%2F..%2Fetc%2Fpasswd",
    "SQL": "demo'%3B%20drop%20table%20vote%3B--",
    "number": HUGE,
    "beyond 64 bits": str(2**63),
    "beyond 32 bits": str(2**31),
    "negative": "-1",
    "infinite": "inf",
    "empty": "%20",
}


async def test_hostile_paths_and_queries(world: World) -> None:
    for text, operation in product(HOSTILE_TEXTS.values(), OPERATIONS):
        method, template = operation.method.upper(), operation.full_path
        names = [parameter.name for parameter in operation.iter_parameters()]
        path = template.format_map(dict.fromkeys(names, text))
        for visitor in (world.visitors[2], world.visitors[-1]):
            query = f"?{'&'.join(f'{name}={text}' for name in [*names, 'language'])}"
            headers = visitor.headers()
            answer = await world.client.request(method, path + query, headers=headers)
            check(answer, visitor.name)


HOSTILE_CREDENTIALS = {
    "empty": b"Bearer ",
    "none": b"Bearer",
    "basic": b"Basic dXNlcjpwYXNz",
    "latin": b"Bearer \xe6\xf8\xe5",
    "NUL": b"Bearer \x00",
    "long": b"Bearer " + b"A" * 8_000,
    "SQL": b"Bearer ' or 1=1 --",
}


async def test_forged_credentials(world: World) -> None:
    for credential, operation in product(HOSTILE_CREDENTIALS.values(), OPERATIONS):
        cookie = credential.replace(b"Bearer ", b"researcher=").replace(b"\x00", b"")
        headers = {"Authorization": credential, "Cookie": cookie}
        path = operation.full_path.format_map(_Filled(world.known))
        raw = [(name.encode(), value) for name, value in headers.items()]
        answer = await world.client.request(operation.method.upper(), path, headers=raw)
        check(answer, "a forger")
        if operation.full_path.startswith("/api/participation"):
            assert answer.status_code in {401, 422}, answer.text


async def test_a_vote_replayed_by_others_and_in_other_words(
    world: World, browser: AsyncClient
) -> None:
    owner, thief = await Participant.join(browser), await Participant.join(browser)
    trials = await owner.open_trials()
    await thief.open_trials()
    for trial in trials:
        await owner.hear_trial(trial["trial_token"])
    vote = ballot(trials[0]["trial_token"])

    async def cast(who: Participant, **fields: Any) -> int:  # noqa: ANN401
        body = vote | fields
        answer = await browser.post("/api/participation/votes", headers=who.headers, json=body)
        check(answer, "replay")
        return answer.status_code

    key = str(uuid.uuid4())
    assert await cast(thief) == 404
    both: list[Awaitable[int]] = [cast(owner) for _ in range(5)]
    assert sorted(await asyncio.gather(*both)) == [200, 200, 200, 200, 201]
    assert await cast(owner, choice="second") == 409
    assert await cast(owner, vote_key=key) == 409
    assert await cast(owner, trial_token=trials[1]["trial_token"]) == 409
    assert await cast(thief, trial_token=trials[1]["trial_token"], vote_key=key) == 404
    assert world.client is not browser
