"""What others have published of the same question, to stand beside a study's own votes.

Counts as they were published, never shares: a share alone does not say how sure it is.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from thinlab.part import Name, Part

Among = Literal["all", "decided"]


class PublishedCount(Part):
    """How many preferred a condition in a published study, and which trial here asks the same."""

    trial: Name = Field(
        description="Id of the trial that asks the same: a pair on a scale of preference."
    )
    preferred: Name = Field(
        description="Which of the trial's two conditions these votes were for.",
        examples=["modified"],
    )
    count: Annotated[int, Field(ge=0, le=1_000_000)] = Field(
        description="Votes for it.", examples=[84]
    )
    of: Annotated[int, Field(ge=1, le=1_000_000)] = Field(
        description="Votes that it is counted among, one from each person.", examples=[88]
    )
    among: Among = Field(
        default="all",
        description="`all`: every vote on the trial, “no difference” too. `decided`: only votes "
        "for one of the two; for a study in which one had to be chosen.",
    )
    source: Annotated[str, Field(min_length=1, max_length=400)] = Field(
        description="Where it was published, for a reader to find it."
    )
    differs: Annotated[str, Field(min_length=1, max_length=1000)] | None = Field(
        default=None,
        description="In what that study was unlike this one; shown beside the figures.",
    )

    @model_validator(mode="after")
    def _a_part_of_it(self) -> Self:
        if self.count > self.of:
            raise ValueError(
                f"`count: {self.count}` is more than `of: {self.of}`: `of` is how many votes "
                "there were, `count` how many of them were for `preferred`"
            )
        return self
