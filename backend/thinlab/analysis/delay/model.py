"""The model that fits a block's scale, and what is asked of either kind of model.

SPDX-License-Identifier: Apache-2.0
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from thinlab.analysis.crossed import Array
from thinlab.analysis.delay import ordinal, psychometric
from thinlab.analysis.delay.observed import Observed
from thinlab.analysis.votes import Scope
from thinlab.study.scale import RATINGS

STEPS = 40
# Of an ACR scale, above this is good or better: ITU-T P.800, Annex B.
FAIR = 3
CLUSTERED: dict[Scope, str] = {
    "other_losses": "clustered by participant and by recording (leave-one-out, Student's t)",
    "these_recordings": "clustered by participant (leave-one-out, Student's t)",
}
MIXED = (
    "cumulative logit mixed model, random intercepts of participants and recordings (Laplace's "
    "approximation)"
)


@dataclass(frozen=True)
class Spanned:
    """A number with its interval; ends are none where there is no interval."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Drawn:
    """A curve with its band."""

    delay: Array
    value: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class Fitted:
    """What a model comes to."""

    slope: Spanned
    """Log odds of the less delayed, or of a higher score, per unit of the metric."""
    threshold: Spanned | None
    """In the metric's unit, wherever it lies; none where no answer is ever on its other side."""
    separated: bool
    """Whether the votes follow the metric so strictly that they set the slope no bound."""
    drawn: Drawn | None
    scope: Scope
    method: str
    lapse: float | None = None
    spread_participants: float | None = None
    spread_recordings: float | None = None

    def goes_with(self, sign: int) -> bool:
        """Whether the slope has this sign, and its whole interval."""
        end = self.slope.low if sign > 0 else self.slope.high
        return end is not None and end * sign > 0


def fit(observed: Observed, confidence: float) -> Fitted | None:
    """By the block's scale; none where the likelihood has no summit to be found."""
    if observed.scale == "preference":
        return _of_preference(observed, confidence)
    return _of_scores(observed, confidence)


def along(observed: Observed) -> Array:
    """Delays to draw a curve over: of pairs from no difference on."""
    low = float(observed.delay.min()) if observed.scale in RATINGS else 0.0
    found: Array = np.linspace(low, float(observed.delay.max()), STEPS + 1)
    return found


def _of_preference(observed: Observed, confidence: float) -> Fitted:
    found = psychometric.fit(observed, confidence)
    curve, slope = found.curve, found.slope
    drawn = None
    if not found.separated and slope.low is not None and slope.high is not None:
        at = along(observed)
        low, high = (replace(curve, slope=end).share(at) for end in (slope.low, slope.high))
        drawn = Drawn(at, curve.share(at), low, high)
    return Fitted(
        slope=Spanned(slope.value, slope.low, slope.high),
        # The steeper, the less it takes.
        threshold=Spanned(curve.threshold, _reached(slope.high), _reached(slope.low)),
        separated=found.separated,
        drawn=drawn,
        scope=slope.told.scope,
        method="logistic psychometric function with ties, order and lapses, "
        + CLUSTERED[slope.told.scope],
        lapse=curve.lapse,
    )


def _reached(slope: float | None) -> float | None:
    if slope is None:
        return None
    return psychometric.THRESHOLD_LOG_ODDS / slope if slope > 0 else math.inf


def _of_scores(observed: Observed, confidence: float) -> Fitted | None:
    found = ordinal.fit(observed)
    if found is None:
        return None
    cut = 0 if observed.scale == "ccr" else FAIR
    slope_low, slope_high = found.slope_ends(confidence)
    value, ends = found.half_above(cut), found.half_above_ends(cut, confidence)
    drawn = None
    if not found.separated:
        at = along(observed)
        drawn = Drawn(at, found.mean(at), *found.mean_ends(at, confidence))
    return Fitted(
        slope=Spanned(found.slope, slope_low, slope_high),
        threshold=None if value is None else Spanned(value, *(ends or (None, None))),
        separated=found.separated,
        drawn=drawn,
        scope="other_losses",
        method=f"{MIXED}, Student's t",
        spread_participants=found.at.people,
        spread_recordings=found.at.recordings,
    )
