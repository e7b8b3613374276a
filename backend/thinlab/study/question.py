"""Questions to a participant beside the trials.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from thinlab.part import Name, Part
from thinlab.study.text import LocalText

Stage = Literal["before", "after"]
# Of a number asked for: what the HTTP contract takes.
MOST = 10**9
Answer = str | int | list[str]


class Option(Part):
    """One of the answers to choose from."""

    id: Name
    label: LocalText
    screens_out: bool = Field(
        default=False,
        description="True: whoever chooses it cannot take part, and holds no place. The page does "
        "not tell beforehand.",
    )


class _Question(Part):
    id: Name
    when: Stage = Field(default="after", description="Before the trials or after them.")
    text: LocalText
    required: bool = Field(default=False, description="True: nobody goes on without an answer.")


class ChoiceQuestion(_Question):
    """One of several answers, or several of them."""

    kind: Literal["choice"]
    options: Annotated[tuple[Option, ...], Field(min_length=2, max_length=30)] = Field(
        description="The answers to choose from, in this order.",
        examples=[[{"id": "yes", "label": {"en": "Yes", "nb": "Ja"}}]],
    )
    several: bool = Field(default=False, description="True: more than one may be chosen.")

    @model_validator(mode="after")
    def _own_ids(self) -> Self:
        ids = [option.id for option in self.options]
        if len(set(ids)) < len(ids):
            raise ValueError("`options` need ids that differ")
        return self

    @model_validator(mode="after")
    def _asked_in_time(self) -> Self:
        if not self.screens:
            return self
        if self.when != "before" or not self.required:
            raise ValueError(
                "an option with `screens_out` needs `when: before` and `required: true`: whoever "
                "may leave the question out, or meets it at the end, has taken part"
            )
        if all(option.screens_out for option in self.options):
            raise ValueError("every option has `screens_out`: nobody could take part")
        return self

    @property
    def screens(self) -> bool:
        """Whether some answer keeps people out."""
        return any(option.screens_out for option in self.options)

    def screened_out_by(self, answer: Answer | None) -> bool:
        """Whether this answer does."""
        chosen = answer if isinstance(answer, list) else [answer]
        return any(option.screens_out and option.id in chosen for option in self.options)


class NumberQuestion(_Question):
    """A whole number."""

    kind: Literal["number"]
    minimum: int = Field(default=0, ge=-MOST, le=MOST, description="The smallest number taken.")
    maximum: int = Field(default=1000, ge=-MOST, le=MOST, description="The largest number taken.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.minimum > self.maximum:
            raise ValueError("`minimum` is above `maximum`")
        return self


class TextQuestion(_Question):
    """Free words."""

    kind: Literal["text"]
    max_length: Annotated[int, Field(ge=1, le=4000)] = Field(
        default=1000, description="Characters, at most."
    )


Question = Annotated[ChoiceQuestion | NumberQuestion | TextQuestion, Field(discriminator="kind")]


def problem_with(question: Question, answer: Answer | None) -> str | None:
    """Why this is no answer to the question; none if it is one."""
    if answer is None or answer in ("", []):
        return "an answer is needed" if question.required else None
    match question:
        case ChoiceQuestion():
            return _problem_with_choice(question, answer)
        case NumberQuestion():
            fits = isinstance(answer, int) and question.minimum <= answer <= question.maximum
            wanted = f"a whole number from {question.minimum} to {question.maximum} is needed"
            return None if fits else wanted
        case TextQuestion():
            fits = isinstance(answer, str) and len(answer) <= question.max_length
            return None if fits else f"a text of at most {question.max_length} characters is needed"


def _problem_with_choice(question: ChoiceQuestion, answer: Answer) -> str | None:
    chosen = answer if isinstance(answer, list) else [answer]
    if question.several != isinstance(answer, list):
        return "a list is needed" if question.several else "one option is needed"
    if len(set(chosen)) < len(chosen):
        return "an option is named twice"
    if not set(chosen) <= {option.id for option in question.options}:
        return "there is no such option"
    return None
