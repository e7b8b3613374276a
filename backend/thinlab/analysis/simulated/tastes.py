"""How often a planted taste for late or damaged lies in the interval of what is told of it.

Every study has recordings, participants and votes of its own. Of each pair, b differs from a by
either metric, and people answer by both, in a ratio that is planted; what is rated alone is late or
damaged, and rated by both. Recordings and participants differ beyond it (crossed), as in
`thinlab.analysis.simulated.thresholds`, and ratings as in `thinlab.analysis.simulated.scales`, in
whole points. Participants do not differ in the ratio itself: what is told is that of all together.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from thinlab.analysis.delay.fieller import Ratio
from thinlab.analysis.delay.observed import NEITHER, MeasuredVote
from thinlab.analysis.delay.weighed import line, weigh
from thinlab.analysis.simulated.scales import SIMULATED
from thinlab.analysis.simulated.thresholds import CHOICES, CONFIDENCE, WORDS, preferred
from thinlab.analysis.votes import AnalysedVote

LATE, DAMAGED = "late", "damaged"
# Of ratings: the best recording is rated so on average, and the worst by so many points lower, so
# that few are held up by an end of the scale.
BEST, POINTS_APART = 3.8, 1.6
CLIPS = 4


@dataclass(frozen=True)
class Taste:
    """What is asked of whom, and how they answer. Chosen before anything was simulated."""

    worth: float
    """So many units of lateness a unit of damage is worth."""
    scale: Literal["preference", "acr"] = "preference"
    participants: int = 48
    trials: int = 12
    runs: int = 3
    """Each participant gets one of them."""
    slope: float = 3.0
    """Log odds over what recordings differ by in lateness."""
    listeners_differ: float = 0.7
    """Standard deviation in log odds, of b against a."""
    recordings_differ: float = 0.5
    order: float = 0.3
    tie: float = -0.5


@dataclass(frozen=True)
class Recovered:
    """Of one taste."""

    taste: Taste
    studies: int
    told: int
    """Studies that told a line."""
    inside: int
    """Of these, intervals that hold what was planted."""


def recovered(taste: Taste, studies: int, seed: int) -> Recovered:
    """Study by study."""
    told = [found for found in lines(taste, studies, seed) if found is not None]
    inside = sum(one.low <= taste.worth <= one.high for one in told)
    return Recovered(taste, studies, len(told), inside)


def lines(taste: Taste, studies: int, seed: int) -> Iterator[Ratio | None]:
    """What each study tells."""
    chance = np.random.default_rng(seed)
    for _ in range(studies):
        votes = study_votes(taste, chance)
        yield line(weigh(taste.scale, votes, (LATE, DAMAGED)), CONFIDENCE)


def study_votes(taste: Taste, chance: np.random.Generator) -> list[MeasuredVote]:
    """One study."""
    return _rated(taste, chance) if taste.scale == "acr" else _preferred(taste, chance)


def _preferred(taste: Taste, chance: np.random.Generator) -> list[MeasuredVote]:
    """What came late is a, what came damaged b, each somewhat of the other, too."""
    count = taste.trials * taste.runs
    late = np.stack([chance.uniform(0.3, 1.0, count), chance.uniform(0.0, 0.3, count)])
    damaged = np.stack([chance.uniform(0.0, 0.1, count), chance.uniform(0.1, 1.0, count)])
    of_recordings = taste.recordings_differ * chance.normal(size=count)
    who, trial = np.indices((taste.participants, taste.trials))
    heard = trial * taste.runs + (who + trial) % taste.runs
    first = np.tile(np.arange(taste.trials) % 2 == 0, (taste.participants, 1))
    b_first = chance.permuted(first, axis=1)
    worse = np.diff(late, axis=0)[0] + taste.worth * np.diff(damaged, axis=0)[0]
    lean = (
        -taste.slope * worse[heard]
        + taste.listeners_differ * chance.normal(size=(taste.participants, 1))
        + of_recordings[heard]
    )
    given = preferred(lean, np.where(b_first, taste.order, -taste.order), taste.tie, chance)
    return [
        _vote(
            (person, place),
            int(heard[person, place] % taste.runs),
            int(given[person, place]),
            [
                {LATE: float(late[member, at]), DAMAGED: float(damaged[member, at])}
                for member in (0, 1)
            ],
            b_first=bool(b_first[person, place]),
        )
        for person in range(taste.participants)
        for place in range(taste.trials)
        for at in [heard[person, place]]
    ]


def _rated(taste: Taste, chance: np.random.Generator) -> list[MeasuredVote]:
    """Half of the trials are late, the others damaged, each somewhat of the other, too."""
    differ = SIMULATED["acr"].effects
    count = taste.trials * taste.runs
    is_late = np.arange(count) // taste.runs % 2 == 0
    much, little = chance.uniform(0.1, 1.0, count), chance.uniform(0.0, 0.1, count)
    late, damaged = np.where(is_late, much, little), np.where(is_late, little, much)
    clip = np.arange(taste.trials) // 2 % CLIPS
    of_clips = differ.clips * chance.normal(size=CLIPS)
    of_recordings = differ.recordings * chance.normal(size=count)
    who, trial = np.indices((taste.participants, taste.trials))
    heard = trial * taste.runs + (who + trial) % taste.runs
    worse = POINTS_APART * (late + taste.worth * damaged) / max(1.0, taste.worth)
    score = (
        BEST
        + (of_recordings - worse)[heard]
        + of_clips[clip]
        + differ.listeners * chance.normal(size=(taste.participants, 1))
        + differ.noise * chance.normal(size=heard.shape)
    )
    given = np.clip(np.rint(score), 1, 5).astype(int)
    return [
        MeasuredVote(
            AnalysedVote(
                participant=f"p{person}",
                block="main",
                trial=f"t{place}",
                kind="single",
                clip=f"clip {clip[place]}",
                conditions=("late" if is_late[at] else "damaged",),
                answer=int(given[person, place]),
                words=WORDS,
                run=int(at % taste.runs),
                recording=f"r{at}",
            ),
            ({LATE: float(late[at]), DAMAGED: float(damaged[at])},),
        )
        for person in range(taste.participants)
        for place in range(taste.trials)
        for at in [heard[person, place]]
    ]


def _vote(
    at: tuple[int, int], run: int, given: int, members: list[dict[str, float]], *, b_first: bool
) -> MeasuredVote:
    """`given`: 0 for b, 1 for a, 2 for none. `members`: of a, and of b."""
    person, place = at
    answer = CHOICES[given if given == NEITHER or b_first else 1 - given]
    return MeasuredVote(
        AnalysedVote(
            participant=f"p{person}",
            block="main",
            trial=f"t{place}",
            kind="pair",
            clip="speech",
            conditions=("late", "damaged"),
            answer=answer,
            words=WORDS,
            first="b" if b_first else "a",
            run=run,
            recording=f"t{place} {run}",
        ),
        tuple(members[::-1] if b_first else members),
    )
