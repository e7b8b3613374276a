"""Blinding on the wire: every type of study, taken whole, searched and compared.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import select

from tests.applications import app_over
from tests.made_up import Participant, put_recordings
from tests.web.audited import STUDIES, WORDS, Auditor, Session, definition_of
from tests.web.blinding import Exchange, differences, leaks_in
from tests.web.conftest import PATIENCE_S, Serve
from tests.web.first_byte import first_byte_ms, timing_leaks
from thinlab.database.schema import Presentation
from thinlab.participation import invitation
from thinlab.study import catalogue
from thinlab.web.services import Services

PARTICIPANTS = 2


async def put(services: Services, name: str) -> str:
    """Loads one of the studies with made-up recordings; returns its slug."""
    definition = definition_of(name)
    async with services.database.transaction() as session:
        await catalogue.load(session, definition)
    await put_recordings(services, definition.slug)
    return definition.slug


async def invitations(services: Services, slug: str) -> list[str]:
    async with services.database.transaction() as session:
        return await invitation.create(session, slug, count=PARTICIPANTS, label="")


@pytest.mark.parametrize("name", STUDIES)
async def test_nothing_tells_conditions_members_or_kinds_of_trial(
    name: str, serve: Serve, services: Services
) -> None:
    slug = await put(services, name)
    links = await invitations(services, slug)
    sessions: list[Session] = []
    async with AsyncClient(base_url=await serve(app_over(services)), timeout=PATIENCE_S) as browser:
        for turn in range(PARTICIPANTS):
            link = links[turn] if definition_of(name).access == "invitation" else None
            sessions.append(await Auditor(browser, slug, turn=turn).take_part(link))
    for seen, link in zip(sessions, links, strict=True):
        seen.opaque.add(link)
        assert seen.leaks() == []
        # As many kinds of trial as there are blocks to a participant's eyes, and no more.
        assert len(seen.blocks) == len(definition_of(name).blocks)
    # And between participants: whoever has one member first sees what the others see.
    heard = [one for seen in sessions for one in seen.alike["recording"]]
    assert all(one.is_audio for one in heard)
    assert all(differences(heard[0], one) == [] for one in heard)


async def test_members_were_heard_in_both_orders(serve: Serve, services: Services) -> None:
    """Or the comparisons above would prove little."""
    slug = await put(services, "preference")
    async with AsyncClient(base_url=await serve(app_over(services)), timeout=PATIENCE_S) as browser:
        person = await Participant.join(browser, slug)
        await person.open_trials()
    async with services.database.transaction() as session:
        assert set(await session.scalars(select(Presentation.first_member))) == {"a", "b"}


async def test_the_first_byte_comes_after_the_same_time(app: FastAPI, serve: Serve) -> None:
    async with AsyncClient(base_url=await serve(app), timeout=PATIENCE_S) as browser:
        person = await Participant.join(browser)
        tokens = [
            trial[place]["recording_token"]
            for trial in await person.open_trials()
            for place in ("first", "second")
        ]
        assert len(tokens) == 6
        assert timing_leaks(await first_byte_ms(person, tokens)) == []


@pytest.mark.parametrize(
    "hidden",
    [
        b'{"x": "LINEAR_TIMEOUTS"}',
        b"bW9kaWZpZWQ",
        b"eHggbmV3cmVubzIwMDggeHg",
        b"6d6f646966696564",
        b"a6cf0ee0fc58ba2cc4fd1ecb34a1d0c4cd3ac1eab0e5f7cd1ac3ed5d0ab7cf59",
    ],
    ids=["capitals", "base64", "within base64", "hexadecimal", "no word"],
)
def test_the_search_finds_words_however_hidden(hidden: bytes) -> None:
    exchange = Exchange("GET /", 200, (), hidden)
    found = leaks_in(exchange, WORDS, {hidden.decode()})
    assert bool(found) == (not hidden.startswith(b"a6cf"))
