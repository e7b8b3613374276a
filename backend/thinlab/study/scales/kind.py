"""What is asked of every scale.

SPDX-License-Identifier: Apache-2.0
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from pydantic import model_validator

from thinlab.part import Part
from thinlab.study.text import LocalText


@dataclass(frozen=True)
class Rated:
    """Of a scale on which one condition is rated: what its scores are."""

    short: str
    """What their mean is called, such as “MOS”."""
    full: str
    lowest: int
    highest: int

    @property
    def middle(self) -> float:
        """Of the scale."""
        return (self.lowest + self.highest) / 2


class AnyScale(Part, ABC):
    """How an answer is asked for, in the study's own words."""

    kind: str
    question: LocalText

    presents: ClassVar[int] = 2
    """How many recordings a trial presents."""
    reference_first: ClassVar[bool] = False
    """Whether the condition named first is a reference, which every participant has first."""
    has_x: ClassVar[bool] = False
    """Whether one of the two is presented a third time, and which one it is, is asked."""
    one_page_a_clip: ClassVar[bool] = False
    """Whether all trials of a clip stand on one page, beside the clip as an open reference."""
    rated: ClassVar[Rated | None] = None
    """None where two are compared."""
    largest_effect: ClassVar[float]
    """Of b against a: half of a share's scale, the whole of the others'."""

    @abstractmethod
    def takes(self, choice: str | None, score: int | None) -> bool:
        """Whether this is an answer on the scale: a choice or a score, never both."""

    @abstractmethod
    def said(self) -> Iterator[tuple[str, LocalText]]:
        """What the answers are called, each with its place below the scale's in the file."""

    def offered(self) -> Iterator[tuple[str, LocalText]]:
        """The answers in the order in which they are shown: what names each, and its words."""
        return ((place.rsplit(".", 1)[1], text) for place, text in self.said())

    def answered(self, choice: str | None, score: int | None) -> LocalText:
        """What this answer is called. Raises `KeyError` for one that the scale does not take."""
        return dict(self.offered())[choice or str(score)]

    def texts(self) -> Iterator[tuple[str, LocalText]]:
        """Every text that a participant reads, with its place below the scale's in the file."""
        yield "question", self.question
        yield from self.said()

    def tells_difference(self, choice: str | None, score: int | None) -> bool:  # noqa: ARG002
        """Whether an answer says that the two presented differ."""
        raise ValueError(f"nobody is asked for a difference on a scale of `{self.kind}`")

    def takes_noticeable(self, choice: str | None, noticeable: int | None) -> bool:  # noqa: ARG002
        """Whether this goes with the choice: a step wherever one is asked for."""
        return noticeable is None


class Scores(AnyScale):
    """A scale of scores, each with a label."""

    SCORES: ClassVar[tuple[int, ...]]

    labels: dict[int, LocalText]

    @model_validator(mode="after")
    def _all_labels(self) -> Self:
        need(self.labels, self.SCORES)
        return self

    def takes(self, choice: str | None, score: int | None) -> bool:
        """Any of the scores."""
        return choice is None and score in self.SCORES

    def said(self) -> Iterator[tuple[str, LocalText]]:
        """The labels."""
        return ((f"labels.{score}", label) for score, label in self.labels.items())


def need(labels: dict[int, LocalText], scores: tuple[int, ...]) -> None:
    """Raises `ValueError` unless there is a label for each of these, and no other."""
    if set(labels) != set(scores):
        raise ValueError(
            f"`labels` needs one label for each of {', '.join(map(str, scores))}, no others"
        )
