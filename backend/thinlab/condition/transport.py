"""How a lane's sender behaves: its protocol with a baseline, and mechanisms with their settings.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import AfterValidator, Field, WithJsonSchema, field_validator, model_validator
from pydantic_core import PydanticKnownError

from thinlab.contract.generated.names import (
    BASELINE_SETS,
    MECHANISM_SETS,
    PROTOCOL_OF_BASELINE,
    PROTOCOLS_OF_MECHANISM,
    Baseline,
    HiddenLossResponse,
    Mechanism,
    Protocol,
)
from thinlab.part import Milliseconds, Part

# A sender's words, three of which are the contract's own.
__all__ = [
    "ALL",
    "ALL_OF_SCTP",
    "MODE_NAMES",
    "OFF",
    "PAPERS",
    "RECOMMENDED",
    "SETS",
    "SHIPPED",
    "TAKES_DAMAGE",
    "Baseline",
    "Bundling",
    "HiddenLossResponse",
    "Mechanism",
    "Mode",
    "Protocol",
    "Sctp",
    "Tcp",
    "Transport",
    "UdpLite",
    "in_order",
    "mechanisms_of",
    "mode_of",
    "serves_people",
    "serves_terminals",
    "tells_itself",
    "unfit",
]


# What the kernel's least buffer can hold.
LEAST_WINDOW_BYTES = 4_096


class Bundling(Part):
    """Settings of bundling; of no account without it."""

    max_bytes: int = Field(
        default=0, ge=0, le=65_535, description="Payload of a bundle. 0: a whole segment."
    )
    max_packets: int = Field(
        default=0, ge=0, le=1_000, description="Earlier segments in one packet. 0: all that fit."
    )
    hidden_loss_response: HiddenLossResponse = Field(
        default=HiddenLossResponse.BASELINE,
        description="To a loss that a bundle has repaired: as the baseline has it (nothing on "
        "`newreno2008`, as in the papers), nothing, or what any other loss does to the window.",
    )
    min_iat_ms: Milliseconds | None = Field(
        default=None,
        description="Streams with less time between segments are not bundled. None: 5; 0: all are.",
    )


class Tcp(Part):
    """Settings of TCP's connections; of no account with anything else."""

    window_bytes: int = Field(
        default=0,
        ge=0,
        le=100_000_000,
        description="The largest window that either end advertises, 4096 or more. 0: the kernel's, "
        "which grows to 6 MB.",
        examples=[32_768],
    )
    initial_window_packets: int = Field(
        default=0,
        ge=0,
        le=65_535,
        description="Full packets that may leave before the first of them is acknowledged. 0: the "
        "kernel's 10.",
        examples=[1],
    )

    @field_validator("window_bytes")
    @classmethod
    def _holds_packets(cls, window_bytes: int) -> int:
        if 0 < window_bytes < LEAST_WINDOW_BYTES:
            raise ValueError(
                f"is less than the kernel's least buffer: give at least {LEAST_WINDOW_BYTES}, or 0 "
                "for the kernel's window"
            )
        return window_bytes


# The kernel's, RFC 9260, 6.2.
DEFAULT_SACK_DELAY_MS = 200


class Sctp(Part):
    """Settings of SCTP's associations; of no account with TCP."""

    streams: int = Field(
        default=1, ge=1, le=65_535, description="Streams that messages take in turn."
    )
    unordered: bool = Field(
        default=False,
        description="Each message is read as soon as it is whole, whatever is missing before it.",
    )
    sack_delay_ms: int | None = Field(
        default=None,
        ge=0,
        le=500,
        description="How long the receiver may wait with a SACK for a second packet. None: the "
        "kernel's 200; 0: each packet is acknowledged at once.",
    )

    @property
    def keeps_order(self) -> bool:
        """Whether all messages are read in the order in which they were sent."""
        return self.streams == 1 and not self.unordered


