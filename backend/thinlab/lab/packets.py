"""A session's packets, one by one, as the agent's analyser reads them from its captures.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from thinlab.contract.generated.results import TerminalResult

# Reading a session of minutes takes a fraction of a second.
LIMIT_S = 60
# Clock lines and captures tell of one instant this much alike.
SAME_US = 500
KEYS_TRIED = 5
NEWS_LIMIT_US = 2_000_000


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
    analyser: Path,
    sender: Path,
    receiver: Path,
    result: TerminalResult,
    keys_sent_us: Sequence[int] = (),
) -> list[PacketPassage]:
    """Every packet of the connection, in the order sent. Raises `UnreadableError`.

    `keys_sent_us`: when keys left the sender, on the time that the packets are to be on.
    """
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
    return await asyncio.to_thread(_placed, told, result, keys_sent_us)


def _placed(
    told: bytes, result: TerminalResult, keys_sent_us: Sequence[int]
) -> list[PacketPassage]:
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
    found = [
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
    shift_us = _shift_us(found, keys_sent_us)
    return [
        packet.model_copy(
            update={
                "sent_us": packet.sent_us + shift_us,
                "arrived_us": None if packet.arrived_us is None else packet.arrived_us + shift_us,
            }
        )
        for packet in found
    ]


def _shift_us(packets: Sequence[PacketPassage], keys_sent_us: Sequence[int]) -> int:
    """By how much the agent's “ready” and the server's differ: the news took its time.

    The first keys left in some packets: of all that could be those, the ones with which
    the most other keys left in packets too.
    """
    departures_us = sorted(
        packet.sent_us for packet in packets if packet.forward and packet.end > packet.start
    )

    def fitting(shift_us: int) -> int:
        return sum(
            _nearest_us(departures_us, key_us - shift_us) <= SAME_US for key_us in keys_sent_us
        )

    candidates = {
        key_us - departure_us
        for key_us in keys_sent_us[:KEYS_TRIED]
        for departure_us in departures_us
        if abs(key_us - departure_us) <= NEWS_LIMIT_US
    }
    best_us = max(candidates, key=lambda one: (fitting(one), -abs(one)), default=0)
    return best_us if fitting(best_us) > fitting(0) else 0


def _nearest_us(rising_us: Sequence[int], at_us: int) -> int:
    place = bisect_left(rising_us, at_us)
    return min(abs(one - at_us) for one in rising_us[max(place - 1, 0) : place + 1])
