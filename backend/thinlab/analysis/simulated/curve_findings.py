"""What is told of a plan's power: over participants and over effects.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import Field

from thinlab.analysis.findings import Finding


class PowerShare(Finding):
    """Of 100 studies, as a share, with what so few simulated ones leave open (95 %)."""

    value: float
    low: float
    high: float


class PowerPoint(Finding):
    """With so many participants, were the effect so large."""

    participants: int
    effect: float = Field(description="As results would show it of endless votes.")
    shown: PowerShare = Field(
        description="Studies that show the effect; without any, those that err."
    )
    none_that_matters: PowerShare | None = Field(
        description="Studies that show no difference that matters; null: no smallest effect."
    )


class PlannedTest(Finding):
    """One hypothesis or primary test, and its power."""

    id: str
    unit: str = Field(description="`share`, `cmos`, `mos` or `difference_of_shares`.")
    recordings: int
    generalises: bool = Field(
        description="Whether it is about other losses; else recordings do not differ here."
    )
    null_value: float = Field(description="The effect's value where there is none.")
    smallest_effect: float | None = Field(description="That matters; a distance from there.")
    points: list[PowerPoint] = Field(description="By effect, then by participants.")


class TogetherPoint(Finding):
    """What several hypotheses show together, each with its effect of this size."""

    participants: int
    size: int = Field(description="Which of each test's effects, from 0.")
    shown: PowerShare
    stopped: PowerShare | None = Field(
        description="Studies that stop at a look; null: none is planned."
    )
    participants_mean: float = Field(description="Participants when it stopped, on average.")


class PowerCurve(Finding):
    """What a plan can show."""

    participants: list[int] = Field(description="That were tried, rising.")
    planned: int | None = Field(description="By the stop rule; null: it names no number.")
    confidence: float
    rule: str | None = Field(description="Of several hypotheses: `any` or `all`.")
    studies: int = Field(description="Simulated for each point.")
    assumed: list[str] = Field(description="What nobody knows before the first vote.")
    tests: list[PlannedTest]
    together: list[TogetherPoint] = Field(
        description="Of several hypotheses, or of one with looks before the end; else empty."
    )
