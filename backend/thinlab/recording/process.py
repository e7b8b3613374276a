"""The recorder's own process: `thinlab record`.

Beside the web server and not in it: Dask takes a second to load and 70 MB, and
neither participants nor an idle server should pay for that.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import func, select

from thinlab.clips.manifest import Clips
from thinlab.database.engine import Database
from thinlab.lab.team import Workers
from thinlab.recording.recorder import Recorder
from thinlab.recording.store import RecordingStore
from thinlab.settings import Settings
from thinlab.tls.trust import Trust

# Of the advisory lock that keeps a second recorder waiting. Any number will do.
ALONE_LOCK = 20_081
ALONE_EVERY_S = 0.2
NICENESS = 10


async def make_all(settings: Settings) -> None:
    """Makes what was asked for and returns. Raises `SettingError`, `ClipError`."""
    database_url = settings.need_database()
    settings.need_lab()
    clips = Clips.open(settings.manifest, settings.need("clips"))
    store = RecordingStore(settings.recordings)
    database = Database(database_url)
    lab = settings.lab if settings.scheduler is None else None
    workers = Workers(
        lab=lab,
        scheduler=settings.scheduler,
        trust=Trust.of(settings),
    )
    # Participants do not wait while a recording is predicted.
    os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
    try:
        async with alone(database):
            store.clear_half_made()
            recorder = Recorder(database, clips, store, workers, predictions=settings.predictions)
            await recorder.make_all()
    finally:
        await database.close()


@asynccontextmanager
async def alone(database: Database) -> AsyncIterator[None]:
    """Waits until no other recorder works on this database; the lock ends with the process."""
    async with database.engine.connect() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        # Not by waiting in the database, where a statement may not take long.
        while not await connection.scalar(  # noqa: ASYNC110 (the event is in another process)
            select(func.pg_try_advisory_lock(ALONE_LOCK))
        ):
            await asyncio.sleep(ALONE_EVERY_S)
        try:
            yield
        finally:
            await connection.scalar(select(func.pg_advisory_unlock(ALONE_LOCK)))
