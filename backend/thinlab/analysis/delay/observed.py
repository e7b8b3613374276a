"""The votes of a block beside one metric of what was presented, as arrays.

Of a pair, a vote is told from the delay's point of view: of the two, one is the less delayed by the
metric, and the other is by so much the more delayed. So all pairs of a block lie on one axis,
whichever condition of theirs was the less delayed.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinlab.analysis.category import oriented
from thinlab.analysis.crossed import Array
from thinlab.analysis.preference import chosen
from thinlab.analysis.votes import AnalysedVote
from thinlab.study.scale import RATINGS, ScaleKind

Metrics = Mapping[str, int | float | None]
"""Of one recording or session, by the metrics' names."""
LESS, MORE, NEITHER = 0, 1, 2
"""Preference: for the less delayed, for the more delayed, for none of the two."""
# Enough for any curve: what is typed has a delay of its own in every session.
MOST_VALUES = 250


@dataclass(frozen=True)
class MeasuredVote:
    """A vote, and what was measured of what was presented: first, and second of a pair."""

    vote: AnalysedVote
    presented: tuple[Metrics, ...]


@dataclass(frozen=True)
class Observed:
    """Votes of one block by one metric; arrays have an entry a vote, in the order of `votes`."""

    scale: ScaleKind
    votes: tuple[AnalysedVote, ...]
    delay: Array
    """In the metric's unit: of a pair by how much the one is more delayed than the other, never
    below 0; of what is rated the metric itself."""
    b_less: NDArray[np.bool_]
    """Whether b is the less delayed; true as well where neither is, and where one is rated."""
    less_first: NDArray[np.bool_]
    """Whether the less delayed was presented first."""
    answer: NDArray[np.intp]
    """Preference: `LESS`, `MORE` or `NEITHER`. CCR: the less delayed compared with the more
    delayed. ACR and DCR: the score."""
    unmeasured: int
    """Votes that are left out, as nothing was measured of what was presented."""

    @property
    def people(self) -> list[str]:
        """Who cast each vote."""
        return [vote.participant for vote in self.votes]

    @property
    def recordings(self) -> list[str]:
        """On what."""
        return [vote.recording for vote in self.votes]

    def part(self, kept: NDArray[np.bool_]) -> "Observed":
        """Some of the votes."""
        return Observed(
            self.scale,
            tuple(vote for vote, keep in zip(self.votes, kept, strict=True) if keep),
            self.delay[kept],
            self.b_less[kept],
            self.less_first[kept],
            self.answer[kept],
            self.unmeasured,
        )


def observe(scale: ScaleKind, votes: Sequence[MeasuredVote], metric: str) -> Observed:
    """Votes of which both places, or the only one, have the metric.

    Of what is rated by a reference, the metric is that of what is rated.
    """
    kept: list[tuple[AnalysedVote, float, bool]] = []
    for one in votes:
        values = [part.get(metric) for part in one.presented]
        if len(values) != (1 if scale == "acr" else 2) or None in values:
            continue
        told = [float(value) for value in values if value is not None]
        if scale in RATINGS:
            kept.append((one.vote, told[-1], True))
        else:
            a, b = told if one.vote.first == "a" else told[::-1]
            kept.append((one.vote, abs(a - b), b <= a))
    b_less = np.array([less for _, _, less in kept], dtype=np.bool_)
    b_first = np.array([vote.first == "b" for vote, _, _ in kept], dtype=np.bool_)
    answers = [_answer(scale, vote, b_less=less) for vote, _, less in kept]
    return Observed(
        scale,
        tuple(vote for vote, _, _ in kept),
        rounded(np.array([delay for _, delay, _ in kept], dtype=np.float64)),
        b_less,
        b_less == b_first,
        np.array(answers, dtype=np.intp),
        len(votes) - len(kept),
    )


def rounded(values: Array, most: int = MOST_VALUES) -> Array:
    """To steps of the range where there are more different values than that.

    >>> rounded(np.array([0.0, 0.1, 0.26, 0.5, 1.0]), most=4).tolist()
    [0.0, 0.0, 0.25, 0.5, 1.0]
    """
    if len(np.unique(values)) <= most:
        return values
    low, high = values.min(), values.max()
    found: Array = low + np.rint((values - low) / (high - low) * most) / most * (high - low)
    return found


def _answer(scale: ScaleKind, vote: AnalysedVote, *, b_less: bool) -> int:
    if scale in RATINGS:
        return int(vote.answer)
    if scale == "ccr":
        return int(oriented(vote)) * (1 if b_less else -1)
    member = chosen(vote)
    if member is None:
        return NEITHER
    return LESS if (member == "b") == b_less else MORE
