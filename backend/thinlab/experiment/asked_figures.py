"""Figures that an experiment's file asks for: of each run, where a mean would hide the spread.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Protocol, Self

from pydantic import Field

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
    metric: str = Field(description="Up the side.")


class Boxes(_Figure):
    """Of each path a box for each mode: quartiles, median, mean, and the lines to the extremes."""

    figure: Literal["boxes"]
    labels: tuple[Text, ...] = Field(
        default=(), description="What the paths are called along the bottom. None: 1, 2, …"
    )

    @property
    def metrics(self) -> dict[str, str]:
        """What it shows, by the key that names it."""
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


class Scatter(_Figure):
    """A point for each run."""

    figure: Literal["scatter"]
    against: str = Field(description="The metric along the bottom.")

    @property
    def metrics(self) -> dict[str, str]:
        """What it shows, by the key that names it."""
        return {"metric": self.metric, "against": self.against}


AskedFigure = Annotated[Boxes | Scatter, Field(discriminator="figure")]
