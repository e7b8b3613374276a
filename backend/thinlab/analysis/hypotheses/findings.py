"""What is told of what was declared to decide, at looks before the end as well.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from pydantic import Field

from thinlab.analysis.findings import Estimate, Finding
from thinlab.analysis.result_kind import Part

Verdict = Literal["difference", "small_difference", "no_difference", "neither", "too_few"]


class HypothesisFindings(Finding):
    """A declared hypothesis: what was found of it, and what that is worth."""

    id: str
    unit: Literal["share", "share_right", "cmos", "mos", "difference_of_shares"] = Field(
        description="Of the estimate and the smallest effect."
    )
    trials: list[str] = Field(description="Ids of the trials that it is about.")
    condition_a: str | None = Field(description="Null: pairs are compared with controls.")
    condition_b: str | None
    direction: str = Field(
        description="`two_sided`, or the condition (of controls: `trials`; of ABX: `right`) "
        "with more expected."
    )
    smallest_effect: float | None = Field(
        description="That would matter, either way from the estimate's `null_value`; null: none."
    )
    estimate: Estimate | None = Field(
        description="With an interval and without a test; null where votes tell none."
    )
    p_value: float | None = Field(
        description="Of no difference, one-sided where a direction was declared."
    )
    p_adjusted: float | None = Field(description="The same, corrected; null: nothing to correct.")
    equivalence_confidence: float = Field(
        description="Of the interval that has to lie within the smallest effect, such as 0.9."
    )
    equivalence_low: float | None = Field(description="That interval's lower end.")
    equivalence_high: float | None = Field(description="That interval's upper end.")
    equivalence_p: float | None = Field(
        description="Of an effect as large as the smallest that matters: the larger of two "
        "one-sided tests; null without a smallest effect."
    )
    equivalence_p_adjusted: float | None = Field(
        description="The same, corrected; null: nothing to correct."
    )
    verdict: Verdict = Field(
        description="`small_difference`: there is one, and none that matters. `no_difference`: "
        "none that matters. `neither`: neither is shown."
    )
    sentence: str = Field(description="The same in plain English, to paste into a text.")


class TogetherFindings(Finding):
    """Hypotheses that must all be shown: what is claimed of them together."""

    differences_shown: bool
    differences_p: float = Field(description="The largest of all; 1 where one has none.")
    equivalences_shown: bool | None = Field(description="Null: not all have a smallest effect.")
    equivalences_p: float | None = Field(description="The largest of all.")
    sentence: str = Field(description="The same in plain English, to paste into a text.")


LookVerdict = Literal["stop", "continue", "last", "unplanned"]


class LookFindings(Finding):
    """What was found at one look: over all looks together, the level is kept."""

    number: int = Field(description="From 1; the last is the one at the end.")
    of: int = Field(description="How many are planned, the one at the end included.")
    completed: int | None = Field(
        description="Sessions that the look is about, in order of completion; null: all of them."
    )
    analysed: int = Field(description="Participants of these who are analysed.")
    planned: int = Field(description="Participants at the end, as planned.")
    fraction: float = Field(description="Of the planned information: analysed of planned.")
    two_sided: float = Field(description="Level at which two-sided p-values of this look count.")
    one_sided: float = Field(
        description="The same of one-sided ones, those of no difference that matters among them."
    )
    verdict: LookVerdict = Field(
        description="`stop`: a boundary is crossed, the study closes. `continue`: none is. "
        "`last`: the study had ended. `unplanned`: votes were shown outside of the planned looks."
    )
    hypotheses: list[HypothesisFindings] = Field(
        description="At the look's levels; intervals are the repeated ones, which together cover."
    )
    together: TogetherFindings | None
    sentence: str = Field(description="Where it stands, in plain English.")


class InterimFindings(Finding):
    """A study that is looked at before its end."""

    looks: list[LookFindings] = Field(description="Those that were taken, the latest last.")
    over_run: int = Field(
        description="Participants analysed who finished after the look that stopped the study: "
        "they change no verdict, and are part of everything exploratory."
    )


class HypothesesPart(Part):
    """Hypotheses, judged once or at looks."""

    hypotheses: list[HypothesisFindings] = Field(
        default=[], description="What was declared to decide, where it is more than trials."
    )
    together: TogetherFindings | None = Field(
        default=None, description="Null but where several hypotheses must all be shown."
    )
    interim: InterimFindings | None = Field(
        default=None, description="Null but where looks before the end are planned."
    )
