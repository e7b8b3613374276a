"""Has the quality of finished recordings predicted, one task each, after the recording is in use.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging

from distributed import Client

from thinlab.database.engine import Database
from thinlab.recording import shelf, task
from thinlab.recording.clips import Clips
from thinlab.recording.shelf import Unpredicted
from thinlab.recording.store import RecordingStore

log = logging.getLogger(__name__)

# Dask's: below that of recordings, which somebody waits for.
PRIORITY = -1


class Predictor:
    """What has no prediction yet, one after the other."""

    def __init__(
        self, database: Database, clips: Clips, store: RecordingStore, client: Client
    ) -> None:
        self._database = database
        self._clips = clips
        self._store = store
        self._client = client
        self._tried: set[int] = set()

    async def next(self) -> Unpredicted | None:
        """A recording to predict; each once, so that one that cannot be is not tried for ever."""
        async with self._database.transaction() as session:
            found = await shelf.unpredicted(session, self._tried)
        if not found:
            return None
        self._tried.add(found[0].id)
        return found[0]

    async def predict(self, unheard: Unpredicted) -> None:
        """Predicts and keeps it. Raises the database's errors; others leave no prediction."""
        clip = self._clips.manifest.get(unheard.clip)
        if clip is None or clip.sha256 != unheard.clip_sha256:
            log.warning("recording %s: its clip %s has changed since", unheard.id, unheard.clip)
            return
        try:
            source = await asyncio.to_thread(self._clips.samples, unheard.clip)
            heard = await self._store.samples(unheard.key)
            prediction = await self._client.submit(
                task.predict, clip.kind, source, heard, pure=False, priority=PRIORITY
            )
        except Exception:
            # The recording can be heard without; the next recorder tries again.
            log.exception("recording %s has no prediction", unheard.id)
            return
        async with self._database.transaction() as session:
            await shelf.enter_prediction(session, unheard.id, prediction)
