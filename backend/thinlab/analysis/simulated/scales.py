"""What is peculiar to each scale in a simulation: how much answers on it differ, and what is shown.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from dataclasses import dataclass

from thinlab.analysis.compared import Unit
from thinlab.study.scale import ScaleKind


@dataclass(frozen=True)
class Effects:
    """Standard deviations, and leanings that are not nought, of one scale."""

    listeners: float
    """Of their preference for b; on ACR and DCR of their level; on ABX of their ear's logarithm."""
    recordings: float
    noise: float
    """Of single answers, on scales of scores: points."""
    order: float
    """Leaning to the first (preference, log odds) or the second (CCR, points)."""
    tie: float = -0.5
    """Log weight of no difference."""
    tastes: float = 0.0
    """ACR and DCR: of what a condition is to a listener."""
    clips: float = 0.0
    """ACR and DCR: of what a clip is to everybody."""
    indifference: float = 0.0
    """In controls, where they are compared with pairs: log weight of no difference (preference),
    or points within which none is told of (CCR)."""
    noticing: float = 0.0
    """Of that, between listeners; and once more between recordings of pairs."""


@dataclass(frozen=True)
class SimulatedScale:
    """One scale in a simulation."""

    effects: Effects
    usual: tuple[float, float, float]
    """Effects that are looked for unless the caller says otherwise: small, middling, large."""
    smallest: float
    """That would matter, where false “no difference” is simulated: wide enough for intervals of a
    dozen recordings."""
    unit: Unit
    heading: str
    """Of the effect's column."""
    no_effect: float = 0.0
    differ_in: str = " points"
    """In what participants and recordings differ."""


# Chosen before anything was simulated: about as much between recordings as between listeners, so
# that intervals of listeners alone would reject in some 10 to 40 of 100 studies.
_RATING = Effects(listeners=0.5, recordings=0.35, noise=0.7, order=0.0, tastes=0.3, clips=0.3)
SIMULATED: Mapping[ScaleKind, SimulatedScale] = {
    "preference": SimulatedScale(
        Effects(
            listeners=0.7, recordings=0.7, noise=0.0, order=0.3, indifference=1.0, noticing=0.7
        ),
        usual=(0.6, 0.7, 0.8),
        smallest=0.2,
        unit="share",
        heading="share",
        no_effect=0.5,
        differ_in=" in log odds",
    ),
    "ccr": SimulatedScale(
        Effects(
            listeners=0.5, recordings=0.5, noise=0.9, order=0.2, indifference=1.0, noticing=0.2
        ),
        usual=(0.25, 0.5, 1.0),
        smallest=0.75,
        unit="cmos",
        heading="CMOS",
    ),
    "acr": SimulatedScale(
        _RATING, usual=(0.25, 0.5, 1.0), smallest=0.75, unit="mos", heading="MOS difference"
    ),
    # Of the logarithm of how well the two are told apart: nobody is worse than chance.
    "abx": SimulatedScale(
        Effects(listeners=0.5, recordings=0.5, noise=0.0, order=0.0),
        usual=(0.6, 0.7, 0.8),
        smallest=0.2,
        unit="share_right",
        heading="right",
        no_effect=0.5,
        differ_in=" in the logarithm of the log odds of a right answer",
    ),
    # As ACR, on a scale of 100 points where it has 4: a quarter of it would be a large effect.
    "mushra": SimulatedScale(
        Effects(listeners=10.0, recordings=7.0, noise=12.0, order=0.0, tastes=7.0, clips=5.0),
        usual=(5.0, 10.0, 20.0),
        smallest=15.0,
        unit="mos",
        heading="score difference",
    ),
    # As ACR: nothing that is known of these recordings says otherwise.
    "dcr": SimulatedScale(
        _RATING, usual=(0.25, 0.5, 1.0), smallest=0.75, unit="mos", heading="DMOS difference"
    ),
}
EFFECTS: Mapping[ScaleKind, Effects] = {kind: one.effects for kind, one in SIMULATED.items()}
