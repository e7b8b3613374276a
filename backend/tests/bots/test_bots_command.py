"""`thinlab bots run` against a server that listens."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from sqlalchemy import func, select

from tests.applications import app_over
from tests.bots.planted import SLUG, pair, plant, researchers_cookie
from tests.made_up import PASSWORD
from tests.served import served
from thinlab.database.schema import Participant, Vote
from thinlab.web.services import Services


@pytest_asyncio.fixture
async def url(services: Services) -> AsyncIterator[str]:
    """A server with a planted study and a researcher."""
    await plant(services, [pair(1), pair(2)])
    await researchers_cookie(app_over(services), services)
    async with served(services) as address:
        yield address


async def run(url: str, *options: str, password: str = PASSWORD) -> tuple[int, str]:
    """The command's exit code and all that it says."""
    command = (sys.executable, "-m", "thinlab", "bots", "run", "--url", url, "--study", SLUG)
    process = await asyncio.create_subprocess_exec(
        *command,
        *options,
        env={**os.environ, "THINLAB_PASSWORD": password},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def test_bots_take_part_and_are_summed_up(url: str, services: Services) -> None:
    code, said = await run(url, "--count", "6", "--mix", "honest=0.5,abandoning=0.5")
    assert code == 0, said
    assert "honest: 3 complete" in said
    assert "abandoning: 3 abandoned" in said
    async with services.database.transaction() as session:
        kinds = set(await session.scalars(select(Participant.kind)))
        votes = await session.scalar(select(func.count(Vote.id)))
    assert kinds == {"bot"}
    assert f"{votes} votes acknowledged" in said


@pytest.mark.parametrize(
    ("options", "password", "told"),
    [
        ((), "wrong password", "signing in: "),
        (("--utility", "better=1"), PASSWORD, "no condition 'better'; it has plain, modified"),
        (("--utility", "modified"), PASSWORD, "should read modified=1.0"),
        (("--worth", "3"), PASSWORD, "--worth: the study's analysis plan weighs no metric"),
        (("--mix", "honset=1"), PASSWORD, "there are no 'honset' bots"),
        (("--url", "http://127.0.0.1:9"), PASSWORD, "is the server running?"),
    ],
)
async def test_what_cannot_be_done_is_told(
    url: str, options: tuple[str, ...], password: str, told: str
) -> None:
    code, said = await run(url, *options, password=password)
    assert code == 78, said
    assert told in said
