"""Listeners made of numbers, for tests of the statistics: no server, no sound.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

import numpy as np

from thinlab.analysis.votes import AnalysedVote
from thinlab.study.schedule import MemberName
from thinlab.study.trial import ChoiceName
from thinlab.trials.registry import KINDS

CHOICES: tuple[ChoiceName, ...] = ("first", "second", "no_difference")


@dataclass(frozen=True)
class Truth:
    """What Davidson's model would find with endless votes."""

    preference: float = 0.0
    """Log odds of b against a."""
    order: float = 0.0
    """Log odds of the first presented."""
    tie: float | None = -0.5
    """Log weight of no difference; none: a forced choice."""
    spread: float = 0.0
    """Standard deviation of the preference between listeners."""


def preference_votes(
    chance: np.random.Generator, truth: Truth, *, listeners: int, trials: int = 1
) -> list[AnalysedVote]:
    """Each listener votes once on each trial; sides are balanced."""
    votes = []
    for listener in range(listeners):
        taste = truth.preference + truth.spread * chance.normal()
        sides = chance.permutation(np.arange(trials) + listener) % 2
        for trial in range(trials):
            first: MemberName = "b" if sides[trial] else "a"
            lean = (taste if first == "b" else -taste) + truth.order
            weights = [np.exp(lean / 2), np.exp(-lean / 2)]
            if truth.tie is not None:
                weights.append(np.exp(truth.tie))
            answer = CHOICES[chance.choice(len(weights), p=np.array(weights) / sum(weights))]
            votes.append(vote(f"p{listener}", f"t{trial}", answer, first=first))
    return votes


def vote(  # noqa: PLR0913 - a row
    participant: str,
    trial: str,
    answer: ChoiceName | int,
    *,
    first: MemberName = "a",
    conditions: tuple[str, ...] = ("plain", "modified"),
    kind: str = "pair",
    clip: str = "speech",
    training: bool = False,
    run: int = 0,
    identical: bool = False,
) -> AnalysedVote:
    """One row."""
    return AnalysedVote(
        participant=participant,
        block="main",
        trial=trial,
        kind=kind,  # type: ignore[arg-type]  # spelt out in the tests
        clip=clip,
        conditions=conditions,
        answer=answer,
        words=KINDS["heard"].trial_words,
        first=first,
        training=training,
        run=run,
        recording=f"{trial} {run}",
        identical=identical,
    )
