"""What a demo can be made of: presets, clips, mechanisms, limits.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import Field

from thinlab.clips.manifest import ClipKind
from thinlab.condition.profile import Profile
from thinlab.condition.transport import Mechanism, Protocol
from thinlab.demo.part import DemoPart
from thinlab.demo.setting import DemoSettings
from thinlab.demo.state import DemoProblem
from thinlab.demo.wording import SettingsWords


class Preset(Profile):
    """A named path."""


class SetUpOption(DemoPart):
    """A demo by its name: path, lanes and stream."""

    name: str
    title: str
    description: str = Field(description="What is shown, and what to listen for.")
    settings: DemoSettings
    words: SettingsWords


class ClipOption(DemoPart):
    """A clip that can be played."""

    name: str
    title: str
    kind: ClipKind
    length_ms: int
    attribution: str


class Availability(DemoPart):
    """Whether the kernel has something."""

    name: str
    title: str
    available: bool
    reason: str = Field(description="Why not; empty where it is available.")


class BaselineOption(Availability):
    """A baseline."""

    protocol: Protocol = Field(description="What carries the messages.")


class MechanismOption(Availability):
    """A mechanism."""

    protocols: list[Protocol] = Field(description="Those whose senders have it.")


class ModeOption(DemoPart):
    """A set of mechanisms that can be chosen at once."""

    name: str
    title: str
    mechanisms: list[Mechanism]


class DemoLimits(DemoPart):
    """What is bounded."""

    lanes: int
    running: int = Field(description="Demos at a time.")
    length_ms: float
    size_bytes: int = Field(description="Of one demo's files.")
    listeners: int = Field(description="Of one demo.")


class DemoOptions(DemoPart):
    """All of it."""

    presets: list[Preset]
    clips: list[ClipOption]
    mechanisms: list[MechanismOption]
    modes: list[ModeOption]
    baselines: list[BaselineOption]
    editors: list[Availability]
    limits: DemoLimits
    set_ups: list[SetUpOption] = Field(
        description="The first: what a demo starts with where nothing is chosen."
    )
    problem: DemoProblem | None = Field(description="Why no demo can run now.")
