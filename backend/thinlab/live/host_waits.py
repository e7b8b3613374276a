"""How long keys waited for our own machines, where only the lane should have delayed them. Pure.

A key's way is stamped at every step. What passes between its write to the
sender's socket and the delivery of its echo there is the lane's doing, but for
the editor at the other end; all else, from the server that received it to the
server that forwarded its screen, is the host's.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Why a session is void that no participant has spoilt.
BY_HOST = ("host-behind", "host-lost", "server-restarted")

# From stamp to stamp, in the order of the way.
STAGES = (
    ("backend_received_us", "agent_received_us"),
    ("agent_received_us", "pty_written_us"),
    ("pty_written_us", "key_written_us"),
    ("key_delivered_us", "echo_written_us"),
    ("echo_delivered_us", "screen_us"),
    ("screen_us", "agent_forwarded_us"),
    ("agent_forwarded_us", "backend_forwarded_us"),
)


@dataclass(frozen=True)
class Standstill:
    """The server did nothing for so long: whatever came meanwhile waited unseen."""

    began_us: int
    ended_us: int


def longest_ms(
    keys: Iterable[Mapping[str, Any]],
    ready_us: int,
    standstills: Sequence[Standstill] = (),
) -> float | None:
    """The longest that any key waited for the host, over all stages; none without keys.

    `keys` as rows of the keystroke table; `ready_us` and `standstills` by the server's clock.
    """
    waits_us = [_stages_us(key) + _unseen_us(key, ready_us, standstills) for key in keys]
    return max(waits_us) / 1000 if waits_us else None


def _stages_us(key: Mapping[str, Any]) -> float:
    """A stage whose ends were not both seen tells nothing; clocks may differ by a little."""
    passed_us = (
        key[until] - key[since]
        for since, until in STAGES
        if key.get(since) is not None and key.get(until) is not None
    )
    return float(sum(max(one, 0) for one in passed_us))


def _unseen_us(key: Mapping[str, Any], ready_us: int, standstills: Sequence[Standstill]) -> float:
    """Between the finger and our first stamp lies the participant's network, and our standstill."""
    pressed_us = ready_us + key["pressed_us"]
    received_us = pressed_us + (key["backend_received_us"] or 0)
    return float(
        sum(
            max(min(one.ended_us, received_us) - max(one.began_us, pressed_us), 0)
            for one in standstills
        )
    )
