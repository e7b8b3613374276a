"""The numbers of a path, of bundling and of SCTP as people set and read them.

Their names, their units, and how far a slider goes: export columns, codebook and the console's
sliders follow from this.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

from thinlab.condition.path import BitErrors, Direction, GilbertElliott
from thinlab.condition.transport import Bundling, Sctp
from thinlab.contract import registry
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.part import Part


class Quantity(Part):
    """A number that is set."""

    title: str
    meaning: str
    unit: str
    whole: bool = Field(description="Whether it counts something.")
    most: float = Field(description="The highest that is taken.")
    usual: float = Field(description="What a slider reaches to.")
    step: float = Field(description="What a slider moves by.")
    zero: str = Field(description="What stands in place of 0, where that means something else.")


_PATH = registry.fields(pb.Path.DESCRIPTOR)
_UNIFORM = registry.fields(pb.UniformLoss.DESCRIPTOR)
_BURSTS = registry.fields(pb.GilbertElliottLoss.DESCRIPTOR)
_BIT_ERRORS = registry.fields(pb.BitErrors.DESCRIPTOR)
_BUNDLING = registry.fields(pb.Bundling.DESCRIPTOR)
_SCTP = registry.fields(pb.Sctp.DESCRIPTOR)


def _limits(model: type[BaseModel], name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = model.model_json_schema()["properties"][name]
    # What may be left unset is a number or nothing.
    number: Mapping[str, Any] = found.get("anyOf", [found])[0]
    return number


def _of(
    model: type[BaseModel],
    name: str,
    term: registry.Term,
    *,
    usual: float,
    step: float,
    unit: str = "",
    zero: str = "",
) -> tuple[str, Quantity]:
    schema = _limits(model, name)
    return name, Quantity(
        title=term.title,
        meaning=term.meaning,
        unit=unit or term.unit,
        whole=schema["type"] == "integer",
        most=schema["maximum"],
        usual=usual,
        step=step,
        zero=zero,
    )


DIRECTION: Mapping[str, Quantity] = dict(
    (
        _of(Direction, "delay_ms", _PATH["delay_us"], unit="ms", usual=500, step=5),
        _of(Direction, "jitter_ms", _PATH["jitter_us"], unit="ms", usual=100, step=1),
        _of(Direction, "loss_share", _UNIFORM["loss_share"], usual=0.2, step=0.005),
        _of(
            Direction, "rate_kbit_per_s", _PATH["rate_bit_per_s"], unit="kbit/s", usual=2000,
            step=50, zero="any",
        ),
        _of(
            Direction, "queue_packets", _PATH["queue_packets"], usual=1000, step=10, zero="1000"
        ),
        _of(
            Direction, "queue_bytes", _PATH["queue_bytes"], usual=1_000_000, step=1000,
            zero="packets",
        ),
        # A slider has what every host takes, and twice that.
        _of(
            Direction, "mtu_bytes", _PATH["mtu_bytes"], usual=1152, step=576, zero="1500"
        ),
        _of(Direction, "corrupt_share", _PATH["corrupt_share"], usual=0.1, step=0.005),
        _of(Direction, "reorder_share", _PATH["reorder_share"], usual=0.5, step=0.005),
        _of(Direction, "duplicate_share", _PATH["duplicate_share"], usual=0.5, step=0.005),
    )
)  # fmt: skip
"""By the names of a direction's fields that are numbers; loss in bursts is apart."""

BURSTS: Mapping[str, Quantity] = dict(
    _of(GilbertElliott, name, _BURSTS[name], usual=usual, step=step)
    for name, usual, step in (
        ("good_to_bad_share", 0.1, 0.001),
        ("bad_to_good_share", 1, 0.01),
        ("loss_share_bad", 1, 0.01),
        ("loss_share_good", 0.1, 0.001),
    )
)
"""By the names of the fields of loss in bursts."""

BIT_ERRORS: Mapping[str, Quantity] = dict(
    _of(BitErrors, name, _BIT_ERRORS[term], unit=unit, usual=usual, step=step)
    for name, term, unit, usual, step in (
        ("good_ms", "good_us", "ms", 10_000, 100),
        ("bad_ms", "bad_us", "ms", 500, 10),
        ("error_share_good", "error_share_good", "", 0.001, 0.00001),
        ("error_share_bad", "error_share_bad", "", 0.1, 0.001),
        ("tick_ms", "tick_us", "ms", 100, 1),
    )
)
"""By the names of the fields of bit errors that are numbers."""

BUNDLING: Mapping[str, Quantity] = dict(
    (
        _of(
            Bundling, "max_bytes", _BUNDLING["max_bytes"], unit="bytes", usual=1400, step=50,
            zero="the MSS",
        ),
        _of(
            Bundling, "max_packets", _BUNDLING["max_packets"], usual=10, step=1,
            zero="all that fit",
        ),
        _of(
            Bundling, "min_iat_ms", _BUNDLING["min_iat_us"], unit="ms", usual=100, step=1,
            zero="none",
        ),
    )
)  # fmt: skip
"""By the names of the fields of bundling's settings."""

SCTP: Mapping[str, Quantity] = dict(
    (
        _of(
            Sctp, "sack_delay_ms", _SCTP["sack_delay_ms"], unit="ms", usual=500, step=10,
            zero="none",
        ),
    )
)  # fmt: skip
"""By the names of the settings of SCTP that a running association can be given."""
