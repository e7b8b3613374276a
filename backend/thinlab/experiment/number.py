"""What a stream's sizes, gaps, bursts and pauses are drawn from, as files write it.

    140                                        always the same
    { uniform: [20, 200] }                     each value as likely as any other
    { exponential: 160 }                       its mean
    { pareto: { lowest: 1000, shape: 1.12 } }  heavy-tailed, bounded by `highest`
    { empirical: [[3, 40], [1, 50, 90]] }      weight and value, or weight and range

SPDX-License-Identifier: Apache-2.0
"""

import math
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.part import Part

Value = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]

WEIGHT_AND_VALUE, WEIGHT_AND_RANGE = 2, 3


class Pareto(Part):
    """Density falls as x^-(shape + 1)."""

    lowest: Positive
    shape: Positive
    highest: Positive | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.highest is not None and self.highest < self.lowest:
            raise ValueError("`highest` is below `lowest`")
        return self

    @property
    def mean(self) -> float:
        """Infinite where it has no bound and a shape of at most 1."""
        low, shape, high = self.lowest, self.shape, self.highest
        if high is None:
            return shape * low / (shape - 1) if shape > 1 else math.inf
        if high == low:
            return low
        if shape == 1:
            return math.log(high / low) / (1 / low - 1 / high)
        whole = 1 - (low / high) ** shape
        mass = shape * low**shape / (shape - 1) * (low ** (1 - shape) - high ** (1 - shape))
        return float(mass / whole)


class Distribution(Part):
    """One of its fields."""

    constant: Value | None = None
    uniform: tuple[Value, Value] | None = None
    exponential: Positive | None = Field(default=None, description="The mean.")
    pareto: Pareto | None = None
    empirical: tuple[tuple[Value, ...], ...] | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _one_that_can_be_drawn_from(self) -> Self:
        kinds = list(type(self).model_fields)
        if len([kind for kind in kinds if getattr(self, kind) is not None]) != 1:
            raise ValueError(f"give a number or one of {', '.join(kinds[1:])}")
        ranges = [self.uniform] if self.uniform else []
        for row in self.empirical or ():
            if not WEIGHT_AND_VALUE <= len(row) <= WEIGHT_AND_RANGE:
                raise ValueError(
                    "a row of `empirical` is a weight and a value, or a weight, a lowest and a "
                    "highest value"
                )
            ranges.append((row[1], row[-1]))
        if any(low > high for low, high in ranges):
            raise ValueError("a range begins above its end; give the lowest value first")
        if self.empirical and not 0 < sum(row[0] for row in self.empirical) < math.inf:
            raise ValueError("the rows of `empirical` have no weight together; give one a weight")
        return self

    @property
    def mean(self) -> float:
        """What draws are on average."""
        if self.constant is not None:
            return self.constant
        if self.uniform is not None:
            return sum(self.uniform) / 2
        if self.exponential is not None:
            return self.exponential
        if self.pareto is not None:
            return self.pareto.mean
        rows = self.empirical or ()
        return sum(row[0] * (row[1] + row[-1]) / 2 for row in rows) / sum(row[0] for row in rows)

    def message(self, scale: float = 1) -> pb.Distribution:
        """As the agent takes it, each value `scale` times as large."""
        if self.constant is not None:
            return pb.Distribution(constant=self.constant * scale)
        if self.uniform is not None:
            lowest, highest = (value * scale for value in self.uniform)
            return pb.Distribution(uniform=pb.UniformDistribution(lowest=lowest, highest=highest))
        if self.exponential is not None:
            return pb.Distribution(exponential=self.exponential * scale)
        if self.pareto is not None:
            return pb.Distribution(
                pareto=pb.ParetoDistribution(
                    lowest=self.pareto.lowest * scale,
                    shape=self.pareto.shape,
                    highest=(self.pareto.highest or 0) * scale,
                )
            )
        rows = [
            pb.EmpiricalRow(
                weight=row[0],
                lowest=row[1] * scale,
                highest=row[2] * scale if len(row) == WEIGHT_AND_RANGE else None,
            )
            for row in self.empirical or ()
        ]
        return pb.Distribution(empirical=pb.EmpiricalDistribution(rows=rows))


def _written(value: object) -> object:
    return {"constant": value} if isinstance(value, int | float) else value


# Of a stream: a number, or what numbers are drawn from.
Number = Annotated[Distribution, BeforeValidator(_written)]