class UdpLite(Part):
    """Settings of UDP-Lite's datagrams; of no account with anything else."""

    covered_bytes: int = Field(
        default=0,
        ge=0,
        le=1_468,
        description="Of each message, how many bytes from its beginning the checksum covers beside "
        "the headers: damage there loses the message, and behind it is handed over.",
    )


class Transport(Part):
    """A sender."""

    baseline: Baseline = Baseline.NEWRENO2008
    mechanisms: tuple[Mechanism, ...]
    bundling: Bundling = Bundling()
    tcp: Tcp = Tcp()
    sctp: Sctp = Sctp()
    udp_lite: UdpLite = UdpLite()

    @field_validator("mechanisms")
    @classmethod
    def _each_once(cls, mechanisms: tuple[Mechanism, ...]) -> tuple[Mechanism, ...]:
        if len(set(mechanisms)) < len(mechanisms):
            raise ValueError("name each mechanism once")
        return in_order(mechanisms)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if reason := unfit(self.baseline, self.mechanisms):
            raise ValueError(reason)
        return self

    @property
    def protocol(self) -> Protocol:
        """What carries the messages."""
        return PROTOCOL_OF_BASELINE[self.baseline]

    @property
    def mode(self) -> str:
        """The set of mechanisms by its name."""
        return mode_of(self.mechanisms)

    @property
    def in_use(self) -> Self:
        """The same sender without settings of what is off."""
        update: dict[str, Part] = {}
        # Bundling's settings are those of TCP's.
        is_tcp = self.protocol is Protocol.TCP
        if not (is_tcp and Mechanism.BUNDLING in self.mechanisms):
            update["bundling"] = Bundling()
        if not is_tcp:
            update["tcp"] = Tcp()
        if self.protocol is not Protocol.SCTP:
            update["sctp"] = Sctp()
        if self.protocol is not Protocol.UDP_LITE:
            update["udp_lite"] = UdpLite()
        return self.model_copy(update=update)


def unfit(baseline: Baseline, mechanisms: Iterable[Mechanism]) -> str:
    """Why a baseline's protocol cannot have these mechanisms; empty: it can."""
    protocol = PROTOCOL_OF_BASELINE[baseline]
    mechanisms = in_order(mechanisms)
    for one in mechanisms:
        if baseline in OUTSIDE_KERNEL:
            return (
                f"`{one.value}` is a mechanism of the kernel's, and `baseline: {baseline.value}` "
                "is a program in its place: leave it out, or choose another baseline"
            )
        if protocol not in PROTOCOLS_OF_MECHANISM[one]:
            others = " and ".join(_called(each) for each in PROTOCOLS_OF_MECHANISM[one])
            return (
                f"`{one.value}` is a mechanism of {others}, and `baseline: {baseline.value}` is "
                f"{_called(protocol)}: leave it out, or choose another baseline"
            )
    if Mechanism.HEADER_CHECKSUM in mechanisms and Mechanism.TCP_LITE not in mechanisms:
        return "`header_checksum` is of use with `tcp_lite` alone: add that, or leave it out"
    return ""


def _called(protocol: Protocol) -> str:
    return "UDP-Lite" if protocol is Protocol.UDP_LITE else protocol.upper()


def serves_terminals(baseline: Baseline, mechanisms: Iterable[Mechanism] = ()) -> str:
    """Why no terminal can go over a sender like this; empty: one can.

    What a terminal sends has to come whole, in order and undamaged.
    """
    for one in mechanisms:
        if one in TAKES_DAMAGE:
            return (
                f"`{one.value}` hands damaged bytes over, and a terminal takes none: leave it out"
            )
    if reason := serves_people(baseline):
        return reason
    protocol = PROTOCOL_OF_BASELINE[baseline]
    if protocol in (Protocol.TCP, Protocol.SCTP):
        return ""
    return (
        f"`baseline: {baseline.value}` is {_called(protocol)}, which may lose what a terminal "
        "needs: choose another baseline"
    )


