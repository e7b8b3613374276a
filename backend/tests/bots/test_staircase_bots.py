"""Bots with a planted threshold take staircases over HTTP, and it comes out of the results.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from sqlalchemy import select

from tests.applications import app_over
from tests.bots.planted import key_of, let_loose, researchers_cookie
from tests.made_up import PASSWORD, put_recordings
from tests.served import served
from tests.staircases import LOSSES, staircase_block, staircase_definition
from thinlab.analysis import results
from thinlab.analysis.asked import Asked
from thinlab.bots.bot import Seat
from thinlab.bots.crowd import Plan
from thinlab.bots.planted_threshold import utilities_of
from thinlab.database.schema import Participant, Presentation, Vote
from thinlab.participation.presentation import taken
from thinlab.study.blocks.registry import kind_of
from thinlab.study.catalogue import StoredStudy
from thinlab.trials.registry import KINDS, bot_parts
from thinlab.web.serve import load
from thinlab.web.services import Services

SLUG = "stairs"
THRESHOLD = 0.04


@pytest_asyncio.fixture
async def stairs(services: Services) -> StoredStudy:
    definition = staircase_definition(staircase_block("speech", trials=24), slug=SLUG)
    await load(services.database, [definition])
    return await put_recordings(services, SLUG)


@pytest_asyncio.fixture
async def url(services: Services, stairs: StoredStudy) -> AsyncIterator[str]:  # noqa: ARG001
    await researchers_cookie(app_over(services), services)
    async with served(services) as address:
        yield address


async def test_the_command_plants_a_threshold_that_comes_out(
    url: str, services: Services, stairs: StoredStudy
) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "thinlab", "bots", "run", "--url", url, "--study", SLUG),
        *("--count", "12", "--threshold", str(THRESHOLD)),
        cwd=Path(__file__).parent,
        env={**os.environ, "THINLAB_PASSWORD": PASSWORD},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()
    assert "288 votes acknowledged" in said.decode()
    async with services.database.transaction() as session:
        asked = Asked(stairs, KINDS, frozenset(), frozenset({"bot"}))
        (found,) = (await results.of_study(session, asked)).staircases
    assert found.group is not None
    assert THRESHOLD / 2.5 < found.group.threshold < THRESHOLD * 2.5
    inside = sum(one.low <= THRESHOLD <= one.high for one in found.people)
    # Of twelve intervals of 95 %: fewer than eight by chance once in 6000 times.
    assert inside >= 8


async def test_lost_answers_and_other_devices_fork_nothing(
    services: Services, stairs: StoredStudy
) -> None:
    app = app_over(services)
    cookie = await researchers_cookie(app, services)
    utilities = utilities_of(stairs.definition.model_dump(mode="json"), THRESHOLD)
    key = await key_of(services, stairs, utilities)
    plan = Plan({"flaky": 1.0}, 8, seed=5, parts=bot_parts())
    crowd = await let_loose(app, plan, Seat(SLUG, cookie=cookie), key)
    assert [one.problem for one in crowd.outcomes if one.problem] == []
    (block,) = stairs.definition.blocks
    async with services.database.transaction() as session:
        people = (await session.scalars(select(Participant))).all()
        for person in people:
            rows = await session.execute(
                select(Presentation, Vote)
                .join(Vote, Vote.presentation_id == Presentation.id)
                .where(Presentation.participant_id == person.id)
                .order_by(Presentation.position)
            )
            votes = taken(block, rows.all())
            assert len(votes) == 24
            for number, one in enumerate(votes):
                after = kind_of(block).after(
                    stairs.definition, block, person.pseudonym, votes[:number]
                )
                assert one.turn == after


def test_levels_sound_as_the_planted_threshold_says(stairs: StoredStudy) -> None:
    found = utilities_of(stairs.definition.model_dump(mode="json"), THRESHOLD)
    assert found["none"] == 0
    assert [found[name] for name in LOSSES] == sorted(
        (found[name] for name in LOSSES), reverse=True
    )
