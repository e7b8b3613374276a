"""What is told of answers by their trial's position in the session.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import Field

from thinlab.analysis.findings import Estimate, Finding
from thinlab.analysis.result_kind import Part
from thinlab.study.scale import ScaleKind


class PositionFindings(Finding):
    """How a block's answers change in the course of the session, each trial at a level of its own.

    Changes are per ten trials later: of everything that a participant meets, training and traps
    included.
    """

    block: str
    scale: ScaleKind
    answer: Estimate | None = Field(
        description="Of the share for b among those with a preference, of the score of b against "
        "a (CCR), or of the score (ACR). Null where each trial is always met at the same position."
    )
    told: Estimate | None = Field(
        description="Of the share of pairs in which a difference was told of; null where nobody "
        "could say that there is none, and for recordings judged alone."
    )


class PositionPart(Part):
    """Block by block."""

    positions: list[PositionFindings] = Field(
        default=[], description="Whether answers change in the course of the session."
    )
