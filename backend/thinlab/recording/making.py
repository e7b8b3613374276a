"""Making one recording: clip → session on a host → files. No database.

Takes values and returns values, so that any worker, here or on another
machine, can do it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.agent import Agent, audio_session
from thinlab.lab.patience import patiently
from thinlab.recording.condition import RecordingSpec
from thinlab.recording.store import Host, Made


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
