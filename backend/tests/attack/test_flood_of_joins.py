"""Joins a study thousands of times; and a class that shares the address of whoever does.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import uuid

import httpx
import pytest

from tests.attack.aim import Instance
from tests.attack.flood import from_elsewhere, statuses, without_end
from thinlab.throttle.caller import Bounded
from thinlab.throttle.rate import Rate

CLASS = 300


async def join(client: httpx.AsyncClient, study: str) -> httpx.Response:
    """Somebody new."""
    body = {"consent_version": "1", "join_key": str(uuid.uuid4()), "language": "en"}
    return await client.post(f"/api/studies/{study}/participants", json=body)


async def joined(client: httpx.AsyncClient, study: str) -> httpx.Response:
    """Likewise, patient as a page is where the server has too much to do."""
    while (answer := await join(client, study)).status_code == 503:
        await asyncio.sleep(1)
    return answer


async def test_who_joins_thousands_of_times_is_told_to_wait(own: Instance) -> None:
    assert own.inside
    # The true bucket holds a thousand: filling the database with them shows nothing more.
    own.inside.throttle.joins = Bounded(lambda: Rate(0.01, 30))
    async with from_elsewhere(own) as crowd, from_elsewhere(own, 1) as other:
        found = await statuses(lambda: join(crowd, own.study), 100)
        assert found == {201: 30, 429: 70}
        refused = await join(other, own.study)
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    async with httpx.AsyncClient(base_url=own.url, timeout=60) as elsewhere:
        assert (await join(elsewhere, own.study)).status_code == 201


async def test_a_class_behind_one_address_gets_in(own: Instance) -> None:
    async with from_elsewhere(own, CLASS) as room:
        found = await statuses(lambda: joined(room, own.study), CLASS)
        assert found == {201: CLASS}


async def test_who_takes_part_goes_on_beside_a_flood_from_their_own_network(
    own: Instance,
) -> None:
    async with from_elsewhere(own) as flood, from_elsewhere(own, 1) as classmate:
        token = (await join(classmate, own.study)).json()["participant_token"]
        headers = {"Authorization": f"Bearer {token}"}
        assert (await classmate.get("/api/participation", headers=headers)).is_success
        async with (
            without_end(lambda: flood.get(f"/api/studies/{own.study}"), 50),
            # Ends a test that hangs: fifty floods and a busy machine may well take half a minute.
            asyncio.timeout(300),
        ):
            for _ in range(20):
                answer = await classmate.get("/api/participation", headers=headers)
                assert answer.status_code == 200


@pytest.mark.parametrize("forwarded", ["192.0.2.1", "192.0.2.1, 192.0.2.2"])
async def test_a_header_makes_nobody_somebody_else(own: Instance, forwarded: str) -> None:
    assert own.inside
    own.inside.throttle.joins = Bounded(lambda: Rate(0.01, 1))
    async with from_elsewhere(own) as one:
        assert (await join(one, own.study)).status_code == 201
        one.headers["X-Forwarded-For"] = forwarded
        assert (await join(one, own.study)).status_code == 429
