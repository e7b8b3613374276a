"""Which of the two; with or without “no difference” (after ITU-T P.800 Annex F).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import Field, model_validator

from thinlab.part import Part
from thinlab.study.scales.kind import AnyScale, need
from thinlab.study.text import LocalText

NOTICEABLE_STEPS = (1, 2, 3, 4)


class PreferenceAnswers(Part):
    """The words on the answer buttons."""

    first: LocalText
    second: LocalText
    no_difference: LocalText | None = Field(
        default=None, description="Left out: the listener has to choose (forced choice)."
    )


class Noticeable(Part):
    """How noticeable the difference was; asked of who preferred one of the two."""

    question: LocalText
    labels: dict[int, LocalText] = Field(
        description="A label for each step from 1 (hardly) to 4 (very much)."
    )

    @model_validator(mode="after")
    def _all_labels(self) -> Self:
        need(self.labels, NOTICEABLE_STEPS)
        return self


class PreferenceScale(AnyScale):
    """Which of the two; with or without “no difference” (after ITU-T P.800 Annex F)."""

    largest_effect = 0.5

    kind: Literal["preference"]
    answers: PreferenceAnswers
    noticeable: Noticeable | None = Field(
        default=None, description="Left out: only which of the two is asked."
    )

    def takes(self, choice: str | None, score: int | None) -> bool:
        """One of the two, or no difference where it is offered."""
        return score is None and choice in {place.rsplit(".", 1)[1] for place, _ in self.said()}

    def said(self) -> Iterator[tuple[str, LocalText]]:
        """The buttons."""
        yield "answers.first", self.answers.first
        yield "answers.second", self.answers.second
        if self.answers.no_difference is not None:
            yield "answers.no_difference", self.answers.no_difference

    def texts(self) -> Iterator[tuple[str, LocalText]]:
        """And what is asked of who preferred one."""
        yield from super().texts()
        if self.noticeable is not None:
            yield "noticeable.question", self.noticeable.question
            for step, label in self.noticeable.labels.items():
                yield f"noticeable.labels.{step}", label

    def tells_difference(self, choice: str | None, score: int | None) -> bool:  # noqa: ARG002
        """Anything but that there is none."""
        return choice != "no_difference"

    def takes_noticeable(self, choice: str | None, noticeable: int | None) -> bool:
        """A step wherever one is asked for, nothing elsewhere."""
        if self.noticeable is None or choice not in {"first", "second"}:
            return noticeable is None
        return noticeable in NOTICEABLE_STEPS
