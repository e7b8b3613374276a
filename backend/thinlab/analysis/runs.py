"""A trial run by run: what single recordings got, and which pairs are of the same bytes.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence

from thinlab.analysis.findings import Estimate, IdenticalFindings, RunFindings
from thinlab.analysis.votes import AnalysedVote, trials_of
from thinlab.analysis.wording import counted


def by_run(
    votes: Sequence[AnalysedVote],
    estimate: Callable[[Sequence[AnalysedVote]], Estimate | None],
) -> list[RunFindings]:
    """The votes of one trial, or on one clip under one condition; empty for a single run."""
    runs = sorted({vote.run for vote in votes})
    if len(runs) < 2:  # noqa: PLR2004 - of one, everything is said already
        return []
    found = []
    for run in runs:
        mine = [vote for vote in votes if vote.run == run]
        found.append(
            RunFindings(
                run=run,
                votes=len(mine),
                identical=any(vote.identical for vote in mine),
                estimate=estimate(mine),
            )
        )
    return found


def identical(block: str, votes: Sequence[AnalysedVote]) -> list[IdenticalFindings]:
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
