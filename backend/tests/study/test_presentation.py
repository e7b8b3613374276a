"""Presentations in PostgreSQL: balanced though people come at once, drop out, or only look.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest
from httpx import AsyncClient
from sqlalchemy import select, text, update

from tests.made_up import Participant, sign_in
from thinlab.database import schema
from thinlab.study import presentation
from thinlab.web.services import Services


async def cells(services: Services, *, completed: bool) -> Counter[tuple[str, int, str]]:
    """Presentations by trial, position and first member."""
    async with services.database.transaction() as session:
        rows = await session.execute(
            select(
                schema.Presentation.trial_id,
                schema.Presentation.position,
                schema.Presentation.first_member,
            )
            .join(schema.Participant, schema.Participant.id == schema.Presentation.participant_id)
            .where(schema.Participant.completed_at.is_not(None) == completed)
        )
        return Counter((trial, position, member) for trial, position, member in rows)


async def test_people_at_once_are_balanced(browser: AsyncClient, services: Services) -> None:
    people = await asyncio.gather(*(Participant.join(browser) for _ in range(36)))
    await asyncio.gather(*(person.take_all() for person in people))
    counts = await cells(services, completed=True)
    # 36 people, 3 trials, 3 positions, 2 sides: 6 in each cell when perfect. Sessions under
    # way at once are counted up to where they are, so two steps of play remain.
    assert len(counts) == 18
    assert max(counts.values()) - min(counts.values()) <= 4
    by_side = Counter[tuple[str, str]]()
    for (trial, _, member), times in counts.items():
        by_side[trial, member] += times
    assert max(by_side.values()) - min(by_side.values()) <= 2


async def test_abandoned_sessions_return_their_slots(
    browser: AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = await Participant.join(browser)
    abandoned = await gone.open_trial()
    assert abandoned["position"] == 1
    (left,) = await cells(services, completed=False)
    monkeypatch.setattr(presentation, "ABANDONED_AFTER", timedelta(0))
    draws = set()
    for _ in range(12):
        # With nobody counted, every newcomer's first draw is chance: the slot comes up again.
        await (await Participant.join(browser)).open_trial()
        draws |= set(await cells(services, completed=False))
    assert left in draws
    monkeypatch.undo()


async def test_previews_do_not_count(browser: AsyncClient, services: Services) -> None:
    await sign_in(browser, services)
    for _ in range(3):
        await (await Participant.join(browser, preview=True)).take_all()
    async with services.database.transaction() as session:
        study_id = await session.scalar(select(schema.Study.id))
        assert study_id is not None
        assert not await presentation._counted_sessions(session, study_id, but=0)
    await (await Participant.join(browser)).take_all()
    async with services.database.transaction() as session:
        counted = await presentation._counted_sessions(session, study_id, but=0)
        assert sum(counted.values()) == 1


async def test_only_sessions_idle_for_long_are_abandoned(
    browser: AsyncClient, services: Services
) -> None:
    await (await Participant.join(browser)).open_trial()
    async with services.database.transaction() as session:
        study_id = await session.scalar(select(schema.Study.id))
        assert study_id is not None
        assert await presentation._counted_sessions(session, study_id, but=0)
        # Presentations cannot be changed: make an old one by switching the guard off.
        await session.execute(text("set local session_replication_role = replica"))
        await session.execute(
            update(schema.Presentation).values(
                opened_at=schema.Presentation.opened_at
                - presentation.ABANDONED_AFTER
                - timedelta(seconds=1)
            )
        )
        assert not await presentation._counted_sessions(session, study_id, but=0)
