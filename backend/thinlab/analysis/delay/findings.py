"""What is told of votes against delay, as the researcher's page and the command line get it.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from pydantic import Field

from thinlab.analysis.figure import Figure, of_estimate, two
from thinlab.analysis.findings import Estimate, Finding


class DelayFigure(Finding):
    """A figure with its interval."""

    value: float
    low: float
    high: float


class AccuracyFindings(Finding):
    """How well a metric predicts recordings that it was not fitted to: ITU-T P.1401's figures."""

    recordings: int
    rmse: DelayFigure = Field(
        description="Root mean square error: of a share (preference), or in points of the scale."
    )
    rmse_star: DelayFigure = Field(
        description="The same of errors as far as they lead outside of a recording's own interval."
    )
    correlation: DelayFigure | None = Field(
        description="Pearson's; null where all recordings are predicted, or judged, alike."
    )
    outliers: DelayFigure = Field(
        description="Share of recordings predicted outside of their own interval."
    )
    no_worse: bool = Field(
        description="Whether its error is the least, or not significantly above the least."
    )


class MetricFindings(Finding):
    """One metric of what was heard or felt."""

    name: str = Field(description="As the column of the exports, without `a_` or `b_`.")
    title: str
    unit: str
    meaning: str
    planned: bool = Field(description="Named in the analysis plan.")
    accuracy: AccuracyFindings | None = Field(description="Null where recordings are too few.")
    refused: str | None = Field(description="Why there is no curve over it, and what would help.")


class DelayPoint(Finding):
    """The votes on one recording, or on one pair of them."""

    trial_id: str
    run: int = Field(description="Counted from 0, as seeds are.")
    delay: float = Field(description="In the metric's unit; of typed ones the mean of sessions.")
    votes: int = Field(description="Behind the value: on preference those with a preference.")
    undecided: int = Field(description="Preference: further votes, for no difference.")
    value: float
    low: float | None = Field(description="Of these votes alone; null: one vote has no interval.")
    high: float | None


class CurvePoint(Finding):
    """What the model says at one delay."""

    delay: float
    value: float
    low: float
    high: float


class DelayCurve(Finding):
    """A model of one block's votes over one metric."""

    points: list[DelayPoint]
    curve: list[CurvePoint] = Field(description="With a band; empty where no slope has a bound.")
    threshold: Estimate | None = Field(
        description="In the metric's unit: where three in four of those who choose choose the less "
        "delayed (preference), where half find the less delayed better (CCR), where half say good "
        "or better (ACR). Null where none lies within what was measured."
    )
    slope: Estimate | None = Field(
        description="Log odds of the less delayed, or of a higher score, per unit of the metric."
    )
    lapse: float | None = Field(
        description="Preference: share of votes that answer anything; null on other scales."
    )
    spread_participants: float | None = Field(
        description="Standard deviation between participants, in log odds; null on preference."
    )
    spread_recordings: float | None = Field(
        description="Standard deviation between recordings of one delay, in log odds; null on "
        "preference."
    )
    unmeasured: int = Field(description="Votes left out, as nothing was measured of them.")
    sentence: str = Field(
        description="The threshold, or why there is none and what would help, in plain English."
    )


class WeighedPoint(Finding):
    """The votes on one pair of recordings, a and b."""

    trial_id: str
    run: int = Field(description="Counted from 0, as seeds are.")
    apart: float = Field(description="By how much b has more of the metric than a.")
    other_apart: float = Field(description="And of the other metric.")
    votes_a: int
    votes_b: int
    votes_none: int


class RatedPoint(Finding):
    """The ratings of one recording."""

    trial_id: str
    run: int = Field(description="Counted from 0, as seeds are.")
    value: float = Field(description="Of the metric.")
    other_value: float = Field(description="Of the other metric.")
    votes: int
    score: float = Field(description="Their mean.")


class WeighedFindings(Finding):
    """How much of one metric people put up with for less of another."""

    metric: str = Field(description="As the column of the exports, without `a_` or `b_`.")
    title: str
    unit: str
    other: str = Field(description="The metric that it is weighed against, called likewise.")
    other_title: str
    other_unit: str
    points: list[WeighedPoint] = Field(description="Of preferences; empty where one is rated.")
    rated: list[RatedPoint] = Field(description="Of ratings; empty where one is preferred.")
    worth: Estimate | None = Field(
        description="Units of the metric that a unit of the other is worth: people are at par "
        "where the one is more by that for each unit by which the other is less. Null where the "
        "votes do not tell."
    )
    sentence: str


class DelayBlock(Finding):
    """A block's votes against each metric, and the curve over one of them."""

    block: str
    scale: Literal["preference", "ccr", "acr", "dcr"]
    metrics: list[MetricFindings] = Field(description="Best predicting first.")
    metric: str = Field(
        description="That the curve is over: the one asked for, or planned, or that predicts best."
    )
    planned: bool = Field(description="Whether the analysis plan names that metric.")
    curve: DelayCurve | None
    why_none: str | None = Field(description="Why there is no curve, and what would help.")
    best: str | None = Field(description="Which metric predicts best, in plain English.")
    weighed: WeighedFindings | None = Field(
        default=None, description="Where the plan weighs two metrics, of preferences and ratings."
    )


class DelayResults(Finding):
    """Votes against delay, block by block."""

    confidence: float = Field(description="Of every interval, such as 0.95.")
    blocks: list[DelayBlock] = Field(description="Those with votes on pairs or single recordings.")

    @property
    def sentences(self) -> list[str]:
        """In plain English, block by block."""
        return [
            f"{block.block}: {sentence}"
            for block in self.blocks
            for sentence in (
                block.curve.sentence if block.curve else block.why_none,
                block.best,
                block.weighed.sentence if block.weighed else None,
            )
            if sentence
        ]

    @property
    def figures(self) -> list[Figure]:
        """What two metrics are worth to each other: of curves there are none."""
        return [
            of_estimate(
                "weighed", block.block, two(found.metric, found.other), "worth", found.worth
            )
            for block in self.blocks
            if (found := block.weighed) is not None and found.worth is not None
        ]
