"""A whole study: its declared plan and its votes in, every finding out. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from thinlab.analysis import absolute, category, noticeable, preference
from thinlab.analysis.controls import controls
from thinlab.analysis.correction import holm
from thinlab.analysis.findings import (
    ComparisonFindings,
    ConditionFindings,
    ControlFindings,
    DifferenceFindings,
    Estimate,
    IdenticalFindings,
    InterimFindings,
    LookFindings,
    NoticeableFindings,
    OrderFindings,
    PairFindings,
    StudyResults,
    TrialFindings,
)
from thinlab.analysis.hypotheses import hypotheses
from thinlab.analysis.interim import NOT_LOOKED, Looked, at_the_end
from thinlab.analysis.replication import replications
from thinlab.analysis.runs import by_run, identical
from thinlab.analysis.votes import (
    AnalysedBlock,
    AnalysedVote,
    AnalysisPlan,
    LeftOut,
    counting,
    in_order,
    participants,
    trials_of,
    turned,
)
from thinlab.analysis.wording import counted as number_of
from thinlab.analysis.wording import exploratory, p_text

NOTHING_LEFT_OUT = LeftOut()


def analyse(
    plan: AnalysisPlan,
    votes: Sequence[AnalysedVote],
    left_out: LeftOut = NOTHING_LEFT_OUT,
    looked: Looked = NOT_LOOKED,
) -> StudyResults:
    """What the votes say; training, gold and trapping votes are left out here.

    `looked`: what was found at earlier looks, where any are planned.
    """
    counted = counting(votes)
    trials: list[TrialFindings] = []
    comparisons: list[ComparisonFindings] = []
    conditions: list[ConditionFindings] = []
    differences: list[DifferenceFindings] = []
    orders: list[OrderFindings] = []
    checks: list[ControlFindings] = []
    same: list[IdenticalFindings] = []
    noticed: list[NoticeableFindings] = []
    for block in plan.blocks:
        mine = in_order(block, counted)
        pairs = [vote for vote in mine if vote.kind == "pair"]
        singles = [vote for vote in mine if vote.kind == "single"]
        alike = [vote for vote in mine if vote.kind == "control"]
        trials += [
            _trial(block, plan, of_trial, [vote for vote in alike if vote.trial == name])
            for name, of_trial in trials_of(pairs).items()
        ]
        same += identical(block.id, alike)
        comparisons += _comparisons(block, pairs, plan.confidence)
        conditions += absolute.conditions(block.id, singles, plan.confidence)
        differences += absolute.differences(block.id, singles, plan.primary, plan.confidence)
        orders += _orders(block, pairs, plan.confidence)
        for compared in _compared(pairs):
            noticed += noticeable.by_preferred(block.id, compared, plan.confidence)
        noticed += noticeable.in_controls(block.id, alike, plan.confidence)
        found = controls(block, alike, plan.confidence)
        checks += [found] if found else []
    trials, differences = _decided(trials, differences, plan.correction)
    interim = at_the_end(plan, counted, looked) if plan.looks else None
    declared, together = (
        (interim.looks[-1].hypotheses, interim.looks[-1].together)
        if interim
        else hypotheses(plan, counted)
    )
    results = StudyResults(
        participants_analysed=participants(counted),
        participants_excluded=left_out.participants_excluded,
        votes_analysed=len(counted),
        votes_of_unfinished_sessions=left_out.votes_of_unfinished_sessions,
        votes_of_other_versions=left_out.votes_of_other_versions,
        confidence=plan.confidence,
        correction=plan.correction,
        hypothesis=plan.hypothesis,
        sentences=[],
        hypotheses=declared,
        together=together,
        interim=interim,
        trials=trials,
        comparisons=comparisons,
        conditions=conditions,
        differences=differences,
        order_effects=orders,
        controls=checks,
        identical=same,
        noticeable=noticed,
        replications=replications(plan.published, counted, plan.confidence),
    )
    return results.model_copy(update={"sentences": _sentences(results)})


def at_look(plan: AnalysisPlan, looks: Sequence[LookFindings]) -> StudyResults:
    """What a study that goes on shows of its latest look: the hypotheses, and nothing else."""
    latest = looks[-1]
    results = StudyResults(
        participants_analysed=latest.analysed,
        participants_excluded=(latest.completed or latest.analysed) - latest.analysed,
        votes_analysed=max(
            (one.estimate.votes for one in latest.hypotheses if one.estimate), default=0
        ),
        votes_of_unfinished_sessions=0,
        votes_of_other_versions=0,
        confidence=plan.confidence,
        correction=plan.correction,
        hypothesis=plan.hypothesis,
        sentences=[],
        hypotheses=latest.hypotheses,
        together=latest.together,
        interim=InterimFindings(looks=list(looks), over_run=0),
        trials=[],
        comparisons=[],
        conditions=[],
        differences=[],
        order_effects=[],
        controls=[],
        identical=[],
        noticeable=[],
    )
    return results.model_copy(update={"sentences": _sentences(results)})


def _pair_findings(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> dict[str, Any]:
    """The fields of `PairFindings`."""
    a, b = votes[0].conditions
    common = {
        "block": block.id,
        "condition_a": a,
        "condition_b": b,
        "participants": participants(votes),
    }
    if block.scale == "ccr":
        scores = [category.oriented(vote) for vote in votes]
        fitted = category.cmos(votes, confidence)
        mean, order = fitted or (None, None)
        return common | {
            "scale": "ccr",
            "votes_a": sum(score < 0 for score in scores),
            "votes_b": sum(score > 0 for score in scores),
            "votes_none": sum(score == 0 for score in scores),
            "histogram": category.histogram(votes),
            "mean": mean,
            "order_effect": order,
            "share": None,
            "preference": None,
            "ties": None,
        }
    chosen = [preference.chosen(vote) for vote in votes]
    modelled = preference.modelled(votes, confidence)
    return common | {
        "scale": "preference",
        "votes_a": chosen.count("a"),
        "votes_b": chosen.count("b"),
        "votes_none": chosen.count(None),
        "histogram": {},
        "mean": None,
        "share": preference.share_for_b(votes, confidence),
        "preference": modelled.preference if modelled else None,
        "order_effect": modelled.order if modelled else None,
        "ties": modelled.ties if modelled else None,
    }


def _trial(
    block: AnalysedBlock,
    plan: AnalysisPlan,
    votes: Sequence[AnalysedVote],
    identical_votes: Sequence[AnalysedVote],
) -> TrialFindings:
    """`identical_votes` are of runs whose members are the same bytes: shown, and not counted."""

    def of_run(mine: Sequence[AnalysedVote]) -> Estimate | None:
        if block.scale == "preference":
            return preference.share_for_b(mine, plan.confidence)
        fitted = category.cmos(mine, plan.confidence)
        return fitted[0] if fitted else None

    return TrialFindings(
        trial_id=votes[0].trial,
        clip=votes[0].clip,
        primary=votes[0].trial in plan.primary,
        runs=by_run([*votes, *identical_votes], of_run),
        **_pair_findings(block, votes, plan.confidence),
    )


def _compared(votes: Sequence[AnalysedVote]) -> list[list[AnalysedVote]]:
    """By two conditions; a trial that turns them round is turned back."""
    found: dict[tuple[str, ...], list[AnalysedVote]] = {}
    for vote in votes:
        other = vote.conditions[::-1]
        if other in found:
            found[other].append(turned(vote))
        else:
            found.setdefault(vote.conditions, []).append(vote)
    return list(found.values())


def _comparisons(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> list[ComparisonFindings]:
    """Over all trials of two conditions."""
    return [
        ComparisonFindings(
            trials=len(trials_of(mine)),
            majority=(
                preference.majority(mine, confidence) if block.scale == "preference" else None
            ),
            **_pair_findings(block, mine, confidence),
        )
        for mine in _compared(votes)
    ]


def _orders(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> list[OrderFindings]:
    if not votes or block.scale == "acr":
        return []
    of_block: Callable[[Sequence[AnalysedVote], float], Estimate | None] = (
        category.order_of_block if block.scale == "ccr" else preference.order_of_block
    )
    effect = of_block(votes, confidence)
    return [OrderFindings(block=block.id, scale=block.scale, effect=effect)] if effect else []


def test_of(pair: PairFindings) -> Estimate | None:
    """The finding that a trial's hypothesis is judged by: exact share, or CMOS."""
    return pair.share if pair.scale == "preference" else pair.mean


