"""The Dask tasks: make one recording, and predict its quality.

Takes values and returns values, so that any worker, here or on another
machine, can do it. A worker elsewhere finds its host in its own THINLAB_LAB.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from distributed import get_worker

from thinlab.clips.manifest import ClipKind
from thinlab.lab.agent import AgentAwayError, AgentRefusedError
from thinlab.lab.worker import WorkerError, host_of_build
from thinlab.recording import making
from thinlab.recording.condition import RecordingSpec
from thinlab.recording.making import SelfCheckError
from thinlab.recording.prediction import Prediction, predicted_quality
from thinlab.recording.store import Host, Made
from thinlab.recording.trouble import Trouble, trouble_of

PROGRESS_TOPIC = "thinlab-recording"
PROGRESS_EVERY_S = 0.1


@dataclass(frozen=True)
class Order:
    """What is to be made, and of what."""

    job_id: int
    spec: RecordingSpec
    samples: bytes
    """The clip's."""


@dataclass(frozen=True)
class Outcome:
    """A recording, or why there is none."""

    made: Made | None
    trouble: Trouble | None = None


def make_recording(order: Order, lab: str | None, host: Host) -> Outcome:
    """Makes a recording on the host at `lab`, or on the worker's own."""
    try:
        made = asyncio.run(_session(order, lab, host))
    except (AgentAwayError, AgentRefusedError, SelfCheckError, WorkerError) as error:
        return Outcome(None, trouble_of(error))
    return Outcome(made)


def predict(kind: ClipKind, samples: bytes, heard: bytes) -> Prediction:
    """What the objective measure says of a recording: seconds, and longer than to make it."""
    return predicted_quality(kind, samples, heard)


async def _session(order: Order, lab: str | None, host: Host) -> Made:
    async with host_of_build(lab, host.build) as agent:
        return await making.make(agent, host, order.spec, order.samples, _teller(order.job_id))


def _teller(job_id: int) -> Callable[[float], None]:
    """Tells the recorder how far the session is, not more often than anybody could look."""
    worker = get_worker()
    last = float("-inf")

    def tell(share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PROGRESS_EVERY_S:
            last = now
            worker.log_event(PROGRESS_TOPIC, {"job": job_id, "share": share})

    return tell
