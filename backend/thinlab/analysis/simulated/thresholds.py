"""How often a planted threshold lies in its interval, and which of two metrics is called best.

Every study has recordings, participants and votes of its own. What people answer follows one
metric; recordings and participants differ beyond it (crossed), and some votes are lapses, which
answer anything. The other metric is off by some factor for each recording.

What is planted is what endless votes would show. On the preference scale that is where three in
four of those who choose choose the less delayed, lapses and order taken out: over people and
recordings that differ a flatter curve than a typical listener's. On CCR and ACR, where half of the
votes are on one side, it is the typical listener's, who is in the middle of all.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import optimize, special

from thinlab.analysis.crossed import Array
from thinlab.analysis.delay import model
from thinlab.analysis.delay.accuracy import accuracy
from thinlab.analysis.delay.observed import NEITHER, MeasuredVote, Observed, observe
from thinlab.analysis.delay.psychometric import THRESHOLD_SHARE
from thinlab.analysis.delay.refusal import why_no_curve
from thinlab.analysis.delay.said import Told
from thinlab.analysis.simulated.planted import NODES
from thinlab.analysis.votes import AnalysedVote, TrialWords
from thinlab.contract.columns import MetricColumn
from thinlab.study.scale import ScaleKind
from thinlab.study.trial import ChoiceName

CONFIDENCE = 0.95
RIGHT, WRONG = "right", "wrong"
WORDS = TrialWords("heard", "copies", "listeners", "who hear these recordings")
CHOICES: tuple[ChoiceName, ...] = ("first", "second", "no_difference")
# Where curves end, in the metric's unit, and where the threshold is planted.
MOST_DELAY = 1.0
PLANTED = 0.4


@dataclass(frozen=True)
class Design:
    """What is asked of whom, and how they answer. Chosen before anything was simulated."""

    scale: ScaleKind
    participants: int = 48
    trials: int = 12
    runs: int = 2
    """Each participant gets one of them."""
    listeners_differ: float = 0.7
    """Standard deviation in log odds."""
    recordings_differ: float = 0.5
    order: float = 0.3
    """Log odds of the first presented (preference), or of a higher score for the second (CCR)."""
    tie: float = -0.5
    """Log weight of no difference."""
    lapses: float = 0.02
    wrong_by: float = 0.5
    """Standard deviation of the wrong metric's log about the right one's."""

    @property
    def recordings(self) -> int:
        """Of a study."""
        return self.trials * self.runs


# Preference: so many log odds over the whole range, and where the others cut their scale.
CUTS: dict[ScaleKind, tuple[float, ...]] = {
    "ccr": (-3.5, -2.2, -1.0, 1.2, 2.5, 4.0),
    "acr": (-4.0, -2.8, -1.4, 0.6),
}
LOWEST: dict[ScaleKind, int] = {"ccr": -3, "acr": 1}
# Of CUTS, the one that half of the votes are above at the threshold: none, and fair.
HALF_CUT: dict[ScaleKind, int] = {"ccr": 3, "acr": 2}

Outcome = Literal["inside", "outside", "none"]


@dataclass(frozen=True)
class Simulated:
    """One study's outcome."""

    outcome: Outcome
    """Of the planted threshold and its interval; none: no threshold was told."""
    wrong_preferred: bool | None
    """Whether the wrong metric has the smaller error; none: not looked at."""


@dataclass(frozen=True)
class Coverage:
    """Of one design."""

    design: Design
    studies: int
    inside: int
    told: int
    """Studies that told a threshold."""
    compared: int
    wrong_preferred: int


def coverage(design: Design, studies: int, compared: int, seed: int) -> Coverage:
    """`compared`: in so many of the studies metrics are compared as well, which takes longest."""
    found = list(simulated(design, studies, compared, seed))
    looked_at = [one.wrong_preferred for one in found if one.wrong_preferred is not None]
    return Coverage(
        design,
        studies,
        sum(one.outcome == "inside" for one in found),
        sum(one.outcome != "none" for one in found),
        len(looked_at),
        sum(looked_at),
    )


def simulated(design: Design, studies: int, compared: int, seed: int) -> Iterator[Simulated]:
    """Study by study."""
    slope = planted_slope(design)
    chance = np.random.default_rng(seed)
    for study in range(studies):
        votes = study_votes(design, slope, chance)
        right = observe(design.scale, votes, RIGHT)
        wrong_preferred = None
        if study < compared:
            wrong_preferred = _error(observe(design.scale, votes, WRONG)) < _error(right)
        yield Simulated(_outcome(right), wrong_preferred)


def _outcome(observed: Observed) -> Outcome:
    fitted = None if why_no_curve(observed, RIGHT) else model.fit(observed, CONFIDENCE)
    if fitted is None:
        return "none"
    told = Told(observed, _metric(), fitted, CONFIDENCE, planned=True).said().threshold
    if told is None:
        return "none"
    low = 0.0 if told.low is None else told.low
    high = np.inf if told.high is None else told.high
    return "inside" if low <= PLANTED <= high else "outside"


def _metric() -> MetricColumn:
    return MetricColumn(
        RIGHT, (RIGHT,), float, nullable=False, title=RIGHT, meaning="", unit="", source=""
    )


def _error(observed: Observed) -> float:
    found = accuracy(observed, CONFIDENCE)
    return np.inf if found is None else found.rmse.value


