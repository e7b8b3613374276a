"""How a lane's sender behaves: TCP with a baseline, and mechanisms with their settings.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import AfterValidator, Field, WithJsonSchema, field_validator
from pydantic_core import PydanticKnownError

from thinlab.contract.generated.names import (
    MECHANISM_SETS,
    Baseline,
    HiddenLossResponse,
    Mechanism,
)
from thinlab.part import Milliseconds, Part

# A sender's words, three of which are the contract's own.
__all__ = [
    "ALL",
    "MODE_NAMES",
    "OFF",
    "PAPERS",
    "RECOMMENDED",
    "SETS",
    "SHIPPED",
    "Baseline",
    "Bundling",
    "HiddenLossResponse",
    "Mechanism",
    "Mode",
    "Transport",
    "in_order",
    "mechanisms_of",
    "mode_of",
]


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


class Transport(Part):
    """A sender."""

    baseline: Baseline = Baseline.NEWRENO2008
    mechanisms: tuple[Mechanism, ...]
    bundling: Bundling = Bundling()

    @field_validator("mechanisms")
    @classmethod
    def _each_once(cls, mechanisms: tuple[Mechanism, ...]) -> tuple[Mechanism, ...]:
        if len(set(mechanisms)) < len(mechanisms):
            raise ValueError("name each mechanism once")
        return in_order(mechanisms)

    @property
    def mode(self) -> str:
        """The set of mechanisms by its name."""
        return mode_of(self.mechanisms)

    @property
    def in_use(self) -> Self:
        """The same sender without settings of what is off."""
        if Mechanism.BUNDLING in self.mechanisms or self.bundling == Bundling():
            return self
        return self.model_copy(update={"bundling": Bundling()})


def in_order(mechanisms: Iterable[Mechanism]) -> tuple[Mechanism, ...]:
    """A set of mechanisms, always written the same way."""
    wanted = set(mechanisms)
    return tuple(one for one in Mechanism if one in wanted)


OFF, ALL, RECOMMENDED = "off", "all", "recommended"
# What is called `all` in files, votes and exports: the papers' modifications, whatever came after.
PAPERS = MECHANISM_SETS["papers"]
# What a kernel should ship, after `experiments/recommended.yaml`. Files keep what the word meant
# when they were loaded, and nothing is named by it that is kept: later it may mean another set.
SHIPPED = MECHANISM_SETS[RECOMMENDED]
SETS = {ALL: PAPERS, RECOMMENDED: SHIPPED}
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
            "description": "A set of mechanisms: `off`, `all`, `recommended`, one of them, or "
            "several joined by `+`. `all` are the papers' three: linear timeouts, early fast "
            "retransmit, bundling. `recommended` is what a kernel should ship (docs/kernel.md).",
        }
    ),
]
