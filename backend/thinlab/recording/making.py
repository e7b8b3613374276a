"""Making one recording: clip → session on a host → files. No database.

Takes values and returns values, so that any worker, here or on another
machine, can do it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from thinlab.lab.agent import Agent, AgentAwayError, audio_session
from thinlab.lab.generated import lab_pb2 as pb
from thinlab.recording.condition import RecordingSpec
from thinlab.recording.store import Host, Made

T = TypeVar("T")

log = logging.getLogger(__name__)

# A host that dies is started again within a second; a minute of tries outlasts that by far.
TRIES = 30
FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 2.0


class SelfCheckError(Exception):
    """A recording is not what it must be; nothing of it was stored."""


async def host_of(agent: Agent) -> Host:
    """Which host the agent serves; waits for an agent that is starting."""
    description = await patiently(agent.describe)
    return Host(
        build=description.build,
        agent_version=description.agent_version,
        kernel_release=description.kernel_release,
    )


async def make(
    agent: Agent, host: Host, spec: RecordingSpec, samples: bytes, progress: Callable[[float], None]
) -> Made:
    """Sends `samples` under the spec's condition and returns what arrived.

    Starts anew when the agent dies on the way. Raises `AgentAwayError` when it
    stays away, `AgentRefusedError`, and `SelfCheckError`.
    """
    request = audio_session(spec.condition, spec.seed, samples)
    session = await patiently(lambda: agent.run(request, progress))
    heard = session.file(pb.FILE_KIND_RECORDING)
    if len(heard) != len(samples):
        # Equal length is what makes the two members of a pair look alike.
        raise SelfCheckError(
            f"the recording has {len(heard)} bytes, the clip {spec.clip} has {len(samples)}"
        )
    return Made(
        samples=heard,
        sender_capture=session.file(pb.FILE_KIND_SENDER_CAPTURE),
        receiver_capture=session.file(pb.FILE_KIND_RECEIVER_CAPTURE),
        host=host,
        result=session.result,
    )


async def patiently(attempt: Callable[[], Awaitable[T]]) -> T:
    """Repeats the attempt while the agent is away."""
    pause_s = FIRST_PAUSE_S
    for _ in range(TRIES - 1):
        try:
            return await attempt()
        except AgentAwayError as error:
            log.info("trying again in %.1f s: %s", pause_s, error)
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
    return await attempt()
