"""How a demo is, as its consoles see it: always whole.

SPDX-License-Identifier: Apache-2.0
"""

from enum import StrEnum, auto
from typing import Literal

from pydantic import Field

from thinlab.condition.path import Path
from thinlab.condition.transport import Baseline, Bundling, Mechanism, Sctp, UdpLite
from thinlab.contract.generated.feed import HeldUpCounts
from thinlab.demo.part import AtMs, DemoPart, LaneNumber, Letter
from thinlab.demo.stream import DemoStream
from thinlab.demo.wording import SettingsWords


class DemoStage(StrEnum):
    """How far it is. `stopped`: waits for `start`; `problem` says why, where there is one."""

    STOPPED = auto()
    OPENING = auto()
    RUNNING = auto()
    PAUSED = auto()
    ENDED = auto()


class LaneState(DemoPart):
    """One lane."""

    lane: LaneNumber
    letter: Letter
    name: str = Field(description="As given, or by what it does.")
    named: bool = Field(description="Whether the name was given.")
    baseline: Baseline
    mechanisms: list[Mechanism]
    bundling: Bundling
    sctp: Sctp = Field(default=Sctp(), description="Not in feeds of earlier versions.")
    udp_lite: UdpLite = Field(default=UdpLite(), description="Likewise.")
    listeners: int = Field(description="Who hears it now.")


class PollChoice(DemoPart):
    """A lane to be voted for."""

    letter: Letter
    lane: LaneNumber
    name: str = Field(description="What the lane was when the poll was opened.")
    votes: int


class PollState(DemoPart):
    """The poll under way, or the last one between the letters as they stand."""

    number: int = Field(description="From 1.")
    question: str
    open: bool
    choices: list[PollChoice] = Field(description="In the letters' order.")
    no_difference: int = Field(description="Votes for none of them.")
    votes: int = Field(description="All of them.")
    revealed: bool = Field(
        description="Whether it was held blind, and the letters have been told since."
    )


class DemoProblem(DemoPart):
    """Why nothing runs, and what to do."""

    text: str
    remedy: str


class AdviceKind(StrEnum):
    """Where a piece of advice comes from."""

    SETTINGS = auto()
    MEASURED = auto()
    LIMIT = auto()


class Advice(DemoPart):
    """What these settings can show, what was measured, or which limit is near; in words."""

    kind: AdviceKind
    text: str
    reason: str = Field(description="Why; empty where the text says it.")


class HeldUpLately(HeldUpCounts):
    """How far the machine was held up in the take's last minute, which no network did."""


class AudienceCount(DemoPart):
    """Who is there."""

    watching: int
    listening: int


class DemoState(DemoPart):
    """All of it."""

    type: Literal["state"]
    at_ms: AtMs
    demo_id: int
    title: str
    code: str = Field(description="Six letters.")
    join_url: str = Field(description="The audience's page, whole.")
    stage: DemoStage
    take: int = Field(description="From 1; 0: none yet.")
    take_at_ms: AtMs | None = Field(description="When the take's lanes were ready.")
    limit_ms: float = Field(description="At this instant, counted like `at_ms`, the demo ends.")
    preset: str | None = Field(description="The preset that the path is.")
    path: Path = Field(description="As the kernel has it.")
    lanes: list[LaneState] = Field(description="As the kernel has them.")
    stream: DemoStream
    words: SettingsWords
    on_its_way: list[str] = Field(description="Changes that the kernel has yet to take, in words.")
    microphone_live: bool = Field(description="Whether sound comes from the presenter.")
    blind: bool
    poll: PollState | None
    audience: AudienceCount
    problem: DemoProblem | None
    held_up: HeldUpLately | None = Field(description="None: the machine keeps up.")
    advice: list[Advice]
