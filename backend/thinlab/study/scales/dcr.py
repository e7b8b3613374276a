"""Degradation category rating (ITU-T P.800 Annex D).

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from pydantic import Field

from thinlab.study.scales.kind import Rated, Scores
from thinlab.study.text import LocalText

INAUDIBLE = 5


class DcrScale(Scores):
    """How much worse the second is than the first, its reference, 5…1 (ITU-T P.800 Annex D)."""

    SCORES = (5, 4, 3, 2, 1)
    reference_first = True
    rated = Rated("DMOS", "degradation mean opinion score", 1, 5)
    largest_effect = 4.0

    kind: Literal["dcr"]
    labels: dict[int, LocalText] = Field(
        description="A label for each score from 5 (inaudible) to 1 (very annoying)."
    )

    def tells_difference(self, choice: str | None, score: int | None) -> bool:  # noqa: ARG002
        """Anything but that nothing is audible."""
        return score != INAUDIBLE
