"""The host that recordings are made on.

Apart from the worker: who only asks which host it is need not load Dask, which every
server's start would pay for.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.lab.agent import Agent
from thinlab.lab.patience import patiently
from thinlab.recording.store import Host


async def host_of(agent: Agent) -> Host:
    """Which host the agent serves; waits for an agent that is starting."""
    description = await patiently(agent.describe)
    return Host(
        build=description.build,
        agent_version=description.agent_version,
        kernel_release=description.kernel_release,
    )