def _decided(
    trials: list[TrialFindings],
    differences: list[DifferenceFindings],
    correction: Literal["none", "holm"],
) -> tuple[list[TrialFindings], list[DifferenceFindings]]:
    """The primary p-values, corrected as declared over all that are primary."""
    of_trials = [test_of(trial) for trial in trials if trial.primary]
    of_differences = [one.difference for one in differences if one.primary]
    tested = [
        found
        for found in (*of_trials, *of_differences)
        if found is not None and found.p_value is not None
    ]
    if correction == "holm":
        adjusted = holm([found.p_value or 0.0 for found in tested])
        corrected = {
            id(found): _after_holm(found, p_value, len(tested))
            for found, p_value in zip(tested, adjusted, strict=True)
        }
    else:
        corrected = {id(found): _uncorrected(found, len(tested)) for found in tested}

    def of_trial(trial: TrialFindings) -> TrialFindings:
        found = corrected.get(id(test_of(trial)))
        name = "share" if trial.scale == "preference" else "mean"
        return trial.model_copy(update={name: found}) if found else trial

    def of_difference(one: DifferenceFindings) -> DifferenceFindings:
        found = corrected.get(id(one.difference))
        return one.model_copy(update={"difference": found}) if found else one

    return [of_trial(trial) for trial in trials], [of_difference(one) for one in differences]


