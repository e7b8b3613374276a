"""What attacks are aimed at: a server of our own, or the one that `--instance` names.

SPDX-License-Identifier: Apache-2.0
"""

import os
from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest
import pytest_asyncio

from tests.attack.aim import ForbiddenAimError, Instance, permitted
from tests.served import served
from thinlab.study.catalogue import StoredStudy
from thinlab.web.services import Services

# On a machine that is busy with other attacks.
PATIENCE_S = 60.0


def pytest_addoption(parser: pytest.Parser) -> None:
    """Each has a variable of its own, too."""
    group = parser.getgroup("attack")
    group.addoption("--instance", help="address of a running instance (THINLAB_INSTANCE)")
    group.addoption("--i-may", help="its host once more, if it is not this machine")
    group.addoption("--study", help="an open study there, to be heard (THINLAB_STUDY); demo")


def _told(config: pytest.Config, option: str, variable: str | None = None) -> str | None:
    # Without this folder on the command line, pytest does not know the options.
    told = config.getoption(option, default=None) or os.environ.get(variable or "")
    return str(told) if told else None


@pytest.fixture(scope="session")
def named(pytestconfig: pytest.Config) -> Instance | None:
    """The instance that somebody named; ends everything where they may not have meant it."""
    url = _told(pytestconfig, "instance", "THINLAB_INSTANCE")
    if url is None:
        return None
    try:
        url = permitted(url, _told(pytestconfig, "i_may"))
        httpx.get(f"{url}/api/health", timeout=PATIENCE_S).raise_for_status()
    except ForbiddenAimError as error:
        pytest.exit(str(error), returncode=4)
    except httpx.HTTPError as error:
        pytest.exit(f"{url} does not answer as Thinlab does: {error}", returncode=4)
    return Instance(url, _told(pytestconfig, "study", "THINLAB_STUDY") or "demo")


@pytest.fixture
def listening() -> bool:
    """Whether our own server wants votes to take the time that listening takes; most tests vote."""
    return False


@pytest_asyncio.fixture
async def own(services: Services, study: StoredStudy, listening: bool) -> AsyncIterator[Instance]:
    """A server of this test's own, on a database of its own."""
    inside = replace(services, listening=listening)
    async with served(inside) as url:
        yield Instance(url, study.slug, inside)


@pytest.fixture
def instance(named: Instance | None, request: pytest.FixtureRequest) -> Instance:
    """What to attack. Tests that have to look inside ask for `own` instead."""
    if named is not None:
        return named
    own: Instance = request.getfixturevalue("own")
    return own


@pytest_asyncio.fixture
async def stranger(instance: Instance) -> AsyncIterator[httpx.AsyncClient]:
    """A client that nobody has invited."""
    async with httpx.AsyncClient(base_url=instance.url, timeout=PATIENCE_S) as client:
        yield client


@pytest_asyncio.fixture
async def visitor(own: Instance) -> AsyncIterator[httpx.AsyncClient]:
    """Likewise, of a server of our own."""
    async with httpx.AsyncClient(base_url=own.url, timeout=PATIENCE_S) as client:
        yield client
