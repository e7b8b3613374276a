"""What is told of conditions that were rated beside their reference.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import Field

from thinlab.analysis.findings import Estimate, Finding
from thinlab.analysis.result_kind import Part


class BesideFindings(Finding):
    """One condition's scores, 0 … 100, as BS.1534-3 reports them: median and quartiles."""

    block: str
    condition: str
    is_reference: bool = Field(description="Whether it is the reference itself, hidden.")
    clip: str | None = Field(description="Null: over all clips.")
    participants: int
    votes: int
    median: float
    lower_quartile: float
    upper_quartile: float
    lower_whisker: float = Field(
        description="The lowest score within 1.5 interquartile ranges of the lower quartile."
    )
    upper_whisker: float = Field(description="And the highest, of the upper quartile.")
    beyond: list[int] = Field(description="Scores beyond the whiskers, from the lowest.")
    mean: Estimate


class BesideDifference(Finding):
    """By how much two conditions' mean scores differ."""

    block: str
    condition_a: str
    condition_b: str
    to_reference: bool = Field(description="Whether `condition_a` is the hidden reference.")
    primary: bool = Field(
        description="Declared in the analysis plan: over the primary trials of both conditions."
    )
    difference: Estimate = Field(description="Mean score of b minus mean score of a.")


class MushraPart(Part):
    """Scores beside a reference, and how they differ."""

    beside: list[BesideFindings] = Field(
        default=[], description="Over all clips, and with each where there are several."
    )
    beside_differences: list[BesideDifference] = Field(
        default=[], description="Of every two conditions: the hidden reference is the first."
    )