def _after_holm(found: Estimate, p_value: float, tests: int) -> Estimate:
    told = f"{p_text(p_value)} after Holm's correction for {number_of(tests, 'primary test')}"
    return _told(found, told).model_copy(update={"p_adjusted": p_value, "exploratory": False})


def _uncorrected(found: Estimate, tests: int) -> Estimate:
    """The only test decides; of several without correction, none does more than explore."""
    p_value = found.p_value or 0.0
    if tests == 1:
        return _told(found, p_text(p_value)).model_copy(update={"exploratory": False})
    return _told(found, f"{exploratory(p_value)}, one of {tests} primary tests without correction")


def _told(found: Estimate, test: str) -> Estimate:
    """Findings call their p-values exploratory until it is known which decide."""
    said = exploratory(found.p_value or 0.0)
    return found.model_copy(update={"sentence": found.sentence.replace(said, test, 1)})


def _sentences(results: StudyResults) -> list[str]:
    """What is primary, comparisons, scores, order effects, controls; then the other trials."""

    def of_trial(trial: TrialFindings) -> list[str]:
        found = test_of(trial)
        return [f"{trial.trial_id}: {found.sentence}"] if found else []

    def of_comparison(pair: ComparisonFindings) -> list[str]:
        found = pair.preference if pair.scale == "preference" else pair.mean
        return [found.sentence] if found else []

    def of_control(control: ControlFindings) -> list[str]:
        return [found.sentence for found in (control.false_differences, control.side) if found]

    primary = [line for trial in results.trials if trial.primary for line in of_trial(trial)]
    primary += [one.difference.sentence for one in results.differences if one.primary]
    others = [line for trial in results.trials if not trial.primary for line in of_trial(trial)]
    return [
        *([results.interim.looks[-1].sentence] if results.interim else []),
        *(one.sentence for one in results.hypotheses),
        *([results.together.sentence] if results.together else []),
        *primary,
        *(f"{one.trial_id}: {one.sentence}" for one in results.replications),
        *(line for pair in results.comparisons for line in of_comparison(pair)),
        *(one.mean.sentence for one in results.noticeable),
        *(one.mos.sentence for one in results.conditions if one.clip is None),
        *(one.difference.sentence for one in results.differences if not one.primary),
        *(one.effect.sentence for one in results.order_effects),
        *(one.sentence for one in results.identical),
        *(line for control in results.controls for line in of_control(control)),
        *others,
    ]
