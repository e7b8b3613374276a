"""A demo's take, as the agent runs it: one call, inputs in, events out.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Protocol

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.agent import Agent
from thinlab.lab.call import fed

# Sound that nobody takes is late sound: a quarter of a second is all that the agent keeps of it.
MICROPHONE_WAITING_LIMIT = 12


class TakeCall(Protocol):
    """One take's conversation with whoever runs it."""

    def events(self) -> AsyncGenerator[pb.LiveEvent, None]:
        """What happens, to the result. Ending it early ends the take.

        Raises `AgentAwayError`, also for a lost host, and `AgentRefusedError`.
        """

    def say(self, one: pb.LiveInput) -> None:
        """Hands on an input, behind those before it."""


class AgentTake:
    """A take of an agent."""

    def __init__(self, agent: Agent, spec: pb.DemoOpen) -> None:
        self._agent = agent
        self._inputs: asyncio.Queue[pb.LiveInput] = asyncio.Queue()
        self._inputs.put_nowait(pb.LiveInput(demo=spec))

    def say(self, one: pb.LiveInput) -> None:
        """As `TakeCall`; of the microphone only what can still be heard in time."""
        if one.HasField("microphone") and self._inputs.qsize() > MICROPHONE_WAITING_LIMIT:
            return
        self._inputs.put_nowait(one)

    async def events(self) -> AsyncGenerator[pb.LiveEvent, None]:
        """As `TakeCall`."""
        call = self._agent.run_live()
        async with fed(call, self._inputs):
            async for event in call:
                yield event