def serves_people(baseline: Baseline) -> str:
    """Why nothing that people are in can go over a baseline; empty: it can."""
    if baseline not in OUTSIDE_KERNEL:
        return ""
    return f"`baseline: {baseline.value}` is for sessions alone: choose another baseline"


def tells_itself(
    baseline: Baseline,
    mechanisms: Iterable[Mechanism],
    tcp: Tcp | None = None,
    sctp: Sctp | None = None,
) -> str:
    """Why nobody can type over a sender without being told that it is this one; empty: they can."""
    if reason := serves_terminals(baseline, mechanisms):
        return reason
    if PROTOCOL_OF_BASELINE[baseline] is Protocol.TCP:
        if tcp is None or tcp == Tcp():
            return ""
        return (
            "`tcp` has settings by which a terminal may take a round trip longer to get ready: "
            "whoever types could tell"
        )
    if sctp is not None and not sctp.keeps_order:
        return "what a terminal sends has an order: leave `streams` and `unordered` out of `sctp`"
    return ""


def in_order(mechanisms: Iterable[Mechanism]) -> tuple[Mechanism, ...]:
    """A set of mechanisms, always written the same way."""
    wanted = set(mechanisms)
    return tuple(one for one in Mechanism if one in wanted)


OFF, ALL, RECOMMENDED, ALL_OF_SCTP = "off", "all", "recommended", "all_of_sctp"
# What is called `all` in files, votes and exports: the papers' modifications, whatever came after.
PAPERS = MECHANISM_SETS["papers"]
# What a kernel should ship, after `experiments/recommended.yaml`. Files keep what the word meant
# when they were loaded, and nothing is named by it that is kept: later it may mean another set.
SHIPPED = MECHANISM_SETS[RECOMMENDED]
# Whose protocol is spoken by a program, in the kernel's place.
OUTSIDE_KERNEL = BASELINE_SETS["outside_kernel"]
# By which a receiver hands over what came damaged.
TAKES_DAMAGE = MECHANISM_SETS["takes_damage"]
SETS = {
    ALL: PAPERS,
    RECOMMENDED: SHIPPED,
    # Whatever the contract has for it; kept by files as what is recommended is.
    ALL_OF_SCTP: tuple(one for one, of in PROTOCOLS_OF_MECHANISM.items() if Protocol.SCTP in of),
}
MODE_NAMES = (OFF, *SETS, *(one.value for one in Mechanism))


def mechanisms_of(mode: str) -> tuple[Mechanism, ...]:
    """What a mode means. Raises `ValueError`."""
    if mode == OFF:
        return ()
    if mode in SETS:
        return SETS[mode]
    return in_order(Mechanism(name) for name in mode.split("+"))


def mode_of(mechanisms: Iterable[Mechanism]) -> str:
    """The name of a set of mechanisms; a set keeps its name when mechanisms are added."""
    found = in_order(mechanisms)
    if not found:
        return OFF
    return ALL if found == PAPERS else "+".join(found)


def _known(mode: str) -> str:
    try:
        mechanisms_of(mode)
    except ValueError as error:
        *most, last = (f"'{name}'" for name in MODE_NAMES)
        expected = f"{', '.join(most)} or {last}, or several mechanisms joined by `+`"
        raise PydanticKnownError("literal_error", {"expected": expected}) from error
    return mode


_ONE = "|".join(Mechanism)
Mode = Annotated[
    str,
    AfterValidator(_known),
    WithJsonSchema(
        {
            "type": "string",
            "anyOf": [
                {"enum": list(MODE_NAMES)},
                {"pattern": rf"^(?:{_ONE})(?:\+(?:{_ONE}))+$"},
            ],
            "description": "A set of mechanisms: `off`, `all`, `recommended`, `all_of_sctp`, one "
            "of them, or several joined by `+`. `all` are the papers' three: linear timeouts, "
            "early fast retransmit, bundling. `recommended` is what a kernel should ship "
            "(docs/kernel.md), for TCP; `all_of_sctp` is every one that SCTP has.",
        }
    ),
]
