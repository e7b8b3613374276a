"""The simulated votes of one study as columns, which is what the analysis is given.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from thinlab.analysis import absolute
from thinlab.analysis.crossed import Array
from thinlab.analysis.simulated.answers import Answers
from thinlab.analysis.simulated.presented import Numbers, PresentedTrial


def rated_difference(trials: Sequence[PresentedTrial], on_b: Sequence[bool]) -> Array:
    """`absolute.difference` of trials one under the other; `on_b`: which of them are on b."""
    people = len(trials[0].run)
    clips = sorted({trial.clip for trial in trials})
    return absolute.difference(
        np.repeat(on_b, people),
        np.repeat([clips.index(trial.clip) for trial in trials], people),
    )


@dataclass(frozen=True)
class Column:
    """The votes of one study on several trials, one under the other."""

    given: np.ndarray
    b_first: np.ndarray
    person: Numbers
    recording: Numbers

    @classmethod
    def of(
        cls, trials: list[PresentedTrial], answers: Mapping[str, Answers], study: int
    ) -> "Column":
        """Trials that turn the conditions of the first round are turned back."""
        of_first = trials[0].conditions
        return cls(
            np.concatenate([answers[trial.id].given[study] for trial in trials]),
            np.concatenate([trial.b_first ^ (trial.conditions != of_first) for trial in trials]),
            np.tile(np.arange(len(trials[0].run)), len(trials)),
            np.concatenate([answers[trial.id].recording for trial in trials]),
        )
