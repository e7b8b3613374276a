"""What is told of the staircases of adaptive blocks.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import Field

from thinlab.analysis.findings import Finding
from thinlab.analysis.result_kind import Part
from thinlab.study.staircase import QuantityName


class StairStep(Finding):
    """One trial of somebody's staircase."""

    level: float = Field(description="Of the quantity, in its unit.")
    right: bool = Field(description="Whether the reference was chosen.")


class PersonThreshold(Finding):
    """What a staircase says about one participant."""

    participant: str
    threshold: float = Field(
        description="In the quantity's unit: where answers are right in 82 %, lapses aside. Of the "
        "posterior mean of its logarithm."
    )
    low: float = Field(description="Of the central credible interval.")
    high: float
    sd_decades: float = Field(description="Standard deviation of the decimal logarithm.")
    beyond: bool = Field(
        description="Whether the interval reaches beyond the levels there are: they bound the "
        "threshold on one side only."
    )
    recordings: int = Field(description="Different pairs of recordings that were presented.")
    steps: list[StairStep] = Field(description="Trial by trial.")


class GroupThresholdFindings(Finding):
    """The typical participant's."""

    threshold: float
    low: float
    high: float
    between_factor: float = Field(
        description="By so many times thresholds differ among people: one standard deviation."
    )


class LevelFindings(Finding):
    """How often one level was told rightly; people meet those most that tell most about them."""

    level: float
    votes: int
    right: int


class CurvePoint(Finding):
    """The psychometric function."""

    level: float
    share: float = Field(description="Of right answers.")


class StaircaseFindings(Finding):
    """The staircases on one clip of a block."""

    block: str
    clip: str
    quantity: QuantityName
    levels: list[LevelFindings] = Field(description="Ascending.")
    people: list[PersonThreshold]
    group: GroupThresholdFindings | None = Field(description="Null: of fewer than three people.")
    curve: list[CurvePoint] = Field(
        description="Of the typical participant, with the mean slope and lapse share; empty where "
        "there is none."
    )
    votes: int
    recordings: int = Field(description="Pairs of recordings behind the votes.")
    method: str
    sentence: str = Field(description="The finding in plain English, to paste into a text.")


class AdaptivePart(Part):
    """Clip by clip."""

    staircases: list[StaircaseFindings] = Field(
        default=[], description="Thresholds of adaptive blocks."
    )
