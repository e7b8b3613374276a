"""Presentations in PostgreSQL: balanced though people come at once, drop out, or only look.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from datetime import timedelta
from typing import Any

from httpx import AsyncClient, Response
from sqlalchemy import select, update

from tests.balance import Cells, cells_of
from tests.made_up import (
    ACR,
    CCR,
    Participant,
    ballot,
    block,
    put_recordings,
    sign_in,
    study_definition,
)
from thinlab.database import schema
from thinlab.participation import places
from thinlab.web.serve import load
from thinlab.web.services import Services


async def cells(services: Services, *, completed: bool) -> Cells:
    """Of those who have completed, or of the others."""
    return await cells_of(
        services.database, schema.Participant.completed_at.is_not(None) == completed
    )


async def cells_of_these(services: Services, people: list[Participant]) -> Cells:
    hashes = [person.token_hash for person in people]
    return await cells_of(services.database, schema.Participant.token_hash.in_(hashes))


async def abandon(services: Services, person: Participant) -> None:
    """Makes a session one that was left long ago."""
    async with services.database.transaction() as session:
        await session.execute(
            update(schema.Participant)
            .where(schema.Participant.token_hash == person.token_hash)
            .values(
                last_seen_at=schema.Participant.last_seen_at
                - places.ABANDONED_AFTER
                - timedelta(seconds=1)
            )
        )


async def test_whoever_comes_at_once_is_balanced(browser: AsyncClient, services: Services) -> None:
    # A hundred at once are bots: tests/bots/test_balance_of_bots.py.
    people = await asyncio.gather(*(Participant.join(browser) for _ in range(40)))
    await asyncio.gather(*(person.open_trials() for person in people))
    counts = await cells(services, completed=False)
    # Two pairs with two sides and a control with one, at three positions.
    pairs = {cell: times for cell, times in counts.items() if cell[0] != "control"}
    assert len(pairs) == 12
    assert max(pairs.values()) - min(pairs.values()) <= 1
    await asyncio.gather(*(person.take_all() for person in people))
    assert await cells(services, completed=True) == counts


async def test_abandoned_sessions_return_their_places(
    browser: AsyncClient, services: Services
) -> None:
    people = [await Participant.join(browser) for _ in range(12)]
    for person in people:
        await person.open_trials()
    full = await cells(services, completed=False)
    for person in people[:5]:
        await abandon(services, person)
    # The next five get exactly what those five had.
    gone = await cells_of_these(services, people[:5])
    newcomers = [await Participant.join(browser) for _ in range(5)]
    for person in newcomers:
        await person.open_trials()
    assert await cells_of_these(services, newcomers) == gone
    assert set(full.values()) <= {2, 4}


async def test_whoever_comes_back_goes_on(browser: AsyncClient, services: Services) -> None:
    person = await Participant.join(browser)
    before = await person.open_trials()
    await abandon(services, person)
    assert await person.open_trials() == before


async def test_previews_and_bots_do_not_count(browser: AsyncClient, services: Services) -> None:
    await sign_in(browser, services)
    for kind in ("preview", "bot"):
        for _ in range(3):
            await (await Participant.join(browser, kind=kind)).take_all()
    async with services.database.transaction() as session:
        study_id = await session.scalar(select(schema.Study.id))
        assert study_id is not None
        assert await places.rounds_held(session, study_id, "person") == {}
    await (await Participant.join(browser)).take_all()
    async with services.database.transaction() as session:
        held = await places.rounds_held(session, study_id, "person")
    assert [len(rounds) for rounds in held["trials"].values()] == [1]


async def join(browser: AsyncClient) -> Response:
    body = {"consent_version": "1", "join_key": "5d0e2c1a-0000-4000-8000-000000000001"}
    return await browser.post("/api/studies/demo/participants", json=body)


async def test_a_full_study_takes_nobody_until_a_place_returns(
    browser: AsyncClient, services: Services
) -> None:
    await load(services.database, [study_definition(stop={"completed": 2})])
    await put_recordings(services, "demo")
    people = [await Participant.join(browser) for _ in range(2)]
    for person in people:
        await person.open_trials()
    assert (await browser.get("/api/studies/demo")).json()["state"] == "full"
    refused = await join(browser)
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/full")
    await abandon(services, people[0])
    assert (await browser.get("/api/studies/demo")).json()["state"] == "open"
    assert (await join(browser)).status_code == 201


async def test_who_was_silent_for_long_takes_one_place_like_all(
    browser: AsyncClient, services: Services
) -> None:
    await load(services.database, [study_definition(stop={"completed": 1})])
    await put_recordings(services, "demo")
    people = [await Participant.join(browser)]
    await abandon(services, people[0])
    people.append(await Participant.join(browser))
    await abandon(services, people[1])
    people.append(await Participant.join(browser))
    opened = await asyncio.gather(
        *(browser.post("/api/participation/trials", headers=one.headers) for one in people)
    )
    assert sorted(one.status_code for one in opened) == [200, 409, 409]


async def test_a_study_stops_when_enough_have_completed(
    browser: AsyncClient, services: Services
) -> None:
    await load(services.database, [study_definition(stop={"completed": 1})])
    await put_recordings(services, "demo")
    await (await Participant.join(browser)).take_all()
    assert (await browser.get("/api/studies/demo")).json()["state"] == "closed"
    assert (await join(browser)).json()["type"] == "/problems/closed"


async def test_a_quota_closes_one_language_only(browser: AsyncClient, services: Services) -> None:
    quotas = [{"language": "nb", "completed": 1}]
    await load(services.database, [study_definition(languages=["en", "nb"], quotas=quotas)])
    await put_recordings(services, "demo")
    await (await Participant.join(browser, language="nb")).take_all()

    async def state(language: str) -> str:
        page = await browser.get("/api/studies/demo", params={"language": language})
        return str(page.json()["state"])

    assert (await state("nb"), await state("en")) == ("full", "open")


async def test_trials_can_be_fetched_ahead(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    opened = await person.open_trials()
    assert [trial["position"] for trial in opened] == [1, 2, 3]
    for trial in opened:
        for place in ("first", "second"):
            heard = await person.hear(trial[place]["recording_token"])
            assert heard.status_code == 200
    await person.vote(opened[0]["trial_token"])
    assert await person.open_trials() == opened[1:]
    assert (await person.hear(opened[0]["first"]["recording_token"])).status_code == 410


async def test_each_scale_takes_its_own_answers(browser: AsyncClient, services: Services) -> None:
    pair = {"kind": "pair", "clip": "speech", "seed": 1, "conditions": ["plain", "modified"]}
    single = {"kind": "single", "clip": "song", "condition": "plain", "seed": 2}
    blocks = [
        block([pair | {"id": "practice"}], id="practice", role="training", introduction="Try it."),
        block([pair | {"id": "compared"}], id="compared", scale=CCR, playback="in_turn"),
        block([single | {"id": f"s{n}"} for n in range(3)], id="alone", scale=ACR, break_every=2),
    ]
    await load(services.database, [study_definition(blocks=blocks)])
    await put_recordings(services, "demo")
    person = await Participant.join(browser)
    seen = []
    while (await person.progress())["state"] == "trials":
        trial = await person.open_trial()
        seen.append(
            (
                trial["scale"]["kind"],
                trial["training"],
                trial["introduction"],
                trial["playback"],
                trial["break_before"],
                trial["second"] is not None,
            )
        )
        token = trial["trial_token"]
        answers: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
            "preference": ({"choice": None, "score": 1}, {"choice": "second"}),
            "ccr": ({"choice": None, "score": 4}, {"choice": None, "score": -3}),
            "acr": ({"choice": "first", "score": 5}, {"choice": None, "score": 5}),
        }
        wrong, right = answers[trial["scale"]["kind"]]
        refused = await person.vote(token, **wrong)
        assert refused.status_code == 422
        assert refused.json()["remedy"]
        assert (await person.vote(token, **right)).status_code == 201
    assert seen == [
        ("preference", True, "Try it.", "free", False, True),
        ("ccr", False, None, "in_turn", False, True),
        ("acr", False, None, "free", False, False),
        ("acr", False, None, "free", False, False),
        ("acr", False, None, "free", True, False),
    ]
    assert (await person.progress())["state"] == "complete"


async def test_a_vote_needs_one_answer(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    token = (await person.open_trial())["trial_token"]
    for answer in ({"choice": None}, {"choice": "first", "score": 1}):
        refused = await browser.post(
            "/api/participation/votes", headers=person.headers, json=ballot(token, **answer)
        )
        assert refused.status_code == 422
