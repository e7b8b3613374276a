"""What is told of published counts beside our own.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from pydantic import Field

from thinlab.analysis.findings import Estimate, Finding
from thinlab.analysis.result_kind import Part


class ReplicationFindings(Finding):
    """A published count beside our own votes on the same question."""

    trial_id: str
    condition: str = Field(description="That these votes are for.")
    among: Literal["all", "decided"] = Field(
        description="Of which votes they are a share: all, or those with a preference."
    )
    source: str = Field(description="Where it was published.")
    differs: str | None = Field(description="In what that study was unlike this one.")
    published_count: int
    published_of: int
    published: Estimate = Field(description="The published share, with its exact interval.")
    count: int | None = Field(default=None, description="Our votes for it; null: none yet.")
    of: int | None = Field(default=None, description="Of so many of ours; null: none yet.")
    ours: Estimate | None = Field(default=None, description="Our share; null: no votes yet.")
    predicted: Estimate | None = Field(
        default=None,
        description="Share in a replication with as many votes as ours, by the published counts "
        "alone: the interval is one of prediction; null: no votes yet.",
    )
    predicted_low: int | None = Field(default=None, description="The same as counts: the fewest.")
    predicted_high: int | None = Field(default=None, description="And the most.")
    inside: bool | None = Field(
        default=None, description="Whether ours is within what was foretold; null: no votes yet."
    )
    sentence: str = Field(description="The same in plain English, to paste into a text.")


class ReplicationPart(Part):
    """Each published count."""

    replications: list[ReplicationFindings] = Field(
        default=[], description="Published counts beside our own, where the study names any."
    )
