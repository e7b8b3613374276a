"""Each session's self-check once more, from the numbers of its result.

The agent fails a session whose lane lost or made a packet that the emulator
does not answer for. Whoever keeps a result does not take its word for it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Any

DIRECTIONS = ("forward", "backward")


def broken(result: Mapping[str, Any]) -> str | None:
    """What does not add up in a result as a record keeps it; none where all does."""
    for direction in DIRECTIONS:
        told = result["check"][direction]
        fault = packets_missing(
            told["sent_packets"] + (told.get("duplicated_packets") or 0),
            told["received_packets"],
            told["dropped_packets"],
        )
        if fault is not None:
            return f"self-check, {direction}: {fault}"
    metrics = result["metrics"]
    if metrics["delivered_bytes"] != metrics["unique_bytes"]:
        return (
            f"self-check: {metrics['unique_bytes']} bytes of the stream were sent, "
            f"{metrics['delivered_bytes']} were delivered"
        )
    return None


def packets_missing(put: int, received: int, dropped: int) -> str | None:
    """Packets that were put on a lane are received or dropped by its emulator."""
    if put == received + dropped:
        return None
    return f"of {put} packets {received} were received and {dropped} dropped"


def of_row(row: Mapping[str, Any]) -> dict[str, str | None]:
    """Each direction of a session's row: what does not add up, none where all does."""
    return {
        direction: packets_missing(
            row[f"check_{direction}_sent_packets"]
            + (row.get(f"check_{direction}_duplicated_packets") or 0),
            row[f"check_{direction}_received_packets"],
            row[f"check_{direction}_dropped_packets"],
        )
        for direction in DIRECTIONS
    }
