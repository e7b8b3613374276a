"""Every kind of result, and what they tell together.

A study's results have the fields of all kinds: whoever shows, exports or bundles them gets those
of a new kind with them.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from thinlab.analysis.adaptive.findings import AdaptivePart
from thinlab.analysis.adaptive.kind import AdaptiveKind
from thinlab.analysis.bias.findings import BiasPart
from thinlab.analysis.bias.kind import BiasKind
from thinlab.analysis.discrimination.findings import DiscriminationPart
from thinlab.analysis.discrimination.kind import DiscriminationKind
from thinlab.analysis.figure import Figure
from thinlab.analysis.hypotheses.findings import HypothesesPart
from thinlab.analysis.hypotheses.kind import HypothesesKind
from thinlab.analysis.mushra.findings import MushraPart
from thinlab.analysis.mushra.kind import MushraKind
from thinlab.analysis.noticeable.findings import NoticeablePart
from thinlab.analysis.noticeable.kind import NoticeableKind
from thinlab.analysis.pairs.findings import PairsPart
from thinlab.analysis.pairs.kind import PairsKind
from thinlab.analysis.position.findings import PositionPart
from thinlab.analysis.position.kind import PositionKind
from thinlab.analysis.replication.findings import ReplicationPart
from thinlab.analysis.replication.kind import ReplicationKind
from thinlab.analysis.result_kind import ResultKind
from thinlab.analysis.scores.findings import ScoresPart
from thinlab.analysis.scores.kind import ScoresKind
from thinlab.analysis.sessions.findings import SessionsPart
from thinlab.analysis.sessions.kind import SessionsKind


class StudyResults(
    HypothesesPart,
    ReplicationPart,
    PairsPart,
    DiscriminationPart,
    AdaptivePart,
    NoticeablePart,
    ScoresPart,
    MushraPart,
    BiasPart,
    PositionPart,
    SessionsPart,
):
    """Everything that the votes of a study say."""

    participants_analysed: int
    participants_excluded: int = Field(description="Left out by rule or by the researcher.")
    votes_analysed: int = Field(description="Without training, gold and trapping trials.")
    votes_of_unfinished_sessions: int = Field(
        description="Left out: votes of participants who have not completed the study, or not yet."
    )
    votes_of_other_versions: int = Field(
        description=(
            "Left out: votes on a trial that means something else in the study's file now: another "
            "clip, task or question, or conditions that send something else."
        )
    )
    confidence: float = Field(description="Of every interval, such as 0.95.")
    correction: Literal["none", "holm"] = Field(
        description="How p-values of primary tests are corrected for their number."
    )
    hypothesis: str | None
    sentences: list[str] = Field(description="The findings in plain English, primary ones first.")


# In this order sentences of one rank come, and the figures of a bundle.
RESULT_KINDS: tuple[ResultKind[Any, Any], ...] = (
    HypothesesKind(),
    ReplicationKind(),
    PairsKind(),
    DiscriminationKind(),
    AdaptiveKind(),
    NoticeableKind(),
    ScoresKind(),
    MushraKind(),
    BiasKind(),
    PositionKind(),
    SessionsKind(),
)


def sentences(results: StudyResults) -> list[str]:
    """What was found, in plain English: what decides, what is primary, the rest, then details."""
    said = [one for kind in RESULT_KINDS for one in kind.sentences(results)]
    return [sentence for _, sentence in sorted(said, key=lambda one: one[0])]


def figures(results: StudyResults) -> Iterator[Figure]:
    """Every number: how many votes count, then kind by kind."""
    for name in (
        "participants_analysed",
        "participants_excluded",
        "votes_analysed",
        "votes_of_unfinished_sessions",
        "votes_of_other_versions",
    ):
        yield Figure("study", None, "study", name, getattr(results, name))
    for kind in RESULT_KINDS:
        yield from kind.figures(results)
