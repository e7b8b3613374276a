"""What is told of conditions that are rated, alone or against a reference.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from pydantic import Field

from thinlab.analysis.findings import Estimate, Finding, RunFindings
from thinlab.analysis.result_kind import Part


class ConditionFindings(Finding):
    """ACR and DCR: one condition's mean opinion score."""

    block: str
    scale: Literal["acr", "dcr"] = Field(description="On `dcr` it is the degradation's: DMOS.")
    condition: str
    clip: str | None = Field(description="Null: over all clips.")
    participants: int
    histogram: dict[int, int] = Field(description="How many votes for each score.")
    mos: Estimate
    runs: list[RunFindings] = Field(
        description="Run by run, where the condition was heard in several with one clip."
    )


class DifferenceFindings(Finding):
    """ACR and DCR: by how much two conditions' mean opinion scores differ."""

    block: str
    scale: Literal["acr", "dcr"]
    condition_a: str
    condition_b: str
    primary: bool = Field(
        description="Declared in the analysis plan: over the primary trials of both conditions."
    )
    difference: Estimate = Field(description="MOS of b minus MOS of a, on DCR of their DMOS.")


class ScoresPart(Part):
    """Mean opinion scores, and how they differ."""

    conditions: list[ConditionFindings] = Field(
        default=[], description="Over all clips, and with each where there are several."
    )
    differences: list[DifferenceFindings] = Field(
        default=[], description="Of every two conditions; primary ones first."
    )
