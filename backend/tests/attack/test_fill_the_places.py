"""Joins again and again, so that nobody else finds a place, and leaves it at that.

SPDX-License-Identifier: Apache-2.0
"""

import uuid
from datetime import timedelta

import httpx
import pytest
from sqlalchemy import func, select, update

from tests.attack.aim import Instance
from tests.made_up import Participant, put_recordings, study_definition
from thinlab.database.schema import Participant as ParticipantRow
from thinlab.participation import invitation, newcomer
from thinlab.study import catalogue

CROWD = 20


async def _state(client: httpx.AsyncClient, slug: str) -> str:
    return str((await client.get(f"/api/studies/{slug}")).json()["state"])


async def test_joins_take_no_places(instance: Instance, stranger: httpx.AsyncClient) -> None:
    if instance.inside is not None:
        async with instance.inside.database.transaction() as session:
            await catalogue.load(session, study_definition(stop={"completed": 2}))
        await put_recordings(instance.inside, instance.study)
    assert await _state(stranger, instance.study) == "open"
    crowd = [await Participant.join(stranger, instance.study) for _ in range(CROWD)]
    assert await _state(stranger, instance.study) == "open"
    if instance.inside is None:
        return
    # Whoever begins takes one.
    for somebody in crowd[:2]:
        await somebody.open_trials()
    assert await _state(stranger, instance.study) == "full"
    late = await stranger.post("/api/participation/trials", headers=crowd[2].headers)
    assert late.json()["type"] == "/problems/full"


async def _joined(own: Instance) -> int:
    assert own.inside is not None
    async with own.inside.database.transaction() as session:
        return await session.scalar(select(func.count()).select_from(ParticipantRow)) or 0


@pytest.mark.parametrize(("silent", "left"), [(timedelta(hours=25), 0), (timedelta(hours=1), 7)])
async def test_joins_leave_nothing_for_good(
    silent: timedelta, left: int, own: Instance, visitor: httpx.AsyncClient
) -> None:
    assert own.inside is not None
    database = own.inside.database
    for _ in range(CROWD):
        await Participant.join(visitor, own.study)
    begun = await Participant.join(visitor, own.study)
    await begun.open_trials()
    gone = await Participant.join(visitor, own.study)
    await visitor.delete("/api/participation", headers=gone.headers)
    async with database.transaction() as session:
        (token,) = await invitation.create(session, own.study, count=1, label="")
    await Participant.join(visitor, own.study, invitation=token)
    async with database.transaction() as session:
        past = func.now() - silent
        await session.execute(update(ParticipantRow).values(last_seen_at=past))
    here = await Participant.join(visitor, own.study)
    async with database.transaction() as session:
        await newcomer.forget(session, most=8)
    # Beside those: who began, who withdrew and who is here.
    assert await _joined(own) == left + 3
    assert (await begun.progress())["state"] == "trials"
    assert (await here.progress())["state"] == "trials"
    if left == 0:
        # The invitation is good for another time.
        body = {"consent_version": "1", "join_key": str(uuid.uuid4()), "invitation": token}
        again = await visitor.post(f"/api/studies/{own.study}/participants", json=body)
        assert again.status_code == httpx.codes.CREATED
