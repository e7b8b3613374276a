"""Findings on controls: one recording presented as two, or two sessions alike.

They are analysed, not only excluded by.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from thinlab.analysis import category
from thinlab.analysis.bias.findings import ControlFindings
from thinlab.analysis.findings import Estimate
from thinlab.analysis.share import Claim, of_votes
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, participants
from thinlab.analysis.wording import counted


def controls(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> ControlFindings | None:
    """How often a difference was sensed where there is none, and on which side; none without."""
    if not votes or block.scale == "acr":
        return None
    on_categories = block.scale == "ccr"
    return ControlFindings(
        block=block.id,
        scale="ccr" if on_categories else "preference",
        votes=len(votes),
        participants=participants(votes),
        false_differences=(
            _false_differences(votes, confidence) if on_categories or block.no_difference else None
        ),
        side=category.mean_score(votes, confidence) if on_categories else _side(votes, confidence),
    )


def _false_differences(votes: Sequence[AnalysedVote], confidence: float) -> Estimate | None:
    different = [vote.answer not in {"no_difference", 0} for vote in votes]
    sensed, of = votes[0].words.sensed, counted(len(votes), "control")
    claim = Claim(
        measure=f"share of controls where a difference was {sensed}",
        opening=f"A difference was {sensed} in {sum(different)} of {of}",
        what=f"how often a difference is {sensed} in controls",
        tested=False,
    )
    return of_votes(votes, different, claim, confidence)


def _side(votes: Sequence[AnalysedVote], confidence: float) -> Estimate | None:
    chose = [vote for vote in votes if vote.answer != "no_difference"]
    firsts = [vote.answer == "first" for vote in chose]
    copies, of = votes[0].words.copies, counted(len(chose), "vote")
    claim = Claim(
        measure="share for the first presented, of controls where one was chosen",
        opening=f"Of two {copies}, the first presented was chosen in {sum(firsts)} of {of}",
        what="to which place people lean in controls",
    )
    return of_votes(chose, firsts, claim, confidence)
