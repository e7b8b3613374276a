"""Several sounds beside each other and beside their open reference, 0…100 (ITU-R BS.1534-3).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import Field, model_validator

from thinlab.study.scales.kind import AnyScale, Rated, need
from thinlab.study.text import LocalText

FIFTHS = (5, 4, 3, 2, 1)
LOWEST, HIGHEST = 0, 100
POINTS_A_FIFTH = 20


class MushraScale(AnyScale):
    """All sounds of a clip on one page, 0…100 each, with their reference to hear (BS.1534-3)."""

    presents = 1
    one_page_a_clip = True
    rated = Rated("MUSHRA score", "mean MUSHRA score", LOWEST, HIGHEST)
    largest_effect = 100.0

    kind: Literal["mushra"]
    labels: dict[int, LocalText] = Field(
        description="A label for each fifth of the scale, from 5 (excellent, 80 to 100) to 1 (bad, "
        "0 to 20)."
    )

    @model_validator(mode="after")
    def _all_labels(self) -> Self:
        need(self.labels, FIFTHS)
        return self

    def takes(self, choice: str | None, score: int | None) -> bool:
        """Any whole number of the scale."""
        return choice is None and score is not None and LOWEST <= score <= HIGHEST

    def said(self) -> Iterator[tuple[str, LocalText]]:
        """The fifths."""
        return ((f"labels.{fifth}", label) for fifth, label in self.labels.items())

    def answered(self, choice: str | None, score: int | None) -> LocalText:  # noqa: ARG002
        """The fifth that a score is in."""
        return self.labels[min(FIFTHS[0], (score or 0) // POINTS_A_FIFTH + 1)]
