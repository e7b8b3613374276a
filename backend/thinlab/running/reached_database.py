"""The database for commands that come and go: one that runs, or ours, started for as long.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from thinlab.running import embedded_postgres, preflight
from thinlab.running.child import Child, Recipe
from thinlab.running.database_address import database_url
from thinlab.running.embedded_postgres import EmbeddedPostgres
from thinlab.settings import SettingError, Settings

START_PATIENCE_S = 60.0
LOOK_S = 0.05


@asynccontextmanager
async def reached_database(settings: Settings) -> AsyncIterator[str]:
    """The database's address, whether Thinlab runs or not. Raises `SettingError`."""
    if settings.database_url is not None:
        yield settings.database_url
        return
    try:
        lock = preflight.take_lock(settings.data)
    except SettingError:
        # Somebody runs here, and so does the database.
        yield database_url(settings)
        return
    with lock:
        async with _started(settings) as url:
            yield url


@asynccontextmanager
async def own_database(settings: Settings) -> AsyncIterator[str]:
    """The same, with nobody beside us. Raises `SettingError` where Thinlab runs."""
    if settings.database_url is not None:
        yield settings.database_owner_url or settings.database_url
        return
    settings.data.mkdir(parents=True, exist_ok=True)
    with preflight.take_lock(settings.data):
        async with _started(settings) as url:
            yield url


@asynccontextmanager
async def _started(settings: Settings) -> AsyncIterator[str]:
    postgres = await asyncio.to_thread(embedded_postgres.prepare, settings)
    log = settings.data / "log" / "postgres.log"
    said: list[str] = []
    child = Child(
        Recipe(
            name="The database",
            command=postgres.command(),
            log=log,
            stop_signal=embedded_postgres.STOP_SIGNAL,
            prepare=postgres.clear_the_way,
        ),
        said.append,
    )
    keeping = asyncio.create_task(child.keep())
    try:
        await _ready(postgres, child)
        yield postgres.owner_url
    finally:
        await child.stop()
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def _ready(postgres: EmbeddedPostgres, child: Child) -> None:
    try:
        async with asyncio.timeout(START_PATIENCE_S):
            while child.pid is None or not postgres.is_ready(child.pid):  # noqa: ASYNC110 - another process
                await asyncio.sleep(LOOK_S)
    except TimeoutError:
        raise SettingError(
            f"the database in {postgres.cluster} does not start; its log is {child.recipe.log}"
        ) from None