def planted_slope(design: Design) -> float:
    """Log odds per unit of the metric that put the threshold where it is planted."""
    if design.scale != "preference":
        return abs(CUTS[design.scale][HALF_CUT[design.scale]]) / PLANTED

    def short(slope: float) -> float:
        return _share(design, slope * PLANTED) - THRESHOLD_SHARE

    return float(optimize.brentq(short, 0.0, 100.0))


def _share(design: Design, lean: float) -> float:
    """For the less delayed of those who choose, over all listeners and recordings."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    half = (lean + np.hypot(design.listeners_differ, design.recordings_differ) * nodes) / 2
    total = np.exp(half) + np.exp(-half) + np.exp(design.tie)
    less, more = (weights * np.exp(half) / total).sum(), (weights * np.exp(-half) / total).sum()
    return float(less / (less + more))


def study_votes(design: Design, slope: float, chance: np.random.Generator) -> list[MeasuredVote]:
    """One study: b is the less delayed of every pair."""
    count = design.recordings
    # Spread over the range, wherever each lies in its part of it.
    delay = MOST_DELAY * (chance.permutation(count) + chance.random(count)) / count
    wrong = delay * np.exp(design.wrong_by * chance.normal(size=count))
    of_recordings = design.recordings_differ * chance.normal(size=count)
    shape = (design.participants, design.trials)
    of_people = design.listeners_differ * chance.normal(size=(design.participants, 1))
    who, trial = np.indices(shape)
    run = (who + trial) % design.runs
    heard = trial * design.runs + run
    b_first = _balanced(shape, chance)
    lean = slope * delay[heard] + of_people + of_recordings[heard]
    given = _given(design, lean, b_first, chance)
    return [
        MeasuredVote(
            _vote(design, (person, place), int(run[person, place]), given, b_first),
            _measured(
                design,
                delay[heard[person, place]],
                wrong[heard[person, place]],
                b_first[person, place],
            ),
        )
        for person in range(design.participants)
        for place in range(design.trials)
    ]


def _balanced(shape: tuple[int, int], chance: np.random.Generator) -> "np.ndarray":
    """Half of each participant's pairs have b first."""
    first = np.tile(np.arange(shape[1]) % 2 == 0, (shape[0], 1))
    return chance.permuted(first, axis=1)


def _given(
    design: Design, lean: Array, b_first: "np.ndarray", chance: np.random.Generator
) -> "np.ndarray":
    """Answers: of a preference 0 for b, 1 for a, 2 for none; else scores, of CCR of b against a."""
    lapse = chance.random(lean.shape) < design.lapses
    if design.scale == "preference":
        drawn = preferred(lean, np.where(b_first, design.order, -design.order), design.tie, chance)
        return np.where(lapse, chance.integers(0, 3, lean.shape), drawn)
    cuts = np.array(CUTS[design.scale])
    # The more delay the lower, but of b against a the higher, as b is the less delayed.
    second = np.where(b_first, -design.order / 2, design.order / 2)
    eta = lean + second if design.scale == "ccr" else -lean
    above = special.expit(eta[..., None] - cuts)
    score = LOWEST[design.scale] + (chance.random(lean.shape)[..., None] < above).sum(axis=-1)
    anything = LOWEST[design.scale] + chance.integers(0, len(cuts) + 1, lean.shape)
    return np.where(lapse, anything, score)


def preferred(lean: Array, order: Array, tie: float, chance: np.random.Generator) -> "np.ndarray":
    """0 for b, 1 for a, 2 for none, drawn as Davidson's model with an order term has them."""
    told = lean + order
    weights = np.stack([np.exp(told / 2), np.exp(-told / 2), np.full(told.shape, np.exp(tie))])
    shares = np.cumsum(weights / weights.sum(axis=0), axis=0)
    drawn: np.ndarray = (chance.random(lean.shape) > shares[:2]).sum(axis=0)
    return drawn


def _vote(
    design: Design, at: tuple[int, int], run: int, given: "np.ndarray", b_first: "np.ndarray"
) -> AnalysedVote:
    person, place = at
    return AnalysedVote(
        participant=f"p{person}",
        block="main",
        trial=f"t{place}",
        kind="single" if design.scale == "acr" else "pair",
        clip="speech",
        conditions=("delayed",) if design.scale == "acr" else ("more", "less"),
        answer=_answer(design.scale, int(given[at]), b_first=bool(b_first[at])),
        words=WORDS,
        first="b" if b_first[at] and design.scale != "acr" else "a",
        run=run,
        recording=f"t{place} {run}",
    )


def _answer(scale: ScaleKind, given: int, *, b_first: bool) -> ChoiceName | int:
    """As it was presented."""
    if scale == "acr":
        return given
    if scale == "ccr":
        return -given if b_first else given
    return CHOICES[given if given == NEITHER or b_first else 1 - given]


def _measured(
    design: Design,
    right: float,
    wrong: float,
    b_first: bool,
) -> tuple[dict[str, float | None], ...]:
    delayed: dict[str, float | None] = {RIGHT: float(right), WRONG: float(wrong)}
    if design.scale == "acr":
        return (delayed,)
    none: dict[str, float | None] = {RIGHT: 0.0, WRONG: 0.0}
    return (none, delayed) if b_first else (delayed, none)
