"""What the statistics tell, as the researcher's page and the command line get it.

Always member b compared to member a, in the study file's order of `conditions`.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

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


class PairFindings(Finding):
    """Two conditions compared: of one trial, or over all trials that compare them."""

    block: str
    condition_a: str
    condition_b: str
    scale: Literal["preference", "ccr"]
    participants: int
    votes_a: int = Field(description="Votes for a, whichever was presented first.")
    votes_b: int = Field(description="Votes for b, whichever was presented first.")
    votes_none: int = Field(description="Votes for no difference (CCR: a score of 0).")
    histogram: dict[int, int] = Field(
        description="CCR: how many votes for each score of b compared to a; else empty."
    )
    share: Estimate | None = Field(
        description="Preference: share for b among those with a preference; null on CCR."
    )
    preference: Estimate | None = Field(
        description=(
            "Preference: share for b by the Davidson model, with the order effect taken out; "
            "null on CCR or when all answers are `no difference`."
        )
    )
    mean: Estimate | None = Field(
        description="CCR: CMOS of b against a, with the order effect taken out."
    )
    order_effect: Estimate | None = Field(
        description="Leaning to the first or second presented, whatever it is (side bias)."
    )
    ties: Estimate | None = Field(
        description="Preference with `no difference` offered: its share if both are equally good."
    )


class TrialFindings(PairFindings):
    """One trial, where each participant votes once."""

    trial_id: str
    clip: str
    primary: bool = Field(description="Declared in the analysis plan as what the study is about.")
    runs: list[RunFindings] = Field(
        description="Run by run, where there are several; those that are the same bytes as well."
    )


class ComparisonFindings(PairFindings):
    """Two conditions over all trials of a block that compare them; votes repeat by participant."""

    trials: int = Field(description="How many trials compare these two.")
    majority: Estimate | None = Field(
        description="Share of participants with more votes for b than for a, of those who lean."
    )


class ConditionFindings(Finding):
    """ACR: one condition's mean opinion score."""

    block: str
    condition: str
    clip: str | None = Field(description="Null: over all clips.")
    participants: int
    histogram: dict[int, int] = Field(description="How many votes for each score.")
    mos: Estimate
    runs: list[RunFindings] = Field(
        description="Run by run, where the condition was heard in several with one clip."
    )


class DifferenceFindings(Finding):
    """ACR: by how much two conditions' mean opinion scores differ."""

    block: str
    condition_a: str
    condition_b: str
    primary: bool = Field(
        description="Declared in the analysis plan: over the primary trials of both conditions."
    )
    difference: Estimate = Field(description="MOS of b minus MOS of a.")


class OrderFindings(Finding):
    """Leaning to one place over a whole block, with all preferences taken out."""

    block: str
    scale: Literal["preference", "ccr"]
    effect: Estimate


class ControlFindings(Finding):
    """Controls: one recording as two, or two sessions alike, where no difference is a true one."""

    block: str
    scale: Literal["preference", "ccr"]
    votes: int
    participants: int
    false_differences: Estimate | None = Field(
        description="Share who told of a difference; null with a forced choice, where all must."
    )
    side: Estimate | None = Field(
        description=(
            "Preference: share for the first presented, of those who chose; CCR: mean score. "
            "Null when nobody chose."
        )
    )


class IdenticalFindings(Finding):
    """A pair of which both members are the same bytes in some runs: analysed as controls there."""

    block: str
    trial_id: str
    condition_a: str
    condition_b: str
    runs: list[int] = Field(description="Those that are the same bytes, counted from 0.")
    votes: int = Field(description="Votes on them.")
    sentence: str = Field(description="The same in plain English, to paste into a text.")


class NoticeableFindings(Finding):
    """How noticeable a difference was to those who preferred one of two."""

    block: str
    condition_a: str | None = Field(description="Null: controls, which have one condition.")
    condition_b: str | None
    preferred: str | None = Field(description="The condition that these preferred; null: controls.")
    histogram: dict[int, int] = Field(description="How many votes for each step, 1 … 4.")
    mean: Estimate


