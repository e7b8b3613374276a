"""When each message of a stream could be read, as the agent's analyser tells it from captures.

SPDX-License-Identifier: Apache-2.0
"""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thinlab.lab.analyser import AnalyserError, said

# Of the end that opens a connection of the lane's nth flow, plus n.
OPENING_PORT = 40_000


class LaneCaptures:
    """What was captured at both ends of a lane: files."""

    def __init__(self, analyser: Path, sender: Path, receiver: Path) -> None:
        self._analyser = analyser
        self._ends = (sender, receiver)
        self._connections: dict[int, tuple[str, str]] | None = None

    def available_ns(
        self, opener: int, ends: Sequence[int], *, answers: bool, backward: bool
    ) -> list[int | None]:
        """When the byte before each of these offsets could be read, and all bytes before it.

        Of the connection of the lane's flow `opener`, what the end sent that opened it; the other
        end, where it `answers`. `backward` is what the lane's receiver sent. Nanoseconds since the
        stream's first byte left; None of what never came. Raises `AnalyserError`.
        """
        ends_of_it = self._connection(OPENING_PORT + opener)
        flow = "-".join(reversed(ends_of_it) if answers else ends_of_it)
        captures = reversed(self._ends) if backward else self._ends
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
            listed.writelines(f"{end}\n" for end in ends)
            listed.flush()
            told = self._told(
                *("analyze", "--json", *captures),
                *("--flow", flow, "--message-ends", listed.name),
            )
        return [message["available_ns"] for message in told["messages"]]

    def _connection(self, port: int) -> tuple[str, str]:
        """The end that opened a connection from this port, and the other."""
        if self._connections is None:
            told = self._told("stream", "of", self._ends[0])["connections"]
            both = [(str(one["client"]), str(one["server"])) for one in told]
            self._connections = {
                int(client.rpartition(":")[2]): (client, server) for client, server in both
            }
        if port not in self._connections:
            raise AnalyserError(f"the captures have no connection from port {port}")
        return self._connections[port]

    def _told(self, *words: Path | str) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(said(self._analyser, *words))
        return told
