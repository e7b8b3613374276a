"""Conditions compared in pairs: trial by trial, and over all trials that compare them.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from typing import Any

from thinlab.analysis import category, preference
from thinlab.analysis.findings import Estimate
from thinlab.analysis.pairs.findings import ComparisonFindings, PairsPart, TrialFindings
from thinlab.analysis.result_kind import BlockVotes, Case
from thinlab.analysis.runs import by_run
from thinlab.analysis.votes import (
    AnalysedBlock,
    AnalysedVote,
    AnalysisPlan,
    participants,
    trials_of,
)


def pairs(case: Case) -> PairsPart:
    """Of all blocks."""
    return PairsPart(
        trials=[trial for mine in case.blocks for trial in _trials(case.plan, mine)],
        comparisons=[
            one for mine in case.blocks for one in _comparisons(mine, case.plan.confidence)
        ],
    )


def _trials(plan: AnalysisPlan, mine: BlockVotes) -> list[TrialFindings]:
    return [
        _trial(mine.block, plan, of_trial, [vote for vote in mine.controls if vote.trial == name])
        for name, of_trial in trials_of(mine.pairs).items()
    ]


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


def _comparisons(of_block: BlockVotes, confidence: float) -> list[ComparisonFindings]:
    """Over all trials of two conditions."""
    block = of_block.block
    return [
        ComparisonFindings(
            trials=len(trials_of(mine)),
            majority=(
                preference.majority(mine, confidence) if block.scale == "preference" else None
            ),
            **_pair_findings(block, mine, confidence),
        )
        for mine in of_block.compared
    ]