class ReplicationFindings(Finding):
    """A published count beside our own votes on the same question."""

    trial_id: str
    condition: str = Field(description="That these votes are for.")
    among: Literal["all", "decided"] = Field(
        description="Of which votes they are a share: all, or those with a preference."
    )
    source: str = Field(description="Where it was published.")
    differs: str | None = Field(description="In what that study was unlike this one.")
    published_count: int
    published_of: int
    published: Estimate = Field(description="The published share, with its exact interval.")
    count: int | None = Field(default=None, description="Our votes for it; null: none yet.")
    of: int | None = Field(default=None, description="Of so many of ours; null: none yet.")
    ours: Estimate | None = Field(default=None, description="Our share; null: no votes yet.")
    predicted: Estimate | None = Field(
        default=None,
        description="Share in a replication with as many votes as ours, by the published counts "
        "alone: the interval is one of prediction; null: no votes yet.",
    )
    predicted_low: int | None = Field(default=None, description="The same as counts: the fewest.")
    predicted_high: int | None = Field(default=None, description="And the most.")
    inside: bool | None = Field(
        default=None, description="Whether ours is within what was foretold; null: no votes yet."
    )
    sentence: str = Field(description="The same in plain English, to paste into a text.")


Verdict = Literal["difference", "small_difference", "no_difference", "neither", "too_few"]


class HypothesisFindings(Finding):
    """A declared hypothesis: what was found of it, and what that is worth."""

    id: str
    unit: Literal["share", "cmos", "mos", "difference_of_shares"] = Field(
        description="Of the estimate and the smallest effect."
    )
    trials: list[str] = Field(description="Ids of the trials that it is about.")
    condition_a: str | None = Field(description="Null: pairs are compared with controls.")
    condition_b: str | None
    direction: str = Field(
        description="`two_sided`, or the condition (of controls: `trials`) with more expected."
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


class TypedFigures(Finding):
    """What is counted and measured of typing sessions."""

    done: int = Field(description="Sessions that count, of the participants analysed.")
    void: int = Field(description="Their sessions that do not count, and were typed again.")
    void_by_host: int = Field(description="Of those, the ones that our own machines spoilt.")
    participants_typed_again: int = Field(
        description="Participants who typed a session again for what our machines did."
    )
    late_emulators: int = Field(description="Sessions that count, of which packets came late.")
    unmeasured: int = Field(description="Sessions that count, of which no key's wait is known.")
    host_wait_max_ms: float | None = Field(
        description="The longest that a key of those that count waited for our own machines."
    )
    void_wait_max_ms: float | None = Field(description="The same of those that are void.")


class SessionFindings(Finding):
    """What votes rest on where a trial's sessions were live."""

    spoilt: bool = Field(description="Whether votes may be answers to our machines.")
    sentence: str = Field(description="The same in plain English, to paste into a text.")


class TypedSessions(SessionFindings, TypedFigures):
    """What the votes on typed trials rest on; sessions of training are left out."""


class StudyResults(Finding):
    """Everything that the votes of a study say."""

    participants_analysed: int
    participants_excluded: int = Field(description="Left out by rule or by the researcher.")
    votes_analysed: int = Field(description="Without training, gold and trapping trials.")
    votes_of_unfinished_sessions: int = Field(
        description="Left out: votes of participants who have not completed the study, or not yet."
    )
    votes_of_other_versions: int = Field(
        description=(
            "Left out: votes on a trial that the study's file has since changed in clip, "
            "conditions or scale."
        )
    )
    confidence: float = Field(description="Of every interval, such as 0.95.")
    correction: Literal["none", "holm"] = Field(
        description="How p-values of primary tests are corrected for their number."
    )
    hypothesis: str | None
    sentences: list[str] = Field(description="The findings in plain English, primary ones first.")
    hypotheses: list[HypothesisFindings] = Field(
        default=[], description="What was declared to decide, where it is more than trials."
    )
    together: TogetherFindings | None = Field(
        default=None, description="Null but where several hypotheses must all be shown."
    )
    interim: InterimFindings | None = Field(
        default=None, description="Null but where looks before the end are planned."
    )
    trials: list[TrialFindings]
    comparisons: list[ComparisonFindings]
    conditions: list[ConditionFindings]
    differences: list[DifferenceFindings]
    order_effects: list[OrderFindings]
    controls: list[ControlFindings]
    identical: list[IdenticalFindings] = Field(
        description="Pairs of the same bytes, which count as controls and not as pairs."
    )
    noticeable: list[NoticeableFindings] = Field(
        description="Where the scale asks how noticeable a difference was; else empty."
    )
    replications: list[ReplicationFindings] = Field(
        default=[], description="Published counts beside our own, where the study names any."
    )
    typed: TypedSessions | None = Field(
        default=None, description="How the typing sessions went; null where nobody has typed."
    )
