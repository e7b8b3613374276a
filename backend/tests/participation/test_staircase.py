"""Staircases in PostgreSQL: what is stored is what the votes and the seed say, however it came."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import pytest_asyncio
from httpx import AsyncClient
from sqlalchemy import Row, select

from tests.made_up import CCR, Participant, ballot, block, put_recordings
from tests.staircases import staircase_block, staircase_definition
from thinlab.database import schema
from thinlab.database.schema import Presentation, Vote
from thinlab.participation.presentation import taken
from thinlab.study.blocks.kind import Turn
from thinlab.study.blocks.registry import kind_of
from thinlab.study.catalogue import StoredStudy
from thinlab.web.serve import load
from thinlab.web.services import Services


@pytest_asyncio.fixture
async def stairs(services: Services, browser: AsyncClient) -> AsyncIterator[StoredStudy]:  # noqa: ARG001
    """Two staircases of four trials, then a pair like any other."""
    pair = {"kind": "pair", "id": "last", "clip": "song", "conditions": ["none", "l8"], "seed": 9}
    blocks = (
        staircase_block("speech", "song", trials=4),
        block([pair | {"seed": 9}], id="after", scale=CCR),
    )
    await load(services.database, [staircase_definition(*blocks)])
    yield await put_recordings(services, "demo")


async def stored(services: Services) -> tuple[str, Sequence[Row[Presentation, Vote]]]:
    """Of the only participant: the pseudonym, and the staircase's presentations with votes."""
    async with services.database.transaction() as session:
        pseudonym = (await session.scalars(select(schema.Participant.pseudonym))).one()
        rows = await session.execute(
            select(Presentation, Vote)
            .join(Vote, Vote.presentation_id == Presentation.id)
            .where(Presentation.block_id == "stairs")
            .order_by(Presentation.position)
        )
        return pseudonym, rows.all()


async def presented(services: Services) -> list[tuple[int, str, int, str]]:
    async with services.database.transaction() as session:
        rows = await session.execute(
            select(
                Presentation.position,
                Presentation.trial_id,
                Presentation.run,
                Presentation.first_member,
            ).order_by(Presentation.position)
        )
        return [(row.position, row.trial_id, row.run, row.first_member) for row in rows]


async def recomputed(services: Services, study: StoredStudy) -> None:
    """Each stored trial is what follows from the votes before it."""
    pseudonym, rows = await stored(services)
    stairs = study.definition.blocks[0]
    votes = taken(stairs, rows)
    for number, one in enumerate(votes):
        expected = kind_of(stairs).after(study.definition, stairs, pseudonym, votes[:number])
        assert one.turn == expected


async def test_a_session_is_recomputable_from_its_votes(
    browser: AsyncClient, services: Services, stairs: StoredStudy
) -> None:
    person = await Participant.join(browser)
    assert (await person.progress())["trials_total"] == 9
    opened = await person.open_trials()
    # What follows is not known yet, and the block after it comes when it is done.
    assert [trial["position"] for trial in opened] == [1]
    for position in range(1, 9):
        trial, *ahead = await person.open_trials()
        assert [one["position"] for one in ahead] == [9] * (position == 8)
        assert (trial["position"], trial["trials_total"]) == (position, 9)
        voted = await person.vote(trial["trial_token"], choice=("first", "second")[position % 2])
        assert voted.status_code == 201
    assert (await person.progress())["state"] == "trials"
    await person.take_all()
    done = await person.progress()
    assert (done["state"], done["trials_done"]) == ("complete", 9)
    assert [position for position, *_ in await presented(services)] == list(range(1, 10))
    await recomputed(services, stairs)


async def test_a_vote_that_comes_twice_goes_on_once(
    browser: AsyncClient, services: Services, stairs: StoredStudy
) -> None:
    person = await Participant.join(browser)
    trial = await person.open_trial()
    await person.hear_trial(trial["trial_token"])
    vote = ballot(trial["trial_token"])
    path, headers = "/api/participation/votes", person.headers
    answers = await asyncio.gather(
        *(browser.post(path, headers=headers, json=vote) for _ in range(6))
    )
    assert sorted(one.status_code for one in answers) == [200] * 5 + [201]
    assert [position for position, *_ in await presented(services)] == [1, 2, 9]
    await recomputed(services, stairs)


async def test_two_tabs_with_two_answers_do_not_fork_it(
    browser: AsyncClient, services: Services, stairs: StoredStudy
) -> None:
    person = await Participant.join(browser)
    for _ in range(3):
        trial = await person.open_trial()
        await person.hear_trial(trial["trial_token"])
        answers = await asyncio.gather(
            *(
                person.vote_unheard(trial["trial_token"], choice=choice)
                for choice in ("first", "second", "first", "second")
            )
        )
        assert sorted(one.status_code for one in answers) == [201, 409, 409, 409]
    assert [position for position, *_ in await presented(services)] == [1, 2, 3, 4, 9]
    await recomputed(services, stairs)


async def test_reloading_changes_nothing(
    browser: AsyncClient, services: Services, stairs: StoredStudy
) -> None:
    person = await Participant.join(browser)
    trial = await person.open_trial()
    await person.vote(trial["trial_token"])
    before = await presented(services)
    opened = [await person.open_trials() for _ in range(3)]
    assert opened[0] == opened[1] == opened[2]
    assert await presented(services) == before
    # A vote that was acknowledged long ago, sent again.
    await person.vote_unheard(trial["trial_token"])
    assert await presented(services) == before
    await recomputed(services, stairs)


async def test_a_vote_that_is_not_stored_leads_to_nothing(
    browser: AsyncClient, services: Services, stairs: StoredStudy
) -> None:
    person = await Participant.join(browser)
    trial = await person.open_trial()
    refused = await person.vote(trial["trial_token"], choice="no_difference")
    assert refused.status_code == 422
    assert [position for position, *_ in await presented(services)] == [1, 9]
    # As where the server dies within the transaction: neither the vote nor what follows it.
    pseudonym, rows = await stored(services)
    assert rows == []
    first = kind_of(stairs.definition.blocks[0]).after(
        stairs.definition, stairs.definition.blocks[0], pseudonym, []
    )
    assert isinstance(first, Turn)
    assert (await presented(services))[0][1:] == (
        stairs.definition.blocks[0].trials[first.trial].id,
        first.run,
        first.first_member,
    )
