"""Answers that are no preference: leaning to a place, and differences told of where there are none.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from thinlab.analysis import category, preference
from thinlab.analysis.bias.controls import controls
from thinlab.analysis.bias.findings import (
    BiasPart,
    ControlFindings,
    IdenticalFindings,
    OrderFindings,
)
from thinlab.analysis.result_kind import Case
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, trials_of
from thinlab.analysis.wording import counted
from thinlab.study.scale import PREFERENCES

if TYPE_CHECKING:
    from thinlab.analysis.findings import Estimate


def bias(case: Case) -> BiasPart:
    """Of all blocks."""
    confidence = case.plan.confidence
    orders: list[OrderFindings] = []
    checks: list[ControlFindings] = []
    same: list[IdenticalFindings] = []
    for mine in case.blocks:
        orders += _orders(mine.block, mine.pairs, confidence)
        found = controls(mine.block, mine.controls, confidence)
        checks += [found] if found else []
        same += _identical(mine.block.id, mine.controls)
    return BiasPart(order_effects=orders, controls=checks, identical=same)


def _orders(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> list[OrderFindings]:
    if not votes or block.scale not in PREFERENCES:
        return []
    of_block: Callable[[Sequence[AnalysedVote], float], Estimate | None] = (
        category.order_of_block if block.scale == "ccr" else preference.order_of_block
    )
    effect = of_block(votes, confidence)
    return [OrderFindings(block=block.id, scale=block.scale, effect=effect)] if effect else []


def _identical(block: str, votes: Sequence[AnalysedVote]) -> list[IdenticalFindings]:
    """The pairs of a block's votes whose members are the same bytes, trial by trial."""
    found = []
    for trial, mine in trials_of(vote for vote in votes if vote.identical).items():
        runs = sorted({vote.run for vote in mine})
        a, b = mine[0].conditions
        named = ", ".join(str(run + 1) for run in runs)
        found.append(
            IdenticalFindings(
                block=block,
                trial_id=trial,
                condition_a=a,
                condition_b=b,
                runs=runs,
                votes=len(mine),
                sentence=(
                    f"{trial}: in run{'' if len(runs) == 1 else 's'} {named}, {a} and {b} came out "
                    f"as the same bytes; {counted(len(mine), 'vote')} on them "
                    f"{'is' if len(mine) == 1 else 'are'} analysed as controls."
                ),
            )
        )
    return found
