"""Figures that an experiment's file asks for: of each run, or of all runs of a cell together.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, Protocol, Self

from pydantic import AfterValidator, Field

from thinlab.experiment.curves import CURVES
from thinlab.experiment.metrics import METRICS
from thinlab.experiment.where import Where
from thinlab.part import Name, Part, Text


class Placed(Protocol):
    """Of a cell, what says where it stands along the bottom."""

    @property
    def group(self) -> str:
        """Whose results, where there are flows."""

    @property
    def surroundings(self) -> object:
        """All but its mode."""

    def parts(self) -> Sequence[Self]:
        """Itself, or one for each group of its flows."""


class _Figure(Part):
    name: Name = Field(description="What its files are called, behind the experiment's name.")
    title: Text
    group: tuple[Name, ...] = Field(
        default=(), description="Of flows: whose results, in the order of the bottom. None: all."
    )
    where: Where = Field(default=Where(), description="The cells that it shows.")

    @property
    def metrics(self) -> dict[str, str]:
        """The metrics that it shows, by the key that names each."""
        return {}


class _OfRuns(_Figure):
    metric: str = Field(description="Up the side.")


class Boxes(_OfRuns):
    """Of each path a box for each mode: quartiles, median, mean, and the lines to the extremes."""

    figure: Literal["boxes"]
    labels: tuple[Text, ...] = Field(
        default=(), description="What the paths are called along the bottom. None: 1, 2, …"
    )

    @property
    def metrics(self) -> dict[str, str]:
        """See the base."""
        return {"metric": self.metric}

    def places(self, cells: Iterable[Placed]) -> dict[tuple[object, ...], str]:
        """What stands along the bottom, run or not, and what it is called."""
        parts = [part for cell in cells for part in cell.parts()]
        order = {group: at for at, group in enumerate(self.group)}
        mine = [part for part in parts if not order or part.group in order]
        # Those of a group stay as they are in the grid.
        mine.sort(key=lambda part: order.get(part.group, 0))
        places = list(dict.fromkeys(self.place(part) for part in mine))
        labels = self.labels or [f"{at + 1}" for at in range(len(places))]
        if len(labels) != len(places):
            raise ValueError(
                f"`labels` of the figure `{self.name}` are {len(labels)}, and there are "
                f"{len(places)} paths along its bottom: name each, or leave `labels` out"
            )
        return dict(zip(places, labels, strict=True))

    @staticmethod
    def place(cell: Placed) -> tuple[object, ...]:
        """Where a cell stands: beside the other modes in its surroundings."""
        return (cell.group, cell.surroundings)


class Scatter(_OfRuns):
    """A point for each run."""

    figure: Literal["scatter"]
    against: str = Field(description="The metric along the bottom.")

    @property
    def metrics(self) -> dict[str, str]:
        """See the base."""
        return {"metric": self.metric, "against": self.against}


def _of_latency(curves: Mapping[str, str]) -> Mapping[str, str]:
    fit = [name for name, curve in CURVES.items() if curve.unit == "us" and curve.samples]
    for name in curves.values():
        _known_curve(name)
        if name not in fit:
            raise ValueError(f"`{name}` has no mean over all runs; give one of {', '.join(fit)}")
    return curves


def _known_curve(name: str) -> str:
    if name not in CURVES:
        raise ValueError(f"no curve is called `{name}`; there are {', '.join(CURVES)}")
    return name


def _known_metrics(totals: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
    for metric in (metric for total in totals.values() for metric in total.values()):
        if metric not in METRICS:
            raise ValueError(f"no metric is called `{metric}`: name one of the results' columns")
    return totals


class Latencies(_Figure):
    """Of each latency a bar for each mode, its mean; a line to 99 %, and a mark at the highest."""

    figure: Literal["latencies"]
    curves: Annotated[dict[Text, str], AfterValidator(_of_latency), Field(min_length=1)] = Field(
        description="What stands along the bottom, and the curve that it is of."
    )


class Kinds(_Figure):
    """Of each total a bar for each mode, parted by kind."""

    figure: Literal["kinds"]
    totals: Annotated[
        dict[Text, dict[Text, str]], AfterValidator(_known_metrics), Field(min_length=1)
    ] = Field(description="What stands along the bottom, and of it each kind's metric, a count.")


class Distribution(_Figure):
    """A curve for each mode: the share at or below each value."""

    figure: Literal["distribution"]
    curve: Annotated[str, AfterValidator(_known_curve)]
    from_share: float = Field(
        default=0.0, ge=0, lt=1, description="Where the side begins, if most is in the first value."
    )
    to: float | None = Field(
        default=None,
        gt=0,
        description="Where the bottom ends, in the unit that is shown; else all.",
    )


AskedFigure = Annotated[
    Boxes | Scatter | Latencies | Kinds | Distribution, Field(discriminator="figure")
]
