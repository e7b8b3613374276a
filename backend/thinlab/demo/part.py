"""What all messages of a demo have in common.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

LANES_LIMIT = 4


class DemoPart(BaseModel):
    """A part of a demo's messages: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


AtMs = Annotated[float, Field(description="ms since the demo began, to the µs.")]
Line = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]*$", description="One line of text.")]
LaneNumber = Annotated[int, Field(ge=0, lt=LANES_LIMIT, description="From 0.")]
Letter = Annotated[
    str,
    Field(
        pattern=r"^[A-D]$",
        description="What a lane is called before the audience. In blind mode the order is drawn.",
    ),
]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Listener = Annotated[
    UUID, Field(description="Whoever hears and votes: drawn by the page, kept across reconnects.")
]
