"""What the statistics work on: votes as plain rows, and what was declared about them.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from thinlab.study.hypothesis import Hypothesis, Rule
from thinlab.study.published import PublishedCount
from thinlab.study.scale import ScaleKind
from thinlab.study.schedule import MemberName
from thinlab.study.staircase import QuantityName
from thinlab.study.trial import ChoiceName, Medium

Scope = Literal["other_losses", "these_recordings"]
"""What a finding generalises to, besides other participants."""
TrialKind = Literal["pair", "control", "single", "gold", "trapping", "level"]


COUNTING: frozenset[TrialKind] = frozenset({"pair", "control", "single", "level"})


@dataclass(frozen=True, slots=True)
class TrialWords:
    """How a kind of trial is written about."""

    sensed: str
    """What people did with a difference."""
    copies: str
    """What a control presents."""
    people: str
    """Who votes."""
    meet_these: str
    """What they do with the recordings, or losses, that there are."""


@dataclass(frozen=True, slots=True)
class AnalysedVote:
    """One vote: who, on what, what was presented first, and the answer as presented."""

    participant: str
    block: str
    trial: str
    kind: TrialKind
    clip: str
    conditions: tuple[str, ...]
    """Of a pair (a, b) in the study file's order; of a single recording or a control, one."""
    answer: ChoiceName | int
    """A choice on the preference scale and on ABX; on CCR the second compared to the first; on ACR
    and DCR 1…5."""
    words: TrialWords
    first: MemberName = "a"
    """The pair's member that was presented first; without meaning where there is one recording."""
    training: bool = False
    right: bool | None = None
    """On ABX whether X was told rightly; elsewhere no answer is right or wrong."""
    noticeable: int | None = None
    """How noticeable the difference was, 1 … 4; none where it was not asked."""
    run: int = 0
    recording: str = ""
    """What was heard, by its bytes, of a pair both; of a typed trial its name and run, whose
    sessions meet the same losses. Votes on one recording are not independent of each other."""
    identical: bool = False
    """Whether the two members of a pair are the same bytes: such a vote's `kind` is `control`."""
    position: int = 0
    """In the session, over all its trials; 1 is the first."""
    presentation: int | None = None
    """Its id, by which kinds of trials know what was measured; none of votes that nobody stored."""

    @property
    def rated(self) -> str:
        """The condition that a score is about: of two, the first is its reference."""
        return self.conditions[-1]


@dataclass(frozen=True, slots=True)
class AnalysedStaircase:
    """A staircase on one clip of a block, and what was thought of its threshold before."""

    clip: str
    quantity: QuantityName
    levels: tuple[tuple[str, float], ...]
    """Trials, and the quantity's value in each, ascending."""
    threshold_between: tuple[float, float]
    thresholds: int
    """So many in between, evenly spaced in the logarithm, the ends included."""
    slopes: tuple[float, ...]
    lapse_shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class AnalysedBlock:
    """A block, as far as its votes' meaning goes."""

    id: str
    scale: ScaleKind
    no_difference: bool = True
    """Whether "no difference" was offered; false is a forced choice."""
    trials: tuple[str, ...] = ()
    """Ids in the study file's order, which findings follow."""
    medium: Medium = "heard"
    staircases: tuple[AnalysedStaircase, ...] = ()
    """Of an adaptive block: one for each clip."""
    reference: str | None = None
    """The condition that the others of a page were rated beside; none on other scales."""


@dataclass(frozen=True, slots=True)
class AnalysisPlan:
    """What the study declared before anybody voted."""

    blocks: tuple[AnalysedBlock, ...]
    primary: frozenset[str] = frozenset()
    """Ids of the trials that the hypothesis is about."""
    hypotheses: tuple[Hypothesis, ...] = ()
    """What decides where it is more than trials; then nothing is `primary`."""
    rule: Rule = "any"
    """Of several hypotheses."""
    looks: tuple[int, ...] = ()
    """After how many completed sessions the hypotheses are tested, the end included; none: once."""
    confidence: float = 0.95
    correction: Literal["none", "holm"] = "none"
    hypothesis: str | None = None
    delay_metric: str | None = None
    """What votes were to be set against, by its name in the exports."""
    weighed_against: str | None = None
    """A second metric, of which a unit is to be told in units of `delay_metric`."""
    published: tuple[PublishedCount, ...] = ()
    """What others counted where they asked the same."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is not analysed, to be told with the results."""

    participants_excluded: int = 0
    votes_of_unfinished_sessions: int = 0
    votes_of_other_versions: int = 0


def counting(votes: Iterable[AnalysedVote]) -> list[AnalysedVote]:
    """Those that are analysed: open questions and controls, outside of training."""
    return [vote for vote in votes if not vote.training and vote.kind in COUNTING]


def in_order(block: AnalysedBlock, votes: Iterable[AnalysedVote]) -> list[AnalysedVote]:
    """The block's votes, trial by trial in the study file's order."""
    places = {trial: place for place, trial in enumerate(block.trials)}
    mine = [vote for vote in votes if vote.block == block.id]
    return sorted(mine, key=lambda vote: places.get(vote.trial, len(places)))


def turned(vote: AnalysedVote) -> AnalysedVote:
    """The same vote with a and b exchanged; what was presented first stays first."""
    other: MemberName = "b" if vote.first == "a" else "a"
    return replace(vote, conditions=vote.conditions[::-1], first=other)


def by_conditions(votes: Iterable[AnalysedVote]) -> list[list[AnalysedVote]]:
    """Votes on pairs by their two conditions; a trial that turns them round is turned back."""
    found: dict[tuple[str, ...], list[AnalysedVote]] = {}
    for vote in votes:
        other = vote.conditions[::-1]
        if other in found:
            found[other].append(turned(vote))
        else:
            found.setdefault(vote.conditions, []).append(vote)
    return list(found.values())


def trials_of(votes: Iterable[AnalysedVote]) -> dict[str, list[AnalysedVote]]:
    """Votes by trial, in order of first appearance."""
    found: dict[str, list[AnalysedVote]] = {}
    for vote in votes:
        found.setdefault(vote.trial, []).append(vote)
    return found


def participants(votes: Iterable[AnalysedVote]) -> int:
    """How many different people voted."""
    return len({vote.participant for vote in votes})


def recordings(votes: Iterable[AnalysedVote]) -> int:
    """How many different recordings the votes are about; two of a pair count as one."""
    return len({vote.recording for vote in votes})


def one_vote_each(votes: Sequence[AnalysedVote]) -> bool:
    """Whether nobody voted twice, so that votes are independent."""
    return participants(votes) == len(votes)
