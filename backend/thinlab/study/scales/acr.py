"""Absolute category rating (ITU-T P.800 Annex B).

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from pydantic import Field

from thinlab.study.scales.kind import Rated, Scores
from thinlab.study.text import LocalText


class AcrScale(Scores):
    """One recording, 5…1 (after ITU-T P.800 Annex B)."""

    SCORES = (5, 4, 3, 2, 1)
    presents = 1
    rated = Rated("MOS", "mean opinion score", 1, 5)
    largest_effect = 4.0

    kind: Literal["acr"]
    labels: dict[int, LocalText] = Field(
        description="A label for each score from 5 (excellent) to 1 (bad)."
    )
