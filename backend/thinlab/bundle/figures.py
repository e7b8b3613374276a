"""Every number that the results page shows, as rows: what an analysis from the files has to find.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from thinlab.analysis.findings import (
    ComparisonFindings,
    ConditionFindings,
    DifferenceFindings,
    Estimate,
    HypothesisFindings,
    NoticeableFindings,
    ReplicationFindings,
    RunFindings,
    StudyResults,
    TrialFindings,
)
from thinlab.export.column import Column, number, text, whole


@dataclass(frozen=True)
class Figure:
    """One number with what is told of it."""

    finding: str
    block: str | None
    subject: str
    estimate: str
    value: float
    run: int | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    these_low: float | None = None
    these_high: float | None = None
    these_p: float | None = None
    votes: int | None = None
    participants: int | None = None
    recordings: int | None = None
    sentence: str | None = None


_SOURCE = "analysis"
FIGURES: tuple[Column[Figure], ...] = (
    text("finding", "what it is about: `trial`, `comparison` and so on", _SOURCE,
         lambda f: f.finding),
    text("block", "the block's id; empty where it is about several", _SOURCE, lambda f: f.block),
    text("subject", "the trial, the two conditions as `a/b`, or the hypothesis", _SOURCE,
         lambda f: f.subject),
    whole("run", "", "of which run alone; empty: of all", _SOURCE, lambda f: f.run),
    text("estimate", "which of the finding's numbers: `share`, `mean` and so on", _SOURCE,
         lambda f: f.estimate),
    number("value", "the estimate's", "the number", _SOURCE, lambda f: f.value),
    number("low", "the estimate's", "its interval's lower end", _SOURCE, lambda f: f.low),
    number("high", "the estimate's", "its interval's upper end", _SOURCE, lambda f: f.high),
    number("p_value", "probability", "of no effect", _SOURCE, lambda f: f.p_value),
    number("p_adjusted", "probability", "the same, corrected for what is tested with it", _SOURCE,
           lambda f: f.p_adjusted),
    number("these_low", "the estimate's", "the interval of these recordings alone: its lower end",
           _SOURCE, lambda f: f.these_low),
    number("these_high", "the estimate's", "and its upper end", _SOURCE, lambda f: f.these_high),
    number("these_p", "probability", "of no effect, of these recordings alone", _SOURCE,
           lambda f: f.these_p),
    whole("votes", "count", "votes behind it", _SOURCE, lambda f: f.votes),
    whole("participants", "count", "people behind it", _SOURCE, lambda f: f.participants),
    whole("recordings", "count", "recordings behind it", _SOURCE, lambda f: f.recordings),
    text("sentence", "the same in plain English", _SOURCE, lambda f: f.sentence),
)  # fmt: skip


def figures(results: StudyResults) -> Iterator[Figure]:
    """In the order of the results."""
    yield from _of_study(results)
    for trial in results.trials:
        yield from _of_trial(trial)
    for comparison in results.comparisons:
        yield from _of_comparison(comparison)
    for noticed in results.noticeable:
        yield from _of_noticeable(noticed)
    for condition in results.conditions:
        yield from _of_condition(condition)
    yield from _of_blocks(results)
    for hypothesis in results.hypotheses:
        yield from _of_hypothesis(hypothesis)
    for replication in results.replications:
        yield from _of_replication(replication)


def _of_blocks(results: StudyResults) -> Iterator[Figure]:
    for one in results.differences:
        yield _of("difference", one.block, _two(one), "difference", one.difference)
    for order in results.order_effects:
        yield _of("order", order.block, order.block, "effect", order.effect)
    for control in results.controls:
        for name in ("false_differences", "side"):
            estimate: Estimate | None = getattr(control, name)
            if estimate is not None:
                yield _of("control", control.block, control.block, name, estimate)
    for same in results.identical:
        yield Figure("same_bytes", same.block, same.trial_id, "votes", same.votes)


def _of_trial(trial: TrialFindings) -> Iterator[Figure]:
    yield from _of_pair("trial", trial.trial_id, trial)
    name = "share" if trial.scale == "preference" else "mean"
    yield from _of_runs("trial", trial.block, trial.trial_id, name, trial.runs)


def _of_comparison(one: ComparisonFindings) -> Iterator[Figure]:
    yield from _of_pair("comparison", _two(one), one)
    if one.majority is not None:
        yield _of("comparison", one.block, _two(one), "majority", one.majority)


def _two(one: ComparisonFindings | DifferenceFindings | NoticeableFindings) -> str:
    return f"{one.condition_a}/{one.condition_b}"


def _of_study(results: StudyResults) -> Iterator[Figure]:
    for name in (
        "participants_analysed",
        "participants_excluded",
        "votes_analysed",
        "votes_of_unfinished_sessions",
        "votes_of_other_versions",
    ):
        yield Figure("study", None, "study", name, getattr(results, name))


def _of(
    finding: str,
    block: str | None,
    subject: str,
    name: str,
    estimate: Estimate,
    run: int | None = None,
) -> Figure:
    these = estimate.these
    return Figure(
        finding,
        block,
        subject,
        name,
        estimate.value,
        run,
        estimate.low,
        estimate.high,
        estimate.p_value,
        estimate.p_adjusted,
        these.low if these else None,
        these.high if these else None,
        these.p_value if these else None,
        estimate.votes,
        estimate.participants,
        estimate.recordings,
        estimate.sentence,
    )


def _counts(
    finding: str, block: str, subject: str, stem: str, histogram: Mapping[int, int]
) -> Iterator[Figure]:
    for given, votes in histogram.items():
        yield Figure(finding, block, subject, f"{stem}_{given}", votes)


def _of_pair(
    finding: str, subject: str, pair: TrialFindings | ComparisonFindings
) -> Iterator[Figure]:
    for name in ("votes_a", "votes_b", "votes_none"):
        yield Figure(finding, pair.block, subject, name, getattr(pair, name))
    yield from _counts(finding, pair.block, subject, "score", pair.histogram)
    for name in ("share", "preference", "mean", "order_effect", "ties"):
        estimate: Estimate | None = getattr(pair, name)
        if estimate is not None:
            yield _of(finding, pair.block, subject, name, estimate)


def _of_runs(
    finding: str, block: str, subject: str, name: str, runs: Sequence[RunFindings]
) -> Iterator[Figure]:
    for one in runs:
        # Counted from 1, as in the exports.
        run = one.run + 1
        yield Figure(finding, block, subject, "votes", one.votes, run)
        if one.estimate is not None:
            yield _of(finding, block, subject, name, one.estimate, run)


def _of_noticeable(noticed: NoticeableFindings) -> Iterator[Figure]:
    subject = "controls"
    if noticed.preferred is not None:
        subject = f"{_two(noticed)} preferring {noticed.preferred}"
    yield from _counts("noticeable", noticed.block, subject, "step", noticed.histogram)
    yield _of("noticeable", noticed.block, subject, "mean", noticed.mean)


def _of_condition(one: ConditionFindings) -> Iterator[Figure]:
    subject = one.condition if one.clip is None else f"{one.condition} with {one.clip}"
    yield from _counts("condition", one.block, subject, "score", one.histogram)
    yield _of("condition", one.block, subject, "mos", one.mos)
    yield from _of_runs("condition", one.block, subject, "mos", one.runs)


def _of_hypothesis(one: HypothesisFindings) -> Iterator[Figure]:
    if one.estimate is None:
        return
    tested = one.estimate.model_copy(
        update={"p_value": one.p_value, "p_adjusted": one.p_adjusted, "sentence": one.sentence}
    )
    yield _of("hypothesis", None, one.id, "difference", tested)
    yield Figure(
        "hypothesis",
        None,
        one.id,
        "equivalence",
        one.estimate.value,
        low=one.equivalence_low,
        high=one.equivalence_high,
        p_value=one.equivalence_p,
        p_adjusted=one.equivalence_p_adjusted,
    )


def _of_replication(one: ReplicationFindings) -> Iterator[Figure]:
    for name in ("published", "ours", "predicted"):
        found: Estimate | None = getattr(one, name)
        if found is not None:
            yield Figure(
                "published",
                None,
                one.trial_id,
                name,
                found.value,
                low=found.low,
                high=found.high,
                sentence=found.sentence,
            )
