"""What a study tests: a comparison, the direction it is expected in, and what would matter.

A hypothesis without a smallest effect can be found, and never refuted; with one, that there is no
difference that matters can be found as well.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal

from pydantic import Field

from thinlab.part import Name, Part

Trials = Annotated[tuple[Name, ...], Field(min_length=1, max_length=200)]
Conditions = Annotated[tuple[Name, Name], Field(examples=[["plain", "modified"]])]
Rule = Literal["any", "all"]
TWO_SIDED = "two_sided"
RIGHT = "right"
"""The direction of what is told right from wrong: more often right than by chance."""


class _Hypothesis(Part):
    """What all have."""

    id: Name
    direction: Name = Field(
        default=TWO_SIDED,
        description="`two_sided`, or the condition that is expected to be better: the test is "
        "then one-sided, and the other direction can never be found. On an `abx` scale `right`: "
        "more often right than by chance.",
    )
    smallest_effect: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] | None = Field(
        default=None,
        description="The smallest effect that would matter, in the measure's unit: a share's "
        "distance from one half (0.1: 40 to 60 %; on `abx` of right answers), CMOS, MOS, or a "
        "difference of shares. With it, "
        "“no difference that matters” can be found, by two one-sided tests.",
        examples=[0.1],
    )


class TrialHypothesis(_Hypothesis):
    """That the two conditions of one trial differ: in preference, in CMOS, or told apart by ear."""

    compares: Literal["pair"]
    trial: Name = Field(description="Id of a pair.")


class PooledHypothesis(_Hypothesis):
    """The same of two conditions over several trials."""

    compares: Literal["pooled"]
    conditions: Conditions = Field(description="`[a, b]`: b is compared with a.")
    trials: Trials = Field(description="Ids of pairs of these two, of one block.")


class OpinionHypothesis(_Hypothesis):
    """That the mean opinion scores of two conditions differ, where each is rated (ACR, DCR)."""

    compares: Literal["opinion"]
    conditions: Conditions = Field(description="`[a, b]`: b is compared with a.")
    trials: Trials = Field(
        description="Ids of the trials that rate either, of one block: single recordings, or on a "
        "`dcr` scale pairs whose second condition is one of the two."
    )


class ControlHypothesis(_Hypothesis):
    """That a difference is noticed in another share of these pairs than of controls."""

    compares: Literal["control"]
    trials: Trials = Field(description="Ids of pairs, of one block.")
    controls: Trials = Field(description="Ids of controls, of the same block.")
    direction: Literal["two_sided", "trials"] = Field(
        default="two_sided", description="`trials`: a difference is expected more often in these."
    )


# None of the kinds is called as a key is: the place of a fault would be told wrongly.
Hypothesis = Annotated[
    TrialHypothesis | PooledHypothesis | OpinionHypothesis | ControlHypothesis,
    Field(discriminator="compares"),
]
