"""What is told of how noticeable differences were.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import Field

from thinlab.analysis.findings import Estimate, Finding
from thinlab.analysis.result_kind import Part


class NoticeableFindings(Finding):
    """How noticeable a difference was to those who preferred one of two."""

    block: str
    condition_a: str | None = Field(description="Null: controls, which have one condition.")
    condition_b: str | None
    preferred: str | None = Field(description="The condition that these preferred; null: controls.")
    histogram: dict[int, int] = Field(description="How many votes for each step, 1 … 4.")
    mean: Estimate


class NoticeablePart(Part):
    """By the condition that was preferred, and in controls."""

    noticeable: list[NoticeableFindings] = Field(
        default=[],
        description="Where the scale asks how noticeable a difference was; else empty.",
    )
