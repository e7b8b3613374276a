"""Which of three noises is the brighter one: only who hears high frequencies can tell.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from thinlab.study.hearing.fact import Fact
from thinlab.study.hearing.one_of_some import OneOfSome, facts_of


class BandwidthTest(OneOfSome):
    """Which of three noises is the brighter one, which it is only if high frequencies are heard."""

    FACTS: ClassVar[tuple[Fact, ...]] = facts_of("high frequencies")

    test: Literal["bandwidth"]
    up_to_hz: Annotated[int, Field(ge=6_000, le=18_000)] = Field(
        description="That have to be heard: the noise that is added reaches from a quarter below "
        "up to here. From 12 kHz on, age decides as much as equipment does.",
        examples=[8_000],
    )

    @property
    def sounds(self) -> int:
        """Three."""
        return 3

    @property
    def described(self) -> str:
        """What is to be heard."""
        return f"the brighter of three noises, with what lies below {self.up_to_hz} Hz"
