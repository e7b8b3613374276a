"""Votes without listening: on recordings never fetched, or in less time than hearing them takes.

SPDX-License-Identifier: Apache-2.0
"""

import httpx
import pytest
import pytest_asyncio
from sqlalchemy import text

from tests.attack.aim import Instance
from tests.made_up import HEARD, Participant, ballot, noise, put_recordings
from thinlab.clips.wav import SAMPLE_RATE_HZ
from thinlab.study.catalogue import StoredStudy
from thinlab.web.services import Services


@pytest.fixture
def listening() -> bool:
    return True


@pytest_asyncio.fixture
async def study(services: Services, monkeypatch: pytest.MonkeyPatch) -> StoredStudy:
    """With recordings longer than this test takes to ask for them."""
    monkeypatch.setattr("tests.made_up.noise", lambda seed: noise(seed, 6 * SAMPLE_RATE_HZ))
    return await put_recordings(services, "demo")


@pytest_asyncio.fixture
async def hasty(instance: Instance, stranger: httpx.AsyncClient) -> Participant:
    """Somebody at the first trial."""
    return await Participant.join(stranger, instance.study)


async def test_votes_on_what_was_never_fetched(hasty: Participant) -> None:
    for trial in await hasty.open_trials():
        refused = await hasty.vote_unheard(trial["trial_token"])
        assert (refused.status_code, refused.json()["type"]) == (409, "/problems/not-heard")
        assert (await hasty.hear(trial["first"]["recording_token"])).status_code == httpx.codes.OK
        # Twice the same is not both.
        assert (await hasty.hear(trial["first"]["recording_token"])).status_code == httpx.codes.OK
        refused = await hasty.vote_unheard(trial["trial_token"])
        assert (refused.status_code, refused.json()["type"]) == (409, "/problems/not-heard")
    assert (await hasty.progress())["trials_done"] == 0


async def test_votes_as_soon_as_all_is_fetched(hasty: Participant) -> None:
    for trial in await hasty.open_trials():
        refused = await hasty.vote(
            trial["trial_token"], decision_ms=10**9, account={**HEARD, "plays_first": 9}
        )
        assert (refused.status_code, refused.json()["type"]) == (429, "/problems/too-soon")
        assert 1 <= int(refused.headers["retry-after"]) <= 240
    assert (await hasty.progress())["trials_done"] == 0


async def test_votes_on_all_after_the_time_of_one(hasty: Participant, instance: Instance) -> None:
    if instance.inside is None:
        pytest.skip("turns the clock of the database back")
    trials = await hasty.open_trials()
    for trial in trials:
        for member in (trial["first"], trial["second"]):
            await hasty.hear(member["recording_token"])
    async with instance.inside.database.transaction() as session:
        # Nine tenths of five seconds each, twice: nine seconds a trial. What this test takes by
        # itself comes on top, and may be eight seconds before a second one fits.
        await session.execute(text("update recording_fetch set at = at - interval '10 seconds'"))
    statuses = [(await hasty.vote_unheard(trial["trial_token"])).status_code for trial in trials]
    assert statuses == [201, 429, 429]
    async with instance.inside.database.transaction() as session:
        await session.execute(text("update recording_fetch set at = at - interval '20 seconds'"))
    statuses = [
        (await hasty.vote_unheard(trial["trial_token"])).status_code for trial in trials[1:]
    ]
    assert statuses == [201, 201]


async def test_votes_on_what_somebody_else_fetched(
    hasty: Participant, instance: Instance, stranger: httpx.AsyncClient
) -> None:
    other = await Participant.join(stranger, instance.study)
    mine, theirs = await hasty.open_trial(), await other.open_trial()
    for member in (theirs["first"], theirs["second"]):
        assert (await hasty.hear(member["recording_token"])).status_code == httpx.codes.NOT_FOUND
        assert (await other.hear(member["recording_token"])).status_code == httpx.codes.OK
    refused = await hasty.vote_unheard(mine["trial_token"])
    assert refused.json()["type"] == "/problems/not-heard"
    stolen = await stranger.post(
        "/api/participation/votes", headers=hasty.headers, json=ballot(theirs["trial_token"])
    )
    assert stolen.status_code == httpx.codes.NOT_FOUND
