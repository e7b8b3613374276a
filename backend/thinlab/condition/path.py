"""What the emulator does to a lane's packets, each direction on its own.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any, Self

from pydantic import ConfigDict, Field, model_validator

from thinlab.part import Milliseconds, Part, Share


class GilbertElliott(Part):
    """Loss in bursts: a good and a bad state with a loss share each."""

    good_to_bad_share: Share = Field(description="Chance of turning bad, each packet.")
    bad_to_good_share: Share = Field(description="Chance of turning good, each packet.")
    loss_share_bad: Share = Field(default=1.0, description="Loss while bad.")
    loss_share_good: Share = Field(default=0.0, description="Loss while good.")


class Impairments(Part):
    """What the emulator does to packets in one direction, delay aside."""

    loss_share: Share = Field(default=0.0, description="Uniform loss, 0…1.", examples=[0.02])
    gilbert_elliott: GilbertElliott | None = Field(
        default=None, description="Loss in bursts; instead of `loss_share`."
    )
    jitter_ms: float = Field(
        default=0.0, ge=0, le=10_000, allow_inf_nan=False, description="Of the delay, random."
    )
    rate_kbit_per_s: int = Field(default=0, ge=0, le=10_000_000, description="0: unlimited.")
    queue_packets: int = Field(default=0, ge=0, le=1_000_000, description="0: 1000.")
    corrupt_share: Share = Field(default=0.0, description="Packets damaged by one bit, 0…1.")
    reorder_share: Share = Field(
        default=0.0, description="Packets that overtake those before them, 0…1."
    )
    duplicate_share: Share = Field(default=0.0, description="Packets that arrive twice, 0…1.")

    @model_validator(mode="after")
    def _one_kind_of_loss(self) -> Self:
        if self.gilbert_elliott is not None and self.loss_share > 0:
            raise ValueError("give either `loss_share` or `gilbert_elliott`, not both")
        return self

    @property
    def loses(self) -> bool:
        """Whether packets can get lost."""
        return bool(
            self.loss_share or self.corrupt_share or self.gilbert_elliott or self.rate_kbit_per_s
        )

    @property
    def draws(self) -> bool:
        """Whether chance has a say."""
        return bool(
            self.loss_share
            or self.gilbert_elliott
            or self.jitter_ms
            or self.corrupt_share
            or self.reorder_share
            or self.duplicate_share
        )


def _whole(schema: dict[str, Any]) -> None:
    schema["required"] = list(schema["properties"])


class Direction(Impairments):
    """One direction of a path. Whoever tells it tells all of it, as the schema has it."""

    model_config = ConfigDict(json_schema_extra=_whole)

    delay_ms: Milliseconds


class Path(Part):
    """Both directions."""

    forward: Direction = Field(description="Sender to receiver.")
    backward: Direction = Field(description="Receiver to sender.")

    @property
    def rtt_ms(self) -> float:
        """The round trip of a packet that nothing holds up."""
        return self.forward.delay_ms + self.backward.delay_ms

    @classmethod
    def both_ways(cls, direction: Direction) -> Self:
        """The same there and back."""
        return cls(forward=direction, backward=direction)
