"""What a demo runs under: path, lanes, stream. Always whole: nothing has a default here.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal

from pydantic import Field

from thinlab.condition.condition import Condition
from thinlab.condition.path import Path
from thinlab.condition.transport import Baseline, Transport
from thinlab.contract.generated.names import Editor
from thinlab.demo.part import LANES_LIMIT, DemoPart, Line

# A segment's payload is at most 1448 bytes: longer messages would be several packets.
PAYLOAD_LIMIT_BYTES = 1400
TEXT_LIMIT_CHARACTERS = 4000

Name = Annotated[Line, Field(min_length=1, max_length=40)]


class DemoLane(Transport):
    """How one lane's sender behaves."""

    name: Name | None = Field(description="None: named by what it does.")
    baseline: Baseline


Lanes = Annotated[list[DemoLane], Field(min_length=1, max_length=LANES_LIMIT)]


class ClipStream(DemoPart):
    """A clip, over and over."""

    kind: Literal["clip"]
    clip: Annotated[Line, Field(max_length=64)]


class MicrophoneStream(DemoPart):
    """What the presenter says."""

    kind: Literal["microphone"]


class TerminalStream(DemoPart):
    """An editor at the end of each lane, all typed in by one keyboard."""

    kind: Literal["terminal"]
    editor: Editor
    text: Annotated[
        str, Field(max_length=TEXT_LIMIT_CHARACTERS, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")
    ]


class SyntheticStream(DemoPart):
    """Messages of one size, evenly spaced."""

    kind: Literal["synthetic"]
    payload_bytes: Annotated[int, Field(ge=1, le=PAYLOAD_LIMIT_BYTES)]
    iat_ms: Annotated[float, Field(ge=10, le=10_000, description="Between messages.")]


DemoStream = Annotated[
    ClipStream | MicrophoneStream | TerminalStream | SyntheticStream, Field(discriminator="kind")
]


class DemoSettings(DemoPart):
    """All of it."""

    path: Path
    lanes: Lanes
    stream: DemoStream

    def conditions(self) -> list[Condition]:
        """Of each lane."""
        return [Condition(transport=lane, path=self.path) for lane in self.lanes]
