"""A terminal over a lane, as the agent runs it: keys in, screens out, measures in the end.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Protocol

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.agent import Agent, AgentAwayError
from thinlab.lab.call import fed


@dataclass
class TerminalEnded:
    """What a terminal's session yielded."""

    result: pb.TerminalResult
    files: dict[pb.FileKind.ValueType, bytearray] = field(default_factory=dict)


TerminalNews = pb.LiveReady | pb.TerminalScreen | TerminalEnded


class Terminal(Protocol):
    """An editor at the end of a way."""

    def news(self) -> AsyncIterator[TerminalNews]:
        """Ready, screens, and the end as the last. Ending it early ends the terminal."""

    def press(self, number: int, data: bytes) -> None:
        """Hands on what one keydown is."""

    def finish(self) -> None:
        """The participant is through."""


class AgentTerminal:
    """A terminal of an agent, in one call."""

    def __init__(self, agent: Agent, spec: pb.TerminalOpen) -> None:
        self._agent = agent
        self._inputs: asyncio.Queue[pb.LiveInput] = asyncio.Queue()
        self._inputs.put_nowait(pb.LiveInput(terminal=spec))

    def press(self, number: int, data: bytes) -> None:
        """Hands on what one keydown is."""
        self._inputs.put_nowait(pb.LiveInput(keys=pb.TerminalKeys(number=number, data=data)))

    def finish(self) -> None:
        """The participant is through."""
        self._inputs.put_nowait(pb.LiveInput(finish=pb.LiveFinish()))

    async def news(self) -> AsyncIterator[TerminalNews]:
        """As `Terminal`. Raises `AgentAwayError`, also for a lost host, and `AgentRefusedError`."""
        call = self._agent.run_live()
        ended: TerminalEnded | None = None
        async with fed(call, self._inputs):
            async for event in call:
                match event.WhichOneof("event"):
                    case "ready":
                        yield event.ready
                    case "screen":
                        yield event.screen
                    case "terminal":
                        ended = TerminalEnded(event.terminal)
                    case "file" if ended is not None:
                        ended.files.setdefault(event.file.kind, bytearray()).extend(event.file.data)
        if ended is None:
            raise AgentAwayError("the terminal ended without a result")
        yield ended
