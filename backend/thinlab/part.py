"""What all data that people write or programs exchange is made of.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$",
        max_length=64,
        description="Lower-case letters, digits, `-` and `_`.",
        examples=["speech"],
    ),
]
Text = Annotated[str, Field(min_length=1, max_length=4000)]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
# Of a network: a minute at most.
Milliseconds = Annotated[float, Field(ge=0, le=60_000, allow_inf_nan=False)]


class Part(BaseModel):
    """A piece of such data: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)
