"""What is told of answers that are no preference.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from pydantic import Field

from thinlab.analysis.findings import Estimate, Finding
from thinlab.analysis.result_kind import Part


class OrderFindings(Finding):
    """Leaning to one place over a whole block, with all preferences taken out."""

    block: str
    scale: Literal["preference", "ccr"]
    effect: Estimate


class ControlFindings(Finding):
    """Controls: one recording as two, or two sessions alike, where no difference is a true one."""

    block: str
    scale: Literal["preference", "ccr", "dcr"]
    votes: int
    participants: int
    false_differences: Estimate | None = Field(
        description="Share who told of a difference; null with a forced choice, where all must."
    )
    side: Estimate | None = Field(
        description=(
            "Preference: share for the first presented, of those who chose; CCR: mean score. "
            "Null when nobody chose, and on DCR, where the reference is always first."
        )
    )


class IdenticalFindings(Finding):
    """A pair of which both members are the same bytes in some runs: analysed as controls there."""

    block: str
    trial_id: str
    condition_a: str
    condition_b: str
    runs: list[int] = Field(description="Those that are the same bytes, counted from 0.")
    votes: int = Field(description="Votes on them.")
    sentence: str = Field(description="The same in plain English, to paste into a text.")


class BiasPart(Part):
    """Leaning to a place, and differences told of where there are none."""

    order_effects: list[OrderFindings] = Field(default=[], description="Block by block.")
    controls: list[ControlFindings] = Field(default=[], description="Block by block.")
    identical: list[IdenticalFindings] = Field(
        default=[],
        description="Pairs of the same bytes, which count as controls and not as pairs.",
    )
