"""A trial run by run: what single recordings got.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Sequence

from thinlab.analysis.findings import Estimate, RunFindings
from thinlab.analysis.votes import AnalysedVote


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
