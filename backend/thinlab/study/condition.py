"""How a clip is sent: mode, baseline and path; shared by studies and experiments.

SPDX-License-Identifier: Apache-2.0
"""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Name = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$",
        max_length=64,
        description="Lower-case letters, digits, `-` and `_`.",
        examples=["speech"],
    ),
]
Text = Annotated[str, Field(min_length=1, max_length=4000)]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class Part(BaseModel):
    """A piece of a study file: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Mechanism(StrEnum):
    """One change to the kernel's TCP, switched per lane."""

    LINEAR_TIMEOUTS = "linear_timeouts"
    EARLY_FAST_RETRANSMIT = "early_fast_retransmit"
    BUNDLING = "bundling"


class Mode(StrEnum):
    """A named set of mechanisms."""

    OFF = "off"
    ALL = "all"
    LINEAR_TIMEOUTS = "linear_timeouts"
    EARLY_FAST_RETRANSMIT = "early_fast_retransmit"
    BUNDLING = "bundling"

    @property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """The mechanisms that this mode switches on."""
        if self is Mode.OFF:
            return ()
        return tuple(Mechanism) if self is Mode.ALL else (Mechanism(self.value),)


class Baseline(StrEnum):
    """The rest of the sender's TCP configuration."""

    NEWRENO2008 = "newreno2008"
    MODERN = "modern"
    BBR = "bbr"


class GilbertElliott(Part):
    """Loss in bursts: a good and a bad state with a loss share each."""

    good_to_bad_share: Share = Field(description="Chance of turning bad, each packet.")
    bad_to_good_share: Share = Field(description="Chance of turning good, each packet.")
    loss_share_bad: Share = Field(default=1.0, description="Loss while bad.")
    loss_share_good: Share = Field(default=0.0, description="Loss while good.")


class Direction(Part):
    """What the emulator does to packets in one direction, delay aside."""

    loss_share: Share = Field(default=0.0, description="Uniform loss, 0…1.", examples=[0.02])
    gilbert_elliott: GilbertElliott | None = Field(
        default=None, description="Loss in bursts; instead of `loss_share`."
    )
    jitter_ms: float = Field(
        default=0.0, ge=0, le=10_000, allow_inf_nan=False, description="Of the delay, random."
    )
    rate_kbit_per_s: int = Field(default=0, ge=0, description="0: unlimited.")
    queue_packets: int = Field(default=0, ge=0, le=1_000_000, description="0: 1000.")
    corrupt_share: Share = Field(default=0.0, description="Packets damaged by one bit, 0…1.")

    @model_validator(mode="after")
    def _one_kind_of_loss(self) -> Self:
        if self.gilbert_elliott is not None and self.loss_share > 0:
            raise ValueError("give either `loss_share` or `gilbert_elliott`, not both")
        return self


class Path(Part):
    """Round-trip time, split evenly, and what happens in each direction."""

    rtt_ms: float = Field(
        ge=0, le=60_000, allow_inf_nan=False, description="Round-trip time.", examples=[130]
    )
    forward: Direction = Field(default=Direction(), description="Sender to receiver.")
    backward: Direction = Field(default=Direction(), description="Receiver to sender.")


class Condition(Part):
    """How a clip is sent: mode, baseline and path."""

    mode: Mode
    baseline: Baseline = Baseline.NEWRENO2008
    path: Path
