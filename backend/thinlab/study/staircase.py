"""How an adaptive block chooses its trials: the keys of `adaptive` in a study's file.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from thinlab.condition.seeds import Seed
from thinlab.part import Part, Share

QuantityName = Literal["loss_share", "one_way_delay_ms"]
Positive = Annotated[float, Field(gt=0, le=60_000, allow_inf_nan=False)]
Slope = Annotated[float, Field(ge=0.2, le=20, allow_inf_nan=False)]
FEWEST, MOST = 4, 100


class Staircase(Part):
    """One staircase for each clip of the block, by QUEST+ (Watson 2017)."""

    quantity: QuantityName = Field(
        description="Of the path from sender to receiver, by whose values the second-named "
        "conditions of the block's pairs are its levels: `loss_share` or `one_way_delay_ms`."
    )
    trials: Annotated[int, Field(ge=FEWEST, le=MOST)] = Field(
        description="How many trials each participant does on each clip."
    )
    seed: Seed = Field(description="Of the orders of clips, runs and sides, drawn for each person.")
    threshold_between: tuple[Positive, Positive] | None = Field(
        default=None,
        description="The lowest and the highest threshold that are thought possible, in the "
        "quantity's unit; each in between is equally likely, on a logarithmic scale. Left out: "
        "from half the lowest level to twice the highest.",
        examples=[[0.002, 0.4]],
    )
    slopes: Annotated[tuple[Slope, ...], Field(min_length=1, max_length=12)] = Field(
        default=(1.0, 1.4, 2.0, 2.8, 4.0),
        description="Equally likely slopes of Weibull's function over the decimal logarithm.",
    )
    lapse_shares: Annotated[
        tuple[Annotated[Share, Field(le=0.3)], ...], Field(min_length=1, max_length=12)
    ] = Field(
        default=(0.0, 0.02, 0.04),
        description="Equally likely shares of wrong answers of who hears the difference.",
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.threshold_between is not None:
            lowest, highest = self.threshold_between
            if lowest >= highest:
                raise ValueError("`threshold_between` names the lowest threshold, then the highest")
        for name in ("slopes", "lapse_shares"):
            values = getattr(self, name)
            if list(values) != sorted(set(values)):
                raise ValueError(f"`{name}` have to ascend, each once")
        return self
