"""Asks, and goes away before its turn comes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import uuid

import httpx
import pytest
from sqlalchemy import func, select

from tests.attack.aim import Instance
from tests.attack.conftest import PATIENCE_S
from tests.attack.flood import raw
from thinlab.database.schema import Participant
from thinlab.throttle.turnstile import Room, Turnstile

JOIN = json.dumps({"consent_version": "1", "join_key": str(uuid.uuid4()), "language": "en"})


@pytest.fixture
def narrow(own: Instance) -> Turnstile:
    """What the server lets through: one at a time."""
    assert own.inside is not None
    throttle = own.inside.throttle
    throttle.requests = Turnstile(Room(at_once=1, waiting_each=9, waiting=9, patience_s=PATIENCE_S))
    return throttle.requests


async def join(own: Instance, turnstile: Turnstile, *, stays: bool) -> int:
    """Asks to join while somebody else has the only place; how many have joined at the end."""
    assert own.inside is not None
    await turnstile.enter("somebody else")
    async with raw(own) as (reader, writer):
        head = f"POST /api/studies/{own.study}/participants HTTP/1.1\r\nhost: x\r\n"
        form = f"content-type: application/json\r\ncontent-length: {len(JOIN)}\r\n\r\n"
        writer.write((head + form + JOIN).encode())
        async with asyncio.timeout(PATIENCE_S):
            while not turnstile.waiting:
                await asyncio.sleep(0)
            if stays:
                turnstile.leave()
                await reader.readuntil(b"\r\n\r\n")
    if not stays:
        # Answered without a turn: by then the server has seen that the other one has gone.
        async with httpx.AsyncClient(base_url=own.url, timeout=PATIENCE_S) as later:
            await later.post("/api/researcher/session", json={"password": "wrong"})
        turnstile.leave()
    await turnstile.enter("the last")
    async with own.inside.database.transaction() as session:
        return await session.scalar(select(func.count()).select_from(Participant)) or 0


@pytest.mark.parametrize(("stays", "joined"), [(True, 1), (False, 0)])
async def test_who_has_gone_is_not_served(
    own: Instance, narrow: Turnstile, *, stays: bool, joined: int
) -> None:
    assert await join(own, narrow, stays=stays) == joined
