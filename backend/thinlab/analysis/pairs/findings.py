"""What is told of conditions that are compared in pairs.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from pydantic import Field

from thinlab.analysis.findings import Estimate, Finding, RunFindings
from thinlab.analysis.result_kind import Part


class PairFindings(Finding):
    """Two conditions compared: of one trial, or over all trials that compare them."""

    block: str
    condition_a: str
    condition_b: str
    scale: Literal["preference", "ccr"]
    participants: int
    votes_a: int = Field(description="Votes for a, whichever was presented first.")
    votes_b: int = Field(description="Votes for b, whichever was presented first.")
    votes_none: int = Field(description="Votes for no difference (CCR: a score of 0).")
    histogram: dict[int, int] = Field(
        description="CCR: how many votes for each score of b compared to a; else empty."
    )
    share: Estimate | None = Field(
        description="Preference: share for b among those with a preference; null on CCR."
    )
    preference: Estimate | None = Field(
        description=(
            "Preference: share for b by the Davidson model, with the order effect taken out; "
            "null on CCR or when all answers are `no difference`."
        )
    )
    mean: Estimate | None = Field(
        description="CCR: CMOS of b against a, with the order effect taken out."
    )
    order_effect: Estimate | None = Field(
        description="Leaning to the first or second presented, whatever it is (side bias)."
    )
    ties: Estimate | None = Field(
        description="Preference with `no difference` offered: its share if both are equally good."
    )

    @property
    def test(self) -> Estimate | None:
        """What a trial's hypothesis is judged by: the exact share, or CMOS."""
        return self.share if self.scale == "preference" else self.mean


class TrialFindings(PairFindings):
    """One trial, where each participant votes once."""

    trial_id: str
    clip: str
    primary: bool = Field(description="Declared in the analysis plan as what the study is about.")
    runs: list[RunFindings] = Field(
        description="Run by run, where there are several; those that are the same bytes as well."
    )


class ComparisonFindings(PairFindings):
    """Two conditions over all trials of a block that compare them; votes repeat by participant."""

    trials: int = Field(description="How many trials compare these two.")
    majority: Estimate | None = Field(
        description="Share of participants with more votes for b than for a, of those who lean."
    )


class PairsPart(Part):
    """Pairs, trial by trial and over all trials."""

    trials: list[TrialFindings] = Field(
        default=[], description="Where each participant votes once."
    )
    comparisons: list[ComparisonFindings] = Field(
        default=[], description="Over all trials of a block that compare the same two."
    )
