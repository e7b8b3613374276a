"""What a bot asks of a kind of trial; `thinlab.trials` has the kinds.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from thinlab.bots.habits import Habits
from thinlab.bots.key import AnswerKey, Sound
from thinlab.bots.network import Line
from thinlab.live.transport import TransportKind

LinkKind = TransportKind | Literal["any"]


class PartFailedError(Exception):
    """A bot cannot go on with a kind of trial."""


@dataclass
class Pace:
    """How long people take; a test takes no time."""

    listening_s: Callable[[random.Random, float], float] = lambda chance, duration_s: 0.0  # noqa: ARG005
    """Hearing and judging a trial whose recordings last so long."""
    reading_s: Callable[[random.Random], float] = lambda chance: 0.0  # noqa: ARG005
    """A page of text or questions."""


@dataclass(frozen=True)
class Manner:
    """How bots go about what is done live; a kind that is not has no use for it."""

    human: bool = False
    """With the pauses of people, and not as fast as allowed."""
    link: LinkKind = "webrtc"
    """`any`: drawn for each session."""


@dataclass(frozen=True)
class Own:
    """What a bot brings to each kind of trial."""

    line: Line
    token: str
    key: AnswerKey
    habits: Habits
    chance: random.Random
    pace: Pace = field(default_factory=Pace)


class Part(Protocol):
    """What one bot does in trials of one kind."""

    checked_at: str | None
    """The stage of a participation at which this kind is checked; none: there is no such stage."""

    async def check(self) -> bool:
        """The check at that stage; whether it was good."""

    async def go_on(self, trial: Mapping[str, Any]) -> bool:
        """Does what has to be done before the trial can be judged. False: nothing was left.

        What became of it is for the server to say: ask for the trial again.
        """

    async def perceive(self, handle: Mapping[str, Any]) -> Sound:
        """What is at a place of a trial, as the models of listeners take it."""

    async def consider(self, trial: Mapping[str, Any]) -> None:
        """Takes the time that people take before they answer."""

    def account(self, trial: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any]:
        """What a vote says beside the answer and its time."""

    def forget(self) -> None:
        """All that is on this device: the bot goes on on another."""


Parts = Mapping[str, Callable[[Own], Part]]
"""By medium."""
