"""How noticeable a difference was, 1 … 4, of those who preferred one of two.

It is asked only after a preference: nobody says how noticeable no difference was. So these
figures stand beside the preference, by what was preferred, and are never multiplied with it.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Sequence

from thinlab.analysis import score
from thinlab.analysis.noticeable.findings import NoticeableFindings, NoticeablePart
from thinlab.analysis.preference import chosen
from thinlab.analysis.result_kind import Case
from thinlab.analysis.votes import AnalysedVote
from thinlab.analysis.wording import plain

STEPS = (1, 2, 3, 4)


def noticeable(case: Case) -> NoticeablePart:
    """Of all blocks: pairs, then controls."""
    found: list[NoticeableFindings] = []
    for mine in case.blocks:
        for compared in mine.compared:
            found += _by_preferred(mine.block.id, compared, case.plan.confidence)
        found += _in_controls(mine.block.id, mine.controls, case.plan.confidence)
    return NoticeablePart(noticeable=found)


def _by_preferred(
    block: str, pairs: Sequence[AnalysedVote], confidence: float
) -> list[NoticeableFindings]:
    """Of one pair of conditions, those who preferred either; only where it was asked."""
    conditions = pairs[0].conditions
    found = []
    for member, name, other in zip("ab", conditions, conditions[::-1], strict=True):
        votes = [vote for vote in pairs if vote.noticeable is not None and chosen(vote) == member]
        if votes:
            opening = f"Who preferred {name} to {other}"
            found.append(_findings(block, conditions, name, votes, confidence, opening))
    return found


def _in_controls(
    block: str, controls: Sequence[AnalysedVote], confidence: float
) -> list[NoticeableFindings]:
    """The same of differences where there is none: what a step is worth."""
    votes = [vote for vote in controls if vote.noticeable is not None]
    if not votes:
        return []
    opening = "Who found a difference in a control"
    return [_findings(block, (), None, votes, confidence, opening)]


def _findings(
    block: str,
    conditions: tuple[str, ...],
    preferred: str | None,
    votes: Sequence[AnalysedVote],
    confidence: float,
    opening: str,
) -> NoticeableFindings:
    steps = [vote.noticeable or 0 for vote in votes]
    counts = Counter(steps)
    mean = score.mean(votes, [float(step) for step in steps], confidence)
    condition_a, condition_b = conditions or (None, None)
    return NoticeableFindings(
        block=block,
        condition_a=condition_a,
        condition_b=condition_b,
        preferred=preferred,
        histogram={step: counts[step] for step in STEPS},
        mean=score.estimate(
            votes,
            mean,
            confidence,
            measure="how noticeable the difference was, 1 … 4, mean",
            opening=f"{opening} called the difference noticeable at {plain(mean.value)} on 1…4",
            tested=False,
        ),
    )
