"""What is told of trials in which X is one of two.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import Field

from thinlab.analysis.findings import Estimate, Finding, RunFindings
from thinlab.analysis.result_kind import Part


class DiscriminationFindings(Finding):
    """ABX: how often X was told rightly, of one trial, or over all that present two conditions."""

    block: str
    trial_id: str | None = Field(description="Null: over all trials of these two conditions.")
    condition_a: str
    condition_b: str
    clip: str | None = Field(description="Null: over all trials.")
    primary: bool = Field(description="Declared in the analysis plan as what the study is about.")
    participants: int
    trials: int = Field(description="How many trials there are behind it.")
    right: int = Field(description="Votes that told rightly which X was.")
    wrong: int
    share: Estimate | None = Field(
        description="Of right answers, against one half; its parameter is d-prime."
    )
    runs: list[RunFindings] = Field(
        description="Of one trial, run by run, where there are several."
    )


class DiscriminationPart(Part):
    """Which conditions are told apart."""

    discriminations: list[DiscriminationFindings] = Field(
        default=[], description="Where X is one of the two presented; else empty."
    )
