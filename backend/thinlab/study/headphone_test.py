"""The test for headphones: what is heard in it, and what passes.

Huggins pitch: Milne et al. 2021, doi:10.3758/s13428-020-01514-0, who ask for six of six. Antiphase:
Woods et al. 2017, doi:10.3758/s13414-017-1361-2, who ask for five of six.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from thinlab.part import Part
from thinlab.study.guessing import passed_by_guessing

ROUNDS = 6
# Of which one is right.
SOUNDS = 3

HeadphoneSignal = TypeAliasType(
    "HeadphoneSignal",
    Annotated[
        Literal["huggins", "antiphase"],
        Field(title="HeadphoneSignal", description="What is to be heard in the headphone test."),
    ],
)

PUBLISHED: Mapping[str, int] = MappingProxyType({"huggins": 6, "antiphase": 5})


class HeadphoneTest(Part):
    """How headphones are tested for."""

    signal: HeadphoneSignal = Field(
        default="huggins",
        description="`huggins`: which of three noises has a tone that only two separate ears "
        "hear. `antiphase`: which of three tones is the quietest, where loudspeakers make another "
        "one quieter still.",
    )
    correct_at_least: Annotated[int, Field(ge=3, le=ROUNDS)] | None = Field(
        default=None,
        description="Of six rounds; left out, as published: 6 with `huggins`, 5 with `antiphase`.",
    )
    tries: Annotated[int, Field(ge=1, le=5)] = Field(
        default=2, description="How often it can be taken. Each more makes guessing more likely."
    )

    @property
    def least(self) -> int:
        """Rounds that have to be right."""
        return PUBLISHED[self.signal] if self.correct_at_least is None else self.correct_at_least

    @property
    def guessed_share(self) -> float:
        """Of those who only guess, how many pass in one of the tries."""
        return passed_by_guessing(ROUNDS, SOUNDS, self.least, self.tries)


FIRST_RULE = HeadphoneTest(signal="huggins", correct_at_least=5, tries=2)
"""Of a study that says nothing of it, as it was before there was a choice."""
