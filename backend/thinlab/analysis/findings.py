"""What findings of every kind are made of, as the researcher's page and the command line get them.

Always member b compared to member a, in the study file's order of `conditions`. What a kind of
result tells is in `findings.py` of its own folder.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import BaseModel, ConfigDict, Field

from thinlab.analysis.votes import Scope


class Finding(BaseModel):
    """A piece of the results: values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Parameter(Finding):
    """A model's own parameter, where the value shown is a readable transform of it."""

    name: str = Field(description="Such as `log odds of b against a`.")
    value: float | None = Field(description="Null: infinite, the votes set no bound.")
    low: float | None = Field(description="Interval; null: unbounded or not given.")
    high: float | None = Field(description="Interval; null: unbounded or not given.")


class Interval(Finding):
    """Where a number lies, and the test of its `null_value`."""

    low: float | None = Field(description="Null: the votes set no bound.")
    high: float | None = Field(description="Null: the votes set no bound.")
    p_value: float | None = Field(description="Two-sided; null where nothing is tested.")


class Estimate(Finding):
    """One number with its interval, how it was found, and a sentence to paste."""

    measure: str = Field(description="What the number is, such as `share preferring b`.")
    value: float
    low: float | None = Field(description="Lower end of the interval; null: none can be given.")
    high: float | None = Field(description="Upper end of the interval; null: none can be given.")
    null_value: float | None = Field(
        description="The value if there were no effect, for a line in a drawing; null: none."
    )
    p_value: float | None = Field(
        description="Two-sided, of `null_value`; null where nothing is tested."
    )
    p_adjusted: float | None = Field(
        default=None,
        description="Corrected for the number of primary tests; null where not corrected.",
    )
    exploratory: bool = Field(
        default=True,
        description="Whether its p-value, if any, is exploratory: neither corrected for what is "
        "tested with it, nor the only one that was declared to decide.",
    )
    votes: int = Field(description="Votes behind the number.")
    participants: int = Field(description="People behind those votes.")
    recordings: int = Field(
        description="Recordings behind those votes: pairs of them where two are compared, runs "
        "where trials are typed; 0 where others voted and did not say.",
    )
    scope: Scope = Field(
        description="What interval and test generalise to, besides other participants: other "
        "losses of the same path, or nothing but these recordings.",
    )
    these: Interval | None = Field(
        description="The same of these recordings alone; null where `scope` is that already.",
    )
    too_few: bool = Field(
        default=False,
        description="Whether these are too few votes to say anything: what is shown in their "
        "place is that.",
    )
    method: str = Field(description="The statistical method by name.")
    sentence: str = Field(description="The finding in plain English, to paste into a text.")
    parameter: Parameter | None = Field(
        default=None, description="The model's own parameter; null where the value is it."
    )


class RunFindings(Finding):
    """A trial's votes on one run: on one recording, or on one pair of them."""

    run: int = Field(description="Counted from 0, as seeds are.")
    votes: int
    identical: bool = Field(
        description="Whether the two members are the same bytes: analysed as a control."
    )
    estimate: Estimate | None = Field(
        description="As of the whole trial, of this run alone; null where its votes tell none."
    )


class SessionFindings(Finding):
    """What votes rest on where a trial's sessions were live."""

    spoilt: bool = Field(description="Whether votes may be answers to our machines.")
    sentence: str = Field(description="The same in plain English, to paste into a text.")
