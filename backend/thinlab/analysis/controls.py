"""Findings on controls: one recording presented as two, or two sessions alike.

They are analysed, not only excluded by.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from thinlab.analysis import category
from thinlab.analysis.enough import told
from thinlab.analysis.findings import ControlFindings, Estimate
from thinlab.analysis.proportion import proportion
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, participants
from thinlab.analysis.wording import counted, interval, p_text, percent


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
    found = proportion(different, [vote.participant for vote in votes], confidence)
    if found is None:
        return None
    sensed, of = votes[0].words.sensed, counted(len(votes), "control")
    estimate = Estimate(
        measure=f"share of controls where a difference was {sensed}",
        value=found.share,
        low=found.low,
        high=found.high,
        null_value=None,
        p_value=None,
        votes=len(votes),
        participants=participants(votes),
        method=found.method,
        sentence=(
            f"A difference was {sensed} in {sum(different)} of {of} ({percent(found.share)}, "
            f"{interval(found.low, found.high, confidence, share=True)})."
        ),
    )
    return told(estimate, confidence, f"how often a difference is {sensed} in controls")


def _side(votes: Sequence[AnalysedVote], confidence: float) -> Estimate | None:
    chose = [vote for vote in votes if vote.answer != "no_difference"]
    firsts = [vote.answer == "first" for vote in chose]
    found = proportion(firsts, [vote.participant for vote in chose], confidence)
    if found is None:
        return None
    estimate = Estimate(
        measure="share for the first presented, of controls where one was chosen",
        value=found.share,
        low=found.low,
        high=found.high,
        null_value=0.5,
        p_value=found.p_half,
        votes=len(chose),
        participants=participants(chose),
        method=found.method,
        sentence=(
            f"Of two {votes[0].words.copies}, the first presented was chosen in {sum(firsts)} of "
            f"{counted(len(chose), 'vote')} ({percent(found.share)}, "
            f"{interval(found.low, found.high, confidence, share=True)}, {p_text(found.p_half)})."
        ),
    )
    return told(estimate, confidence, "to which place people lean in controls")
