"""What a starting server does about recordings: uses what there is, asks for what it always has.

SPDX-License-Identifier: Apache-2.0
"""

import logging
from collections.abc import Sequence

from thinlab.clips.manifest import Clips
from thinlab.database.engine import Database
from thinlab.lab.agent import Agent, AgentAwayError
from thinlab.recording import sample, trial_recordings
from thinlab.recording.host import host_of
from thinlab.recording.store import RecordingStore
from thinlab.recording.supervisor import RecorderSupervisor
from thinlab.study.catalogue import StoredStudy

log = logging.getLogger(__name__)


async def supply_all(
    database: Database,
    clips: Clips,
    store: RecordingStore,
    recorder: RecorderSupervisor,
    studies: Sequence[StoredStudy],
    agent: Agent | None,
) -> None:
    """Gives every study what was recorded for it before; records those that ask for it at start.

    What a study had and lost is made again. One that records at start follows
    the host: where that of `agent` is of another build than its recordings,
    they are made anew.
    """
    for study in studies:
        async with database.transaction() as session:
            await trial_recordings.ask_for_lost(session, study, clips, store)
            await trial_recordings.supply(session, study, clips, store)
            await sample.ask_for_missing(session, study, clips, store)
    eager = [study for study in studies if study.definition.record == "at_start"]
    for study in eager:
        async with database.transaction() as session:
            await trial_recordings.ask_for_missing(session, study, clips, store)
    recorder.wake()
    if agent is None:
        return
    try:
        if not eager:
            return
        host = await host_of(agent)
    except AgentAwayError as error:
        # Whoever presses Record will be told; what is there can be heard.
        log.warning("the lab host does not answer: %s", error)
        return
    finally:
        await agent.close()
    for study in eager:
        async with database.transaction() as session:
            await trial_recordings.ask_for_missing(session, study, clips, store, host.build)
    recorder.wake()
