"""Thresholds from the votes of adaptive blocks.

Each person's posterior is that which chose the trials (`thinlab.questplus`), after all of them.
That levels were chosen by earlier answers is of no account to it: given what was presented, the
answers' likelihood is the same (the likelihood principle; J. O. Berger and R. L. Wolpert, 1988).

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Sequence

import numpy as np

from thinlab.analysis import preference
from thinlab.analysis.adaptive.findings import (
    AdaptivePart,
    CurvePoint,
    GroupThresholdFindings,
    LevelFindings,
    PersonThreshold,
    StaircaseFindings,
    StairStep,
)
from thinlab.analysis.result_kind import BlockVotes, Case
from thinlab.analysis.votes import AnalysedStaircase, AnalysedVote, recordings
from thinlab.analysis.wording import counted
from thinlab.questplus.function import Grid, right_share
from thinlab.questplus.group import GroupThreshold, group_threshold
from thinlab.questplus.posterior import Answer, Posterior
from thinlab.study.blocks.adaptive.levels import QUANTITIES, THRESHOLDS, written

METHOD = "QUEST+ posterior; hierarchical normal model of log thresholds, flat priors"
CURVE_POINTS = 41


def thresholds(case: Case) -> AdaptivePart:
    """Of each clip of each adaptive block that has votes."""
    found = (
        _staircase(mine, staircase, case.plan.confidence)
        for mine in case.blocks
        for staircase in mine.block.staircases
    )
    return AdaptivePart(staircases=[one for one in found if one.people])


def grid_of(staircase: AnalysedStaircase) -> Grid:
    """What was thought possible."""
    lowest, highest = staircase.threshold_between
    return Grid.between(lowest, highest, staircase.slopes, staircase.lapse_shares, THRESHOLDS)


def _staircase(
    mine: BlockVotes, staircase: AnalysedStaircase, confidence: float
) -> StaircaseFindings:
    values = dict(staircase.levels)
    votes = [vote for vote in mine.levels if vote.trial in values]
    of_people: dict[str, list[AnalysedVote]] = {}
    for vote in sorted(votes, key=lambda one: one.position):
        of_people.setdefault(vote.participant, []).append(vote)
    grid = grid_of(staircase)
    posteriors = {
        name: Posterior.of(
            grid, [Answer(math.log10(values[one.trial]), right=is_right(one)) for one in own]
        )
        for name, own in sorted(of_people.items())
    }
    likelihoods = np.array([one.of_threshold for one in posteriors.values()])
    group = group_threshold(grid.log_thresholds, likelihoods, confidence) if votes else None
    people = [
        _person(name, posterior, of_people[name], values, confidence)
        for name, posterior in posteriors.items()
    ]
    told = None if group is None else _group(group)
    return StaircaseFindings(
        block=mine.block.id,
        clip=staircase.clip,
        quantity=staircase.quantity,
        levels=[
            LevelFindings(
                level=value,
                votes=sum(one.trial == trial for one in votes),
                right=sum(one.trial == trial and is_right(one) for one in votes),
            )
            for trial, value in staircase.levels
        ],
        people=people,
        group=told,
        curve=[] if group is None else _curve(group, list(posteriors.values()), values),
        votes=len(votes),
        recordings=recordings(votes),
        method=METHOD,
        sentence=_sentence(mine.block.id, staircase, told, people, confidence),
    )


def is_right(vote: AnalysedVote) -> bool:
    """Whether the reference was chosen, which the study's file names first."""
    return preference.chosen(vote) == "a"


def _person(
    name: str,
    posterior: Posterior,
    votes: Sequence[AnalysedVote],
    values: dict[str, float],
    confidence: float,
) -> PersonThreshold:
    low, high = (10**end for end in posterior.interval(confidence))
    return PersonThreshold(
        participant=name,
        threshold=10**posterior.log_threshold,
        low=low,
        high=high,
        sd_decades=posterior.sd,
        beyond=low < min(values.values()) or high > max(values.values()),
        recordings=recordings(votes),
        steps=[StairStep(level=values[one.trial], right=is_right(one)) for one in votes],
    )


def _group(found: GroupThreshold) -> GroupThresholdFindings:
    return GroupThresholdFindings(
        threshold=10**found.log_threshold,
        low=10**found.low,
        high=10**found.high,
        between_factor=10**found.between,
    )


def _curve(
    group: GroupThreshold, posteriors: Sequence[Posterior], values: dict[str, float]
) -> list[CurvePoint]:
    slope = float(np.mean([one.slope for one in posteriors]))
    lapse_share = float(np.mean([one.lapse_share for one in posteriors]))
    ends = np.log10([min(values.values()) / 2, max(values.values()) * 2])
    logs = np.linspace(ends[0], ends[1], CURVE_POINTS)
    shares = right_share(logs, group.log_threshold, slope, lapse_share)
    return [
        CurvePoint(level=float(10**log), share=float(share))
        for log, share in zip(logs, shares, strict=True)
    ]


def _sentence(
    block: str,
    staircase: AnalysedStaircase,
    group: GroupThresholdFindings | None,
    people: Sequence[PersonThreshold],
    confidence: float,
) -> str:
    about = f"{block}, {staircase.clip}"
    who = counted(len(people), "listener")
    if group is None:
        return f"{about}: {who}; what thresholds have in common takes three or more."

    def said(value: float) -> str:
        # Three digits are more than a staircase tells.
        return written(float(f"{value:.3g}"), staircase.quantity)

    beyond = sum(one.beyond for one in people)
    reaches = (
        f" Of {beyond} of them the interval reaches beyond the levels that were recorded."
        if beyond
        else ""
    )
    return (
        f"{about}: the typical listener's threshold is {said(group.threshold)} "
        f"{QUANTITIES[staircase.quantity].words} ({confidence * 100:g} % credible interval "
        f"{said(group.low)} to {said(group.high)}), of {who}, who differ by a factor of "
        f"{group.between_factor:.2f}. It generalises to other listeners who hear these "
        f"recordings.{reaches}"
    )
