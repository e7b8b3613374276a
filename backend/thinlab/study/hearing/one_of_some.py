"""What tests have in common that play sounds one after the other, of which one is it.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from thinlab.part import Part
from thinlab.study.guessing import passed_by_guessing
from thinlab.study.hearing.fact import Fact

# So many of those who only guess may pass where a study does not say how many have to be right.
GUESSED_AT_MOST = 0.05

Rounds = Annotated[int, Field(ge=3, le=30)]
EACH = "Each is drawn anew, and answered once."


class OneOfSome(Part):
    """Rounds of some sounds, one of which is the right one."""

    FACTS: ClassVar[tuple[Fact, ...]]
    rounds: Rounds = Field(default=8, description=EACH)
    correct_at_least: Annotated[int, Field(ge=1, le=30)] | None = Field(
        default=None,
        description="Of the rounds; left out: the fewest that at most 5 % of those reach in one "
        "of the tries who only guess.",
    )
    tries: Annotated[int, Field(ge=1, le=5)] = Field(default=2, description="How often at most.")
    needed: bool = Field(
        default=True, description="False: the outcome is stored, and nobody is turned away."
    )

    @property
    def sounds(self) -> int:
        """In a round; one of them is the right one."""
        raise NotImplementedError

    @property
    def least(self) -> int:
        """Rounds that have to be right."""
        return self.correct_at_least or self._unlikely or self.rounds

    @property
    def guessed_share(self) -> float:
        """Of those who only guess, how many pass in one of the tries."""
        return passed_by_guessing(self.rounds, self.sounds, self.least, self.tries)

    @property
    def asked(self) -> str:
        """What passes, in words."""
        return f"{self.least} of {self.rounds} rounds"

    @property
    def _unlikely(self) -> int | None:
        for right in range(1, self.rounds + 1):
            share = passed_by_guessing(self.rounds, self.sounds, right, self.tries)
            if share <= GUESSED_AT_MOST:
                return right
        return None

    @model_validator(mode="after")
    def _can_be_passed(self) -> Self:
        if self.correct_at_least is not None and self.correct_at_least > self.rounds:
            raise ValueError(
                f"`correct_at_least: {self.correct_at_least}` of {self.rounds} rounds: nobody "
                "could pass. Ask for fewer, or for more `rounds`"
            )
        if self.correct_at_least is None and self._unlikely is None:
            share = 100 * passed_by_guessing(self.rounds, self.sounds, self.rounds, self.tries)
            raise ValueError(
                f"of those who only guess, {share:.2g} % have all {self.rounds} rounds right in "
                f"one of {self.tries} tries: write more `rounds`, fewer `tries`, or "
                "`correct_at_least`"
            )
        return self


def facts_of(what: str) -> tuple[Fact, ...]:
    """Of a test of this; the first is empty where there was none."""
    return (
        Fact(
            "correct",
            "count",
            f"rounds answered rightly in the last try of the test of {what}; empty where there was "
            "none",
        ),
        Fact("of", "count", "rounds of that try"),
        Fact("tries", "count", "tries of it"),
        Fact("passed", "yes", "whether it was passed"),
    )
