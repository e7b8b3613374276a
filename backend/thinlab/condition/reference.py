"""Reference conditions: made of a clip directly, with nothing sent.

Listening tests place what they are about among sounds whose quality is known: the clip itself, the
modulated noise of ITU-T P.810 at a stated Q, and the two band-limited anchors of ITU-R BS.1534-3.
So scores of different tests, and of different rooms, can be related.

SPDX-License-Identifier: Apache-2.0
"""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, TypeAdapter, model_validator

from thinlab.condition.condition import Condition
from thinlab.part import Part

WAY_OF_MAKING = 1
"""Raised whenever the same reference would come out as other bytes; part of a recording's key."""


class ReferenceKind(StrEnum):
    """What is done to a clip."""

    UNPROCESSED = "unprocessed"
    MNRU = "mnru"
    LOW_ANCHOR = "low_pass_3500"
    MID_ANCHOR = "low_pass_7000"


Decibels = Annotated[float, Field(ge=0, le=60, allow_inf_nan=False)]


class Reference(Part):
    """A condition that is made of the clip alone: no sender, no path, no codec."""

    reference: ReferenceKind = Field(
        description="`unprocessed`: the clip as it is. `mnru`: with modulated noise (ITU-T P.810, "
        "wideband). `low_pass_3500`, `low_pass_7000`: the anchors of ITU-R BS.1534-3."
    )
    q_db: Decibels | None = Field(
        default=None,
        description="With `mnru`, the ratio of speech to modulated noise, Q. The lower, the worse.",
        examples=[20],
    )

    @model_validator(mode="after")
    def _only_noise_has_a_ratio(self) -> Self:
        if (self.reference is ReferenceKind.MNRU) != (self.q_db is not None):
            raise ValueError("`q_db` belongs to `reference: mnru`, which needs it")
        return self

    @property
    def resolved(self) -> Self:
        """Itself: it is written as it is meant."""
        return self


RecordedCondition = Condition | Reference
"""What a recording is made under: sent over a lane, or made of the clip directly."""

_STORED: TypeAdapter[RecordedCondition] = TypeAdapter(RecordedCondition)


def recorded(stored: object) -> RecordedCondition:
    """What was stored as JSON values. Raises pydantic's `ValidationError`."""
    return _STORED.validate_python(stored)
