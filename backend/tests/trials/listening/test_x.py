"""X over HTTP: one of the two under a token of its own, to be heard before the answer.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import replace

import pytest
import pytest_asyncio
from httpx import ASGITransport, AsyncClient
from sqlalchemy import select, text

from tests.applications import app_over
from tests.conftest import ORIGIN
from tests.made_up import ABX, HEARD, Participant, block, noise, put_recordings, study_definition
from thinlab.clips.wav import SAMPLE_RATE_HZ
from thinlab.database.schema import Presentation, Vote
from thinlab.web.serve import load
from thinlab.web.services import Services

PAIR = {"kind": "pair", "clip": "speech", "conditions": ["plain", "modified"]}
STUDY = study_definition(
    slug="abx",
    blocks=[
        block(
            [PAIR | {"id": f"t{n}", "seed": n} for n in range(1, 5)],
            scale=ABX,
            heard_share_at_least=0.8,
        )
    ],
)
MS = 100
WHOLE = [{"from_ms": 0, "to_ms": MS}]


@pytest_asyncio.fixture
async def listener(services: Services) -> Participant:
    """Somebody who has joined a study that asks for X."""
    await load(services.database, [STUDY])
    await put_recordings(services, "abx")
    browser = AsyncClient(transport=ASGITransport(app_over(services)), base_url=ORIGIN)
    return await Participant.join(browser, "abx")


async def test_x_is_one_of_the_two_and_says_not_which(
    listener: Participant, services: Services
) -> None:
    trials = await listener.open_trials()
    async with services.database.transaction() as session:
        shown = {one.trial_token: one for one in await session.scalars(select(Presentation))}
    for trial in trials:
        files = [
            (await listener.hear(trial[place]["recording_token"])).content
            for place in ("first", "second", "x")
        ]
        x_place = shown[trial["trial_token"]].x_place
        assert files[2] == files[["first", "second"].index(x_place or "")]
        assert files[0] != files[1]
        assert len({len(one) for one in files}) == 1
        assert set(trial["x"]) == {"recording_token"}
        tokens = [trial[place]["recording_token"] for place in ("first", "second", "x")]
        assert len({*tokens, trial["trial_token"]}) == 4


@pytest.mark.parametrize("missed", ["first", "second", "x"])
async def test_an_answer_needs_all_three(listener: Participant, missed: str) -> None:
    (trial, *_) = await listener.open_trials()
    for place in {"first", "second", "x"} - {missed}:
        await listener.hear(trial[place]["recording_token"])
    account = HEARD | {"covered_first": WHOLE, "covered_second": WHOLE, "covered_x": WHOLE}
    refused = await listener.vote_unheard(trial["trial_token"], account=account)
    assert refused.status_code == 409, refused.text
    assert "never fetched" in refused.json()["title"]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ({"choice": "first"}, 201),
        ({"choice": "second"}, 201),
        ({"choice": "no_difference"}, 422),
        ({"choice": None, "score": 3}, 422),
        ({"choice": "x"}, 422),
    ],
)
async def test_x_is_the_first_or_the_second(
    listener: Participant, services: Services, answer: dict[str, object], status: int
) -> None:
    # Previews and bots vote at once; a person is asked for time and parts elsewhere.
    trial = await listener.open_trial()
    account = HEARD | {"plays_x": 2, "covered_first": WHOLE, "covered_second": WHOLE}
    account |= {"covered_x": WHOLE}
    told = await listener.vote(trial["trial_token"], account=account, **answer)
    assert told.status_code == status, told.text
    if status == 201:
        # Nothing that is answered tells whether it was right.
        assert set(told.json()) == {"vote_key", "position", "received_at"}
        for place in ("first", "second", "x"):
            dead = await listener.hear(trial[place]["recording_token"])
            assert dead.status_code == 410
        async with services.database.transaction() as session:
            (vote,) = await session.scalars(select(Vote))
        assert vote.account["plays_x"] == 2


@pytest.mark.parametrize("heard_ms", [0, 1_000])
async def test_as_much_of_x_is_asked_for_as_of_the_others(
    services: Services, monkeypatch: pytest.MonkeyPatch, heard_ms: int
) -> None:
    monkeypatch.setattr("tests.made_up.noise", lambda seed: noise(seed, 4 * SAMPLE_RATE_HZ))
    await load(services.database, [STUDY])
    await put_recordings(services, "abx")
    app = app_over(replace(services, listening=True))
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as browser:
        listener = await Participant.join(browser, "abx")
        trial = await listener.open_trial()
        await listener.hear_trial(trial["trial_token"])
        async with services.database.transaction() as session:
            await session.execute(text("update recording_fetch set at = at - interval '1 minute'"))
        whole = [{"from_ms": 0, "to_ms": 4_000}]
        account = HEARD | {"covered_first": whole, "covered_second": whole}
        account |= {"covered_x": [{"from_ms": 0, "to_ms": heard_ms}]}
        refused = await listener.vote_unheard(trial["trial_token"], account=account)
        assert refused.status_code == 409, refused.text
        assert "Too little" in refused.json()["title"]
        account |= {"covered_x": whole}
        taken = await listener.vote_unheard(trial["trial_token"], account=account)
        assert taken.status_code == 201, taken.text


async def test_whoever_comes_back_gets_the_same_x(
    listener: Participant, services: Services
) -> None:
    before = await listener.open_trials()
    assert await listener.open_trials() == before
    async with services.database.transaction() as session:
        shown = (await session.scalars(select(Presentation))).all()
    assert {one.x_place for one in shown} <= {"first", "second"}
