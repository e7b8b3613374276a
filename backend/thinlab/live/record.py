"""What a typing session leaves behind while it runs; measures are made of it at the end.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass, field

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.terminal import TerminalEnded
from thinlab.live.messages import KeyKind, PageState
from thinlab.live.network import NetworkMeter


@dataclass
class KeyPressed:
    """A key, as the page and the server saw it."""

    number: int
    at_us: int
    """By the page's clock."""
    data: str
    kind: KeyKind
    repeat: bool
    received_us: int
    """By the server's clock."""
    released_at_us: int | None = None


@dataclass
class ScreenShown:
    """What the terminal wrote, and when it could be seen."""

    number: int
    data: bytes
    answers_key: int
    read_ns: int
    """By the agent's clock."""
    came_us: int
    """When it reached the server, by its clock; and when it left again."""
    forwarded_us: int
    received_at_us: int | None = None
    """Both by the page's clock."""
    painted_at_us: int | None = None


@dataclass
class SessionRecord:
    """A session so far."""

    meter: NetworkMeter
    keys: dict[int, KeyPressed] = field(default_factory=dict)
    screens: dict[int, ScreenShown] = field(default_factory=dict)
    page_states: list[tuple[int, PageState]] = field(default_factory=list)
    """By the server's clock, µs."""
    transports: list[str] = field(default_factory=list)
    ready: pb.LiveReady | None = None
    ready_us: int | None = None
    """By the server's clock."""
    ended: TerminalEnded | None = None

    @property
    def keys_pressed(self) -> int:
        """Keys so far."""
        return len(self.keys)
