"""What the emulator does to a lane's packets, each direction on its own.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Any, Self

from pydantic import AfterValidator, ConfigDict, Field, WithJsonSchema, model_validator

from thinlab.contract.generated.names import QueueDiscipline
from thinlab.part import Milliseconds, Part, Share

# Of a full packet with its Ethernet header, which RED takes every packet for.
FULL_PACKET_BYTES = 1514
# What the kernel's arithmetic takes.
RED_BYTES = range(10_000, 8_000_001)
# What the kernel's arithmetic takes.
LEAST_ERROR_SHARE = 1e-10
# What every IPv4 host takes (RFC 791), and what the links take.
LEAST_MTU_BYTES = 576
MTU_BYTES = 1500
BY_PACKETS = (QueueDiscipline.CODEL, QueueDiscipline.FQ_CODEL)


def _whole_where_it_is(number: float) -> float:
    return int(number) if number == int(number) else number


# Whole numbers stay whole: recordings have keys that are made of how a number is written.
Rate = Annotated[
    int | float,
    Field(ge=0, le=10_000_000, allow_inf_nan=False),
    AfterValidator(_whole_where_it_is),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 10_000_000}),
]
# A mean, at most an hour. A bit that is flipped every second time says nothing any more.
RadioTime = Annotated[float, Field(ge=0, le=3_600_000, allow_inf_nan=False)]
ErrorShare = Annotated[float, Field(ge=0, le=0.5, allow_inf_nan=False)]


class GilbertElliott(Part):
    """Loss in bursts: a good and a bad state with a loss share each."""

    good_to_bad_share: Share = Field(description="Chance of turning bad, each packet.")
    bad_to_good_share: Share = Field(description="Chance of turning good, each packet.")
    loss_share_bad: Share = Field(default=1.0, description="Loss while bad.")
    loss_share_good: Share = Field(default=0.0, description="Loss while good.")


class BitErrors(Part):
    """A radio link that is good or bad for a while and flips bits of what is then on the air.

    The model of S. Alfredsson's TCP Lite thesis, section 5.4: the state is drawn once a tick.
    """

    good_ms: RadioTime = Field(
        default=0.0, description="Mean length of good times. 0: it is never bad.", examples=[2000]
    )
    bad_ms: RadioTime = Field(default=0.0, description="Mean length of bad times.", examples=[30])
    error_share_good: ErrorShare = Field(
        default=0.0, description="Bits flipped while it is good, 0 or 1e-10…0.5."
    )
    error_share_bad: ErrorShare = Field(
        default=0.0, description="Bits flipped while it is bad, 0 or 1e-10…0.5.", examples=[0.01]
    )
    tick_ms: float = Field(
        default=10.0,
        ge=0.1,
        le=1000,
        allow_inf_nan=False,
        description="How long a state lasts at least.",
    )
    at_end: bool = Field(
        default=False,
        description="All of a packet meets the state at its end, however long it is on the air: "
        "the thesis's emulator.",
    )

    @model_validator(mode="after")
    def _has_both_states(self) -> Self:
        if bool(self.good_ms) != bool(self.bad_ms):
            raise ValueError(
                "`good_ms` and `bad_ms` go together: give both, or neither for a link that is "
                "never bad"
            )
        for name in ("good_ms", "bad_ms"):
            if 0 < getattr(self, name) < self.tick_ms:
                raise ValueError(
                    f"`{name}` is shorter than a tick, {self.tick_ms:g} ms: raise it, or lower "
                    "`tick_ms`"
                )
        for name in ("error_share_good", "error_share_bad"):
            if 0 < getattr(self, name) < LEAST_ERROR_SHARE:
                raise ValueError(
                    f"`{name}` is too low for the emulator: give at least {LEAST_ERROR_SHARE:g}, "
                    "or 0"
                )
        if self.error_share_bad and not self.bad_ms:
            raise ValueError(
                "`error_share_bad` has no meaning for a link that is never bad: give `good_ms` "
                "and `bad_ms`, or remove it"
            )
        if not (self.error_share_good or self.error_share_bad):
            raise ValueError(
                "`bit_errors` flips nothing: give `error_share_bad` or `error_share_good`, or "
                "remove it"
            )
        return self

    @property
    def bad_share(self) -> float:
        """The share of time that the link is bad."""
        return self.bad_ms / (self.good_ms + self.bad_ms) if self.bad_ms else 0.0


class Impairments(Part):
    """What the emulator does to packets in one direction, delay aside."""

    loss_share: Share = Field(default=0.0, description="Uniform loss, 0…1.", examples=[0.02])
    gilbert_elliott: GilbertElliott | None = Field(
        default=None, description="Loss in bursts; instead of `loss_share`."
    )
    jitter_ms: float = Field(
        default=0.0, ge=0, le=10_000, allow_inf_nan=False, description="Of the delay, random."
    )
    rate_kbit_per_s: Rate = Field(default=0, description="0: unlimited.")
    queue_packets: int = Field(default=0, ge=0, le=1_000_000, description="0: 1000.")
    corrupt_share: Share = Field(default=0.0, description="Packets damaged by one bit, 0…1.")
    reorder_share: Share = Field(
        default=0.0, description="Packets that overtake those before them, 0…1."
    )
    duplicate_share: Share = Field(default=0.0, description="Packets that arrive twice, 0…1.")
    queue_bytes: int = Field(
        default=0,
        ge=0,
        le=1_000_000_000,
        description="Bytes that wait for the rate, instead of `queue_packets`. 0: packets count.",
    )
    queue_discipline: QueueDiscipline | None = Field(
        default=None,
        description="How packets wait for the rate: `fifo`, `codel`, `fq_codel` or `red`. None: in "
        "one queue with those that are delayed; with `queue_bytes`, `fifo`.",
    )
    ecn: bool = Field(
        default=False,
        description="`codel`, `fq_codel` and `red` mark packets instead of dropping them, and both "
        "hosts ask for it.",
    )
    bit_errors: BitErrors | None = Field(
        default=None, description="Bits flipped by a radio link, after the rate."
    )
    mtu_bytes: int = Field(
        default=0,
        ge=0,
        le=MTU_BYTES,
        description=f"Longest packet with its IP header, {LEAST_MTU_BYTES}…{MTU_BYTES}; of TCP. "
        f"0: {MTU_BYTES}.",
        examples=[LEAST_MTU_BYTES],
    )

    @model_validator(mode="after")
    def _fits_every_host(self) -> Self:
        if 0 < self.mtu_bytes < LEAST_MTU_BYTES:
            raise ValueError(
                f"`mtu_bytes` is less than every IPv4 host takes: give at least {LEAST_MTU_BYTES}, "
                f"or 0 for {MTU_BYTES}"
            )
        return self

    @model_validator(mode="after")
    def _one_kind_of_loss(self) -> Self:
        if self.gilbert_elliott is not None and self.loss_share > 0:
            raise ValueError("give either `loss_share` or `gilbert_elliott`, not both")
        return self

    @model_validator(mode="after")
    def _one_queue(self) -> Self:
        if self.queue_bytes and self.queue_packets:
            raise ValueError("give either `queue_packets` or `queue_bytes`, not both")
        if not self.rate_kbit_per_s:
            for name in ("queue_discipline", "queue_bytes"):
                if getattr(self, name):
                    raise ValueError(
                        f"`{name}` has no meaning without a rate: give `rate_kbit_per_s`, or "
                        "remove it"
                    )
        if self.queue_bytes and self.queue_discipline in BY_PACKETS:
            raise ValueError("CoDel counts packets: give `queue_packets` instead of `queue_bytes`")
        if self.ecn and self.queue_discipline in (None, QueueDiscipline.FIFO):
            raise ValueError(
                "`ecn` needs a queue that marks: give `queue_discipline: codel`, `fq_codel` or "
                "`red`, or remove it"
            )
        if self.queue_discipline is QueueDiscipline.RED:
            self._fits_red()
        return self

    def _fits_red(self) -> None:
        asked = self.queue_bytes or self.queue_packets * FULL_PACKET_BYTES
        if asked and asked not in RED_BYTES:
            least, most = RED_BYTES.start, RED_BYTES.stop - 1
            raise ValueError(
                f"RED needs a queue of {least} to {most} bytes, or of "
                f"{-(-least // FULL_PACKET_BYTES)} to {most // FULL_PACKET_BYTES} packets: change "
                f"`{'queue_bytes' if self.queue_bytes else 'queue_packets'}`"
            )

    @property
    def loses(self) -> bool:
        """Whether packets can get lost."""
        return bool(
            self.loss_share
            or self.corrupt_share
            or self.gilbert_elliott
            or self.rate_kbit_per_s
            or self.bit_errors
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
            or self.bit_errors
            or self.queue_discipline is QueueDiscipline.RED
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
