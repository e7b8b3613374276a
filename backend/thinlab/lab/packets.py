"""A session's packets, one by one, as the agent's analyser reads them from its captures.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from thinlab.lab.terminal_result import TerminalResult

# Reading a session of minutes takes a fraction of a second.
LIMIT_S = 60


class UnreadableError(Exception):
    """The captures cannot be read; the text says why."""


class PacketPassage(BaseModel):
    """One packet between the two ends."""

    forward: bool = Field(description="From the sender, which has the keys; else the way back.")
    kind: Literal["control", "acknowledgement", "new", "bundle", "retransmission"]
    sent_us: int = Field(description="Since the terminal was ready; below 0: before.")
    arrived_us: int | None = Field(description="Null: lost, or damaged on the way.")
    start: int = Field(description="Its bytes of its direction's stream.")
    end: int
    new_from: int = Field(description="Where those sent for the first time begin.")


async def packets_of(
    analyser: Path, sender: Path, receiver: Path, result: TerminalResult
) -> list[PacketPassage]:
    """Every packet of the connection, in the order sent. Raises `UnreadableError`."""
    process = await asyncio.create_subprocess_exec(
        *(analyser, "analyze", "--json", "--packets", "--accept-cut", sender, receiver),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(LIMIT_S):
            told, problem = await process.communicate()
    except TimeoutError as error:
        raise UnreadableError(f"reading them took longer than {LIMIT_S} s") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise UnreadableError(problem.decode("utf-8", "replace").strip())
    return await asyncio.to_thread(_placed, told, result)


def _placed(told: bytes, result: TerminalResult) -> list[PacketPassage]:
    """On the session's own time: captures are stamped by the guest's clock."""
    length_ns = max(result.end_ns - result.ready_ns, 1)

    def since_ready_us(at_ns: int | None) -> int | None:
        if at_ns is None:
            return None
        if result.clock is not None:
            grown = (at_ns - result.clock.offset_ns - result.ready_ns) / length_ns
            at_ns -= result.clock.offset_ns + round(result.clock.drift_ns * grown)
        return round((at_ns - result.ready_ns) / 1000)

    packets: list[dict[str, Any]] = json.loads(told)["packets"]
    return [
        PacketPassage(
            forward=packet["forward"],
            kind=packet["kind"],
            sent_us=since_ready_us(packet["sent_ns"]) or 0,
            arrived_us=since_ready_us(packet["arrived_ns"]),
            start=packet["start"],
            end=packet["end"],
            new_from=packet["new_from"],
        )
        for packet in packets
    ]
