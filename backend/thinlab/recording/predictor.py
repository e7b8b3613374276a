"""Has the quality of finished recordings predicted, one task each, after the recording is in use.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import os
from contextlib import suppress
from pathlib import Path

from distributed import Client

from thinlab.clips.manifest import Clips
from thinlab.database.engine import Database
from thinlab.recording import registry, worker
from thinlab.recording.registry import Unpredicted
from thinlab.recording.store import RecordingStore

log = logging.getLogger(__name__)

# Dask's: below that of recordings, which somebody waits for.
PRIORITY = -1
# Linux's: the highest niceness there is.
LOWEST_PRIORITY = 19
AUTOGROUP = Path("/proc/self/autogroup")


class Predictor:
    """What has no prediction yet, one after the other."""

    def __init__(
        self,
        database: Database,
        clips: Clips,
        store: RecordingStore,
        client: Client,
        *,
        local: bool,
    ) -> None:
        self._database = database
        self._clips = clips
        self._store = store
        self._client = client
        self._tried: set[int] = set()
        # Workers elsewhere are not ours to slow down.
        self._has_yielded = not local

    async def next(self) -> Unpredicted | None:
        """A recording to predict; each once, so that one that cannot be is not tried for ever."""
        async with self._database.transaction() as session:
            found = await registry.unpredicted(session, self._tried)
        if not found:
            return None
        self._tried.add(found[0].id)
        return found[0]

    async def predict(self, unheard: Unpredicted) -> None:
        """Predicts and keeps it. Raises the database's errors; others leave no prediction."""
        if not self._has_yielded:
            self._has_yielded = True
            yield_to_everything()
            await self._client.run(yield_to_everything)
        clip = self._clips.manifest.get(unheard.clip)
        if clip is None or clip.sha256 != unheard.clip_sha256:
            log.warning("recording %s: its clip %s has changed since", unheard.id, unheard.clip)
            return
        try:
            source = await asyncio.to_thread(self._clips.samples, unheard.clip)
            heard = await self._store.samples(unheard.key)
            prediction = await self._client.submit(
                worker.predict, clip.kind, source, heard, pure=False, priority=PRIORITY
            )
        except Exception:
            # The recording can be heard without; the next recorder tries again.
            log.exception("recording %s has no prediction", unheard.id)
            return
        async with self._database.transaction() as session:
            await registry.enter_prediction(session, unheard.id, prediction)


def yield_to_everything() -> None:
    """From now on this process, and the session that it leads, run when nobody else wants to.

    Niceness counts within a session only where the kernel groups processes by
    session; the group has one of its own.
    """
    os.setpriority(os.PRIO_PROCESS, 0, LOWEST_PRIORITY)
    with suppress(OSError):
        AUTOGROUP.write_text(str(LOWEST_PRIORITY))
