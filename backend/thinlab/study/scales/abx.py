"""Which of two X is (Munson and Gardner, 1950).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from thinlab.part import Part
from thinlab.study.scales.kind import AnyScale
from thinlab.study.text import LocalText


class AbxAnswers(Part):
    """The words on the answer buttons."""

    first: LocalText = Field(description="That X is the first, which the page calls A.")
    second: LocalText = Field(description="That X is the second, which the page calls B.")


class AbxScale(AnyScale):
    """Which of the two is X, one of them once more: right or wrong (Munson and Gardner, 1950)."""

    presents = 3
    has_x = True
    largest_effect = 0.5

    kind: Literal["abx"]
    answers: AbxAnswers

    def takes(self, choice: str | None, score: int | None) -> bool:
        """One of the two."""
        return score is None and choice in {"first", "second"}

    def said(self) -> Iterator[tuple[str, LocalText]]:
        """The buttons."""
        yield "answers.first", self.answers.first
        yield "answers.second", self.answers.second
