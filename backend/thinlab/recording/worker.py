"""What a Dask worker does: makes one recording on a host, and predicts its quality. No database.

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
from thinlab.condition.condition import Condition
from thinlab.condition.reference import Reference
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.agent import Agent, AgentAwayError, AgentRefusedError, audio_session
from thinlab.lab.patience import patiently
from thinlab.lab.worker import WorkerError, host_of_build
from thinlab.recording.identity import RecordingSpec
from thinlab.recording.prediction import Prediction, predicted_quality
from thinlab.recording.store import Host, Made, Sent
from thinlab.recording.trouble import SelfCheckError, Trouble, trouble_of

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
    """Makes a recording on the host at `lab`, or on the worker's own; a reference needs none."""
    condition = order.spec.condition
    if isinstance(condition, Reference):
        return Outcome(_reference(condition, order, host))
    try:
        made = asyncio.run(_session(order, condition, lab, host))
    except (AgentAwayError, AgentRefusedError, SelfCheckError, WorkerError) as error:
        return Outcome(None, trouble_of(error))
    return Outcome(made)


def predict(kind: ClipKind, samples: bytes, heard: bytes) -> Prediction:
    """What the objective measure says of a recording: seconds, and longer than to make it."""
    return predicted_quality(kind, samples, heard)


async def make(
    agent: Agent,
    host: Host,
    spec: RecordingSpec,
    condition: Condition,
    samples: bytes,
    progress: Callable[[float], None],
) -> Made:
    """Sends `samples` under the spec's condition and returns what arrived.

    Starts anew when the agent dies on the way. Raises `AgentAwayError` when it
    stays away, `AgentRefusedError`, and `SelfCheckError`.
    """
    request = audio_session(condition, spec.seed, samples)
    session = await patiently(lambda: agent.run(request, progress))
    heard = session.file(pb.FILE_KIND_RECORDING)
    if len(heard) != len(samples):
        # Equal length is what makes the two members of a pair look alike.
        raise SelfCheckError(
            f"the recording has {len(heard)} bytes, the clip {spec.clip} has {len(samples)}"
        )
    return Made(
        samples=heard,
        host=host,
        sent=Sent(
            sender_capture=session.file(pb.FILE_KIND_SENDER_CAPTURE),
            receiver_capture=session.file(pb.FILE_KIND_RECEIVER_CAPTURE),
            result=session.result,
        ),
    )


def _reference(reference: Reference, order: Order, host: Host) -> Made:
    # Loads SciPy, which nobody needs whose studies have no references.
    from thinlab.recording.reference_sound import reference_sound  # noqa: PLC0415

    sound = reference_sound(reference, order.spec.seed, order.samples)
    return Made(samples=sound, host=host, sent=None)


async def _session(order: Order, condition: Condition, lab: str | None, host: Host) -> Made:
    async with host_of_build(lab, host.build) as agent:
        return await make(agent, host, order.spec, condition, order.samples, _teller(order.job_id))


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
