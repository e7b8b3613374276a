"""What a demo runs under: path, lanes, stream. Always whole: nothing has a default here.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from thinlab.demo.part import LANES_LIMIT, DemoPart, Line, Share
from thinlab.study.condition import Baseline, Mechanism
from thinlab.study.task import Editor

# A segment's payload is at most 1448 bytes: longer messages would be several packets.
PAYLOAD_LIMIT_BYTES = 1400
TEXT_LIMIT_CHARACTERS = 4000

Name = Annotated[Line, Field(min_length=1, max_length=40)]


class LossBursts(DemoPart):
    """Loss in bursts: a good and a bad state with a loss share each (Gilbert-Elliott)."""

    good_to_bad_share: Share
    bad_to_good_share: Share
    loss_share_bad: Share
    loss_share_good: Share


class DemoDirection(DemoPart):
    """What the emulator does to packets in one direction."""

    delay_ms: Annotated[float, Field(ge=0, le=10_000)]
    jitter_ms: Annotated[float, Field(ge=0, le=10_000)]
    loss_share: Share
    gilbert_elliott: LossBursts | None = Field(description="Instead of `loss_share`.")
    rate_kbit_per_s: Annotated[int, Field(ge=0, le=10_000_000, description="0: unlimited.")]
    queue_packets: Annotated[int, Field(ge=0, le=1_000_000, description="0: 1000.")]
    corrupt_share: Share

    @model_validator(mode="after")
    def _one_kind_of_loss(self) -> Self:
        if self.gilbert_elliott is not None and self.loss_share > 0:
            raise ValueError("give either `loss_share` or `gilbert_elliott`, not both")
        return self


class DemoPath(DemoPart):
    """The path that all lanes share."""

    forward: DemoDirection = Field(description="Sender to receiver.")
    backward: DemoDirection = Field(description="Receiver to sender.")


class DemoLane(DemoPart):
    """How one lane's sender behaves."""

    name: Name | None = Field(description="None: named by what it does.")
    baseline: Baseline
    mechanisms: Annotated[list[Mechanism], Field(max_length=len(Mechanism))]

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if len(set(self.mechanisms)) < len(self.mechanisms):
            raise ValueError("name each mechanism once")
        return self


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

    path: DemoPath
    lanes: Lanes
    stream: DemoStream
