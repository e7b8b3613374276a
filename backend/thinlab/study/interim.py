"""Looks at the votes before the end, planned so that they do not make false findings more frequent.

SPDX-License-Identifier: Apache-2.0
"""

from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from thinlab.part import Part

Fraction = Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)]


class Interim(Part):
    """When is looked, and how much of the level each look may use."""

    looks: Annotated[tuple[Fraction, ...], Field(min_length=1, max_length=9)] = Field(
        description="Shares of `stop.completed` after which the hypotheses are tested, in rising "
        "order; the test at the end comes on top. Until the first, nobody sees a comparison.",
        examples=[[0.5], [0.33, 0.67]],
    )
    spending: Literal["obrien_fleming"] = Field(
        default="obrien_fleming",
        description="How the level is spent over the looks: `obrien_fleming`, very little of it "
        "early, by the function of Lan and DeMets.",
    )

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if any(after <= before for before, after in pairwise(self.looks)):
            raise ValueError("each look comes after the one before: put `looks` in rising order")
        return self
