"""ABX: over all trials of two conditions, and trial by trial.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from thinlab.analysis.discrimination.findings import DiscriminationFindings, DiscriminationPart
from thinlab.analysis.result_kind import BlockVotes, Case
from thinlab.analysis.runs import by_run
from thinlab.analysis.told_apart import share_right
from thinlab.analysis.votes import (
    AnalysedBlock,
    AnalysedVote,
    AnalysisPlan,
    by_conditions,
    participants,
    trials_of,
)


def discriminations(case: Case) -> DiscriminationPart:
    """Of all blocks."""
    return DiscriminationPart(
        discriminations=[one for mine in case.blocks for one in _of_block(case.plan, mine)]
    )


def _of_block(plan: AnalysisPlan, of_block: BlockVotes) -> list[DiscriminationFindings]:
    block, votes, confidence = of_block.block, of_block.told_apart, plan.confidence
    found = [_findings(block, mine, confidence) for mine in by_conditions(votes)]
    for name, mine in trials_of(votes).items():
        one = _findings(block, mine, confidence)
        update = {
            "trial_id": name,
            "clip": mine[0].clip,
            "primary": name in plan.primary,
            "runs": by_run(mine, lambda of_run: share_right(of_run, confidence)),
        }
        found.append(one.model_copy(update=update))
    return found


def _findings(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> DiscriminationFindings:
    a, b = votes[0].conditions
    return DiscriminationFindings(
        block=block.id,
        trial_id=None,
        condition_a=a,
        condition_b=b,
        clip=None,
        primary=False,
        participants=participants(votes),
        trials=len(trials_of(votes)),
        right=sum(vote.right is True for vote in votes),
        wrong=sum(vote.right is False for vote in votes),
        share=share_right(votes, confidence),
        runs=[],
    )
