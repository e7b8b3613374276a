"""What has to be planted, for votes of endless people on endless recordings to show an effect.

The effect is what the results page would say: a share of votes with a preference, or points. What
listeners and recordings add to it makes shares nearer to one half than a typical listener's, and
the ends of a scale make differences smaller; so more has to be planted than is to be seen.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy import optimize, special

from thinlab.analysis.simulated.scales import SIMULATED, Effects
from thinlab.study.scale import RATED, ScaleKind

# Hermite's nodes: enough for shares to seven places where nothing differs by more than 3.
NODES = 60
# Beyond this everybody answers alike; of ratings, beyond so many times the scale.
MOST = 25.0
NO_EFFECT: Mapping[ScaleKind, float] = {kind: one.no_effect for kind, one in SIMULATED.items()}


def planted(effect: float, scale: ScaleKind, effects: Effects, *, ties: bool) -> float | None:
    """On the scale of `Effects`; none where votes cannot show as much."""

    def short(shift: float) -> float:
        return shown(shift, scale, effects, ties=ties) - effect

    most = MOST * (RATED[scale].highest - RATED[scale].lowest if scale in RATED else 1)
    if not short(0.0) <= 0.0 < short(most):
        return None
    return float(optimize.brentq(short, 0.0, most, xtol=1e-9))


def shown(shift: float, scale: ScaleKind, effects: Effects, *, ties: bool) -> float:
    """What votes show where `shift` is planted, both orders being equally frequent."""
    differ = float(np.hypot(effects.listeners, effects.recordings))
    if scale == "abx":
        nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
        return float(
            (weights * special.expit(shift * np.exp(differ * nodes))).sum() / weights.sum()
        )
    if scale == "preference":
        return _share(shift, differ, effects, ties=ties)
    if scale == "ccr":
        spread = float(np.hypot(differ, effects.noise))
        second = _mean(shift + effects.order, spread, -3, 3)
        return (second - _mean(-shift + effects.order, spread, -3, 3)) / 2
    parts = (differ, effects.noise, effects.tastes, effects.clips)
    spread = float(np.linalg.norm(parts))
    rated = RATED[scale]
    ends = (spread, rated.lowest, rated.highest)
    return _mean(rated.middle + shift / 2, *ends) - _mean(rated.middle - shift / 2, *ends)


def noticed(effect: float, shift: float, scale: ScaleKind, effects: Effects) -> float | None:
    """By how much less indifferent people are to pairs than to controls, to tell them apart so.

    `effect`: share of pairs with a difference minus that of controls; `shift`: as planted in these
    pairs. None where votes cannot show as much.
    """
    alike = replace(effects, listeners=0.0, recordings=0.0)
    of_controls = _told_of(0.0, effects.indifference, effects.noticing, scale, alike)
    spread = float(np.hypot(effects.noticing, effects.noticing))

    def short(less: float) -> float:
        told = _told_of(shift, effects.indifference - less, spread, scale, effects)
        return told - of_controls - effect

    if not short(-MOST) <= 0.0 < short(MOST):
        return None
    return float(optimize.brentq(short, -MOST, MOST, xtol=1e-9))


def _told_of(
    shift: float, indifference: float, spread: float, scale: ScaleKind, effects: Effects
) -> float:
    """Share of votes that tell of a difference, both orders being equally frequent."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    weights /= weights.sum()
    within = indifference + spread * nodes
    differ = float(np.hypot(effects.listeners, effects.recordings))
    if scale == "ccr":
        spread_of_scores = float(np.hypot(differ, effects.noise))
        level = np.array([[shift], [-shift]]) + effects.order
        reach = np.maximum(within, 0.0)
        none = special.ndtr((reach - level) / spread_of_scores)
        none -= special.ndtr((-reach - level) / spread_of_scores)
        return float(1 - (weights * none).sum() / 2)
    lean = shift + differ * nodes[:, None] + effects.order * np.array([1.0, -1.0])[:, None, None]
    told = 2 * np.cosh(lean / 2)
    told = told / (told + np.exp(within))
    return float((weights[:, None] * weights * told).sum() / 2)


def _share(shift: float, differ: float, effects: Effects, *, ties: bool) -> float:
    """For b among votes with a preference: who has none weighs nothing."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    lean = shift + differ * nodes + effects.order * np.array([[1.0], [-1.0]])
    for_b, for_a = np.exp(lean / 2), np.exp(-lean / 2)
    total = for_b + for_a + (np.exp(effects.tie) if ties else 0.0)
    b, a = (weights * for_b / total).sum(), (weights * for_a / total).sum()
    return float(b / (a + b))


def _mean(level: float, spread: float, low: int, high: int) -> float:
    """Of scores about `level`, rounded to the scale."""
    thresholds = np.arange(low, high) + 0.5
    return float(low + special.ndtr((level - thresholds) / spread).sum())
