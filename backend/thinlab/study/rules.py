"""What a study declares in advance: whom it will not count, when it stops, what it will analyse.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from thinlab.part import Name, Part, Share
from thinlab.study.hearing.registry import HearingTestName
from thinlab.study.hypothesis import Hypothesis, Rule
from thinlab.study.interim import Interim
from thinlab.study.text import Language, LocalText

Threshold = Annotated[int, Field(ge=0, le=100)]


class _Rule(Part):
    effect: Literal["exclude", "flag"] = Field(
        default="exclude",
        description="`exclude`: the analysis leaves them out. `flag`: they are analysed, and "
        "marked on the pages and in the exports.",
    )


class TrappingWrong(_Rule):
    """Excludes who answered more trapping trials wrongly than this."""

    rule: Literal["trapping_wrong"]
    more_than: Threshold = Field(default=0, description="0: one wrong answer excludes.")


class GoldWrong(_Rule):
    """Excludes who answered more gold trials wrongly than this."""

    rule: Literal["gold_wrong"]
    more_than: Threshold = Field(default=0, description="0: one wrong answer excludes.")


class ControlDifference(_Rule):
    """Excludes who heard a difference in a larger share of the controls than this."""

    rule: Literal["control_difference"]
    more_than_share: Share = Field(
        description="Of the controls answered: 0.5 excludes who heard one in two of three.",
        examples=[0.5],
    )


class StraightLining(_Rule):
    """Excludes who gave one and the same answer throughout, in at least so many trials."""

    rule: Literal["straight_lining"]
    of_at_least: Annotated[int, Field(ge=2, le=100)] = Field(
        default=6,
        description="Over all blocks of one scale, trapping trials aside. Fewer answers say "
        "nothing about a listener.",
    )


class HeadphonesFailed(_Rule):
    """Excludes who did not pass the headphone test."""

    rule: Literal["headphones_failed"]


class HearingFailed(_Rule):
    """Excludes who did not pass a test of hearing; of use where it is not `needed`."""

    rule: Literal["hearing_failed"]
    test: HearingTestName = Field(description="One of those in `hearing`.")


class DecisionUnder(_Rule):
    """Excludes who answered faster than this in a larger share of the trials."""

    rule: Literal["decision_under"]
    ms: Annotated[int, Field(ge=1, le=3_600_000)] = Field(
        description="From the trial shown to the answer: listening is within it.",
        examples=[15_000],
    )
    more_than_share: Share = Field(default=0.0, description="Of the trials answered.")


class Answered(_Rule):
    """Excludes who gave one of these answers to a question of the questionnaire."""

    rule: Literal["answered"]
    question: Name = Field(description="Id of a question of `kind: choice`.")
    any_of: Annotated[tuple[Name, ...], Field(min_length=1)] = Field(
        description="Ids of options of that question.", examples=[["impaired"]]
    )


class HeardUnder(_Rule):
    """Excludes who heard less of a recording than this in a larger share of the trials."""

    rule: Literal["heard_under"]
    share: Share = Field(
        description="Of the recording that less was heard of, in different parts.", examples=[0.8]
    )
    more_than_share: Share = Field(default=0.0, description="Of the trials heard.")


class PageHidden(_Rule):
    """Excludes who had the page out of sight in a larger share of the trials."""

    rule: Literal["page_hidden"]
    longer_than_ms: Annotated[int, Field(ge=0, le=3_600_000)] = Field(
        default=0,
        description="Behind another tab or window, or minimised, in one trial altogether.",
        examples=[2_000],
    )
    more_than_share: Share = Field(default=0.0, description="Of the trials heard.")


class SeeksOver(_Rule):
    """Excludes who sought within the recordings more often in a larger share of the trials."""

    rule: Literal["seeks_over"]
    times: Annotated[int, Field(ge=0, le=1000)] = Field(
        description="In one trial, in both recordings together.", examples=[20]
    )
    more_than_share: Share = Field(default=0.0, description="Of the trials heard.")


class ReferenceUnder(_Rule):
    """Excludes who rated the hidden reference lower than this in a larger share of the pages.

    ITU-R BS.1534-3, section 4.1.2: below 90 for more than 15 % of the test items.
    """

    rule: Literal["reference_under"]
    score: Annotated[int, Field(ge=1, le=100)] = Field(
        default=90, description="The lowest score that does not count as a miss.", examples=[90]
    )
    more_than_share: Share = Field(default=0.15, description="Of the pages rated.")


class ScriptedTyping(_Rule):
    """Excludes whose keys came as a script sends them, and not as hands do."""

    rule: Literal["scripted_typing"]


JournalRule = HeardUnder | PageHidden | SeeksOver

ExclusionRule = Annotated[
    TrappingWrong
    | GoldWrong
    | ControlDifference
    | StraightLining
    | HeadphonesFailed
    | HearingFailed
    | DecisionUnder
    | HeardUnder
    | PageHidden
    | SeeksOver
    | ReferenceUnder
    | ScriptedTyping
    | Answered,
    Field(discriminator="rule"),
]


class StopRule(Part):
    """When a study takes no more participants: whichever comes first."""

    completed: Annotated[int, Field(ge=1, le=100_000)] | None = Field(
        default=None, description="Completed sessions, previews and bots aside."
    )
    on: date | None = Field(default=None, description="From this day on (UTC).")

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.completed is None and self.on is None:
            raise ValueError("give `completed`, `on` or both; for no rule leave `stop` out")
        return self


class Quota(Part):
    """At most so many completed sessions in one language."""

    language: Language
    completed: Annotated[int, Field(ge=1, le=100_000)] = Field(
        description="Sessions, at most.", examples=[24]
    )


class AnalysisPlan(Part):
    """What will be tested, written down before the first vote."""

    hypothesis: LocalText
    primary: tuple[Name, ...] = Field(
        default=(),
        description="Ids of the trials that decide; all others are exploratory. Of recordings "
        "judged alone, those of both conditions that are compared. Or give `hypotheses`.",
    )
    hypotheses: Annotated[tuple[Hypothesis, ...], Field(min_length=1, max_length=20)] | None = (
        Field(
            default=None,
            description="What decides, instead of `primary`: comparisons with a direction and a "
            "smallest effect; all else is exploratory.",
        )
    )
    rule: Rule | None = Field(
        default=None,
        description="Of several `hypotheses`. `any`: each is a finding of its own, corrected "
        "after Holm (the default); `all`: the study shows something only if all are shown, each "
        "at the full level.",
    )
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = Field(
        default=0.95, description="Of every interval that is reported."
    )
    correction: Literal["none", "holm"] = Field(
        default="none", description="For more than one primary trial."
    )
    interim: Interim | None = Field(
        default=None,
        description="Looks before the end, with `hypotheses` and `stop.completed`; a study that "
        "finds what it is about at one of them stops there.",
    )
    replaces_primary: Annotated[tuple[Name, ...], Field(min_length=1)] | None = Field(
        default=None,
        description="What `primary` was before the file had `hypotheses`: a study that was loaded "
        "with these trials as `primary` goes on with them, and only one that is loaded now for "
        "the first time tests the `hypotheses`.",
    )
    delay_metric: Name | None = Field(
        default=None,
        description="What votes will be set against: a metric of what is heard or felt, called as "
        "the column of the exports without `a_` or `b_`. Curves over all others are exploratory.",
        examples=["playout_concealed_ms"],
    )
    weighed_against: Name | None = Field(
        default=None,
        description="A second metric, called likewise: of preferences, ACR and DCR, how much of "
        "`delay_metric` people put up with for less of this one, the line of equal preference.",
        examples=["playout_damaged_ms"],
    )

    @model_validator(mode="after")
    def _one_way_to_decide(self) -> Self:
        if self.hypotheses is None:
            if not self.primary:
                raise ValueError("nothing decides: give `hypotheses`, or at least one `primary`")
            if self.rule is not None:
                raise ValueError("`rule` is for `hypotheses`; with `primary` use `correction`")
            if self.replaces_primary is not None:
                raise ValueError("`replaces_primary` is for `hypotheses`: leave it out")
        elif self.primary:
            raise ValueError("`primary` and `hypotheses` are two ways to say the same: keep one")
        elif self.correction != "none":
            raise ValueError(
                "leave `correction` out: `rule: any` corrects after Holm, `rule: all` needs none"
            )
        return self

    def as_it_was_meant(self, before: Self | None) -> Self:
        """This plan, deciding by what decided when it was first loaded, if it says so itself."""
        meant = before is not None and before.hypotheses is None and self.replaces_primary
        if before is None or not meant or before.primary != self.replaces_primary:
            return self
        decided = {
            name: getattr(before, name)
            for name in ("primary", "hypotheses", "rule", "correction", "interim")
        }
        return self.model_copy(update=decided | {"replaces_primary": None})
