"""Findings on controls: one recording presented as two, or two sessions alike.

They are analysed, not only excluded by.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence

from thinlab.analysis import category
from thinlab.analysis.bias.findings import ControlFindings
from thinlab.analysis.findings import Estimate
from thinlab.analysis.share import Claim, of_votes
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, participants
from thinlab.analysis.wording import counted
from thinlab.study.scale import ScaleKind
from thinlab.study.scales.dcr import INAUDIBLE

NO_DIFFERENCE: Mapping[ScaleKind, str | int] = {
    "preference": "no_difference",
    "ccr": 0,
    "dcr": INAUDIBLE,
}
"""What is answered where nothing was told apart, on scales that present two."""


def controls(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> ControlFindings | None:
    """How often a difference was sensed where there is none, and on which side; none without."""
    if not votes or block.scale not in NO_DIFFERENCE:
        return None
    told = block.scale in {"ccr", "dcr"} or block.no_difference
    return ControlFindings(
        block=block.id,
        scale=block.scale,
        votes=len(votes),
        participants=participants(votes),
        false_differences=_false_differences(block, votes, confidence) if told else None,
        side=_side(block, votes, confidence),
    )


def _false_differences(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> Estimate | None:
    alike = NO_DIFFERENCE[block.scale]
    different = [vote.answer != alike for vote in votes]
    sensed, of = votes[0].words.sensed, counted(len(votes), "control")
    claim = Claim(
        measure=f"share of controls where a difference was {sensed}",
        opening=f"A difference was {sensed} in {sum(different)} of {of}",
        what=f"how often a difference is {sensed} in controls",
        tested=False,
    )
    return of_votes(votes, different, claim, confidence)


def _side(
    block: AnalysedBlock, votes: Sequence[AnalysedVote], confidence: float
) -> Estimate | None:
    if block.scale == "dcr":
        return None
    if block.scale == "ccr":
        return category.mean_score(votes, confidence)
    chose = [vote for vote in votes if vote.answer != "no_difference"]
    firsts = [vote.answer == "first" for vote in chose]
    copies, of = votes[0].words.copies, counted(len(chose), "vote")
    claim = Claim(
        measure="share for the first presented, of controls where one was chosen",
        opening=f"Of two {copies}, the first presented was chosen in {sum(firsts)} of {of}",
        what="to which place people lean in controls",
    )
    return of_votes(chose, firsts, claim, confidence)
