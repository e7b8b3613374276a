"""Comparison category rating (ITU-T P.800 Annex E).

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from pydantic import Field

from thinlab.study.scales.kind import Scores
from thinlab.study.text import LocalText


class CcrScale(Scores):
    """The second compared to the first, −3…+3 (after ITU-T P.800 Annex E)."""

    SCORES = (3, 2, 1, 0, -1, -2, -3)
    largest_effect = 3.0

    kind: Literal["ccr"]
    labels: dict[int, LocalText] = Field(
        description="A label for each score from 3 (much better) to -3 (much worse)."
    )

    def tells_difference(self, choice: str | None, score: int | None) -> bool:  # noqa: ARG002
        """Anything but about the same."""
        return score != 0
