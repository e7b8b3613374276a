"""Which of two tones is the louder one.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from thinlab.study.hearing.fact import Fact
from thinlab.study.hearing.one_of_some import EACH, OneOfSome, Rounds, facts_of


class LevelsTest(OneOfSome):
    """Which of two tones is the louder one."""

    FACTS: ClassVar[tuple[Fact, ...]] = facts_of("differences of level")

    test: Literal["levels"]
    # Of two, one is easier to guess.
    rounds: Rounds = Field(default=12, description=EACH)
    difference_db: Annotated[float, Field(ge=0.5, le=12)] = Field(
        description="Between the two. Listeners with normal hearing notice 1 dB in quiet.",
        examples=[2],
    )

    @property
    def sounds(self) -> int:
        """Two."""
        return 2

    @property
    def described(self) -> str:
        """What is to be heard."""
        return f"the louder of two tones, {self.difference_db:g} dB apart"
