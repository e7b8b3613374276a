"""On which scale a participant answers, with every word that they read.

The wording stands in the study file and not in the program, so that it is
frozen with the study and the same for every participant.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from thinlab.part import Part
from thinlab.study.text import LocalText


class PreferenceAnswers(Part):
    """The words on the answer buttons."""

    first: LocalText
    second: LocalText
    no_difference: LocalText | None = Field(
        default=None, description="Left out: the listener has to choose (forced choice)."
    )


NOTICEABLE_STEPS = (1, 2, 3, 4)
INAUDIBLE = 5
"""On the scale of degradation."""


class Noticeable(Part):
    """How noticeable the difference was; asked of who preferred one of the two."""

    question: LocalText
    labels: dict[int, LocalText] = Field(
        description="A label for each step from 1 (hardly) to 4 (very much)."
    )

    @model_validator(mode="after")
    def _all_labels(self) -> Self:
        _need(self.labels, NOTICEABLE_STEPS)
        return self


class PreferenceScale(Part):
    """Which of the two; with or without “no difference” (after ITU-T P.800 Annex F)."""

    kind: Literal["preference"]
    question: LocalText
    answers: PreferenceAnswers
    noticeable: Noticeable | None = Field(
        default=None, description="Left out: only which of the two is asked."
    )


class _Scores(Part):
    """A scale of scores; what its labels are is said by each."""

    SCORES: ClassVar[tuple[int, ...]]

    kind: str
    question: LocalText
    labels: dict[int, LocalText]

    @model_validator(mode="after")
    def _all_labels(self) -> Self:
        _need(self.labels, self.SCORES)
        return self


class CcrScale(_Scores):
    """The second compared to the first, −3…+3 (after ITU-T P.800 Annex E)."""

    SCORES = (3, 2, 1, 0, -1, -2, -3)

    kind: Literal["ccr"]
    labels: dict[int, LocalText] = Field(
        description="A label for each score from 3 (much better) to -3 (much worse)."
    )


class AcrScale(_Scores):
    """One recording, 5…1 (after ITU-T P.800 Annex B)."""

    SCORES = (5, 4, 3, 2, 1)

    kind: Literal["acr"]
    labels: dict[int, LocalText] = Field(
        description="A label for each score from 5 (excellent) to 1 (bad)."
    )


class DcrScale(_Scores):
    """How much worse the second is than the first, its reference, 5…1 (ITU-T P.800 Annex D)."""

    SCORES = (5, 4, 3, 2, 1)

    kind: Literal["dcr"]
    labels: dict[int, LocalText] = Field(
        description="A label for each score from 5 (inaudible) to 1 (very annoying)."
    )


class AbxAnswers(Part):
    """The words on the answer buttons."""

    first: LocalText = Field(description="That X is the first, which the page calls A.")
    second: LocalText = Field(description="That X is the second, which the page calls B.")


class AbxScale(Part):
    """Which of the two is X, one of them once more: right or wrong (Munson and Gardner, 1950)."""

    kind: Literal["abx"]
    question: LocalText
    answers: AbxAnswers


Scale = Annotated[
    PreferenceScale | CcrScale | AcrScale | DcrScale | AbxScale, Field(discriminator="kind")
]
ScaleKind = Literal["preference", "ccr", "acr", "dcr", "abx"]
RATINGS: frozenset[ScaleKind] = frozenset({"acr", "dcr"})
"""Scales that rate one condition; the others are about two."""


def _need(labels: dict[int, LocalText], scores: tuple[int, ...]) -> None:
    if set(labels) != set(scores):
        raise ValueError(
            f"`labels` needs one label for each of {', '.join(map(str, scores))}, no others"
        )


def is_paired(scale: Scale) -> bool:
    """Whether a trial on this scale presents two recordings."""
    return not isinstance(scale, AcrScale)


def presented_of(scale: Scale) -> int:
    """How many recordings a trial on this scale presents."""
    return 1 + is_paired(scale) + has_x(scale)


def is_reference_first(scale: Scale) -> bool:
    """Whether the condition named first is a reference, which every participant has first."""
    return isinstance(scale, DcrScale)


def has_x(scale: Scale) -> bool:
    """Whether one of the two is presented a third time, and which one it is, is asked."""
    return isinstance(scale, AbxScale)


def tells_difference(scale: Scale, choice: str | None, score: int | None) -> bool:
    """Whether an answer on the scale says that the two presented differ."""
    match scale:
        case PreferenceScale():
            return choice != "no_difference"
        case CcrScale():
            return score != 0
        case DcrScale():
            return score != INAUDIBLE
        case AcrScale() | AbxScale():
            raise ValueError(f"nobody is asked for a difference on a scale of `{scale.kind}`")


def takes(scale: Scale, choice: str | None, score: int | None) -> bool:
    """Whether this is an answer on the scale: a choice or a score, never both."""
    match scale:
        case PreferenceScale():
            offered = {"first", "second"}
            if scale.answers.no_difference is not None:
                offered.add("no_difference")
            return score is None and choice in offered
        case AbxScale():
            return score is None and choice in {"first", "second"}
        case CcrScale() | AcrScale() | DcrScale():
            return choice is None and score in scale.SCORES


def takes_noticeable(scale: Scale, choice: str | None, noticeable: int | None) -> bool:
    """Whether this goes with the choice: a step wherever one is asked for, nothing elsewhere."""
    asked = isinstance(scale, PreferenceScale) and scale.noticeable is not None
    if not asked or choice not in {"first", "second"}:
        return noticeable is None
    return noticeable in NOTICEABLE_STEPS
