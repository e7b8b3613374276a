"""The curve over one metric of a block's votes: what is drawn of it, and what is told.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

import numpy as np
from scipy import special

from thinlab.analysis.crossed import Array
from thinlab.analysis.delay import model
from thinlab.analysis.delay.findings import CurvePoint, DelayCurve, DelayPoint
from thinlab.analysis.delay.model import Drawn, Spanned
from thinlab.analysis.delay.observed import LESS, NEITHER, Observed
from thinlab.analysis.delay.said import Told
from thinlab.analysis.proportion import proportion
from thinlab.contract.columns import MetricColumn


def over(
    observed: Observed, metric: MetricColumn, confidence: float, *, planned: bool
) -> DelayCurve | None:
    """Votes of which `why_no_curve` says nothing; none where the model cannot be fitted."""
    fitted = model.fit(observed, confidence)
    if fitted is None:
        return None
    said = Told(observed, metric, fitted, confidence, planned).said()
    return DelayCurve(
        points=_points(observed, confidence),
        curve=_drawn(fitted.drawn) if fitted.drawn else [],
        threshold=said.threshold,
        slope=None if fitted.separated else said.slope,
        lapse=fitted.lapse,
        spread_participants=fitted.spread_participants,
        spread_recordings=fitted.spread_recordings,
        unmeasured=observed.unmeasured,
        sentence=said.sentence,
    )


def _drawn(drawn: Drawn) -> list[CurvePoint]:
    rows = zip(drawn.delay, drawn.value, drawn.low, drawn.high, strict=True)
    return [
        CurvePoint(delay=float(delay), value=float(value), low=float(low), high=float(high))
        for delay, value, low, high in rows
    ]


def _points(observed: Observed, confidence: float) -> list[DelayPoint]:
    """Of each recording or pair of them that has a value, in the order of its first vote."""
    places: dict[str, list[int]] = {}
    for number, vote in enumerate(observed.votes):
        places.setdefault(vote.recording, []).append(number)
    found = (_point(observed, mine, confidence) for mine in places.values())
    return [point for point in found if point is not None]


def _point(observed: Observed, mine: Sequence[int], confidence: float) -> DelayPoint | None:
    vote = observed.votes[mine[0]]
    decided = [place for place in mine if observed.answer[place] != NEITHER]
    found = (
        _share(observed, decided, confidence)
        if observed.scale == "preference"
        else _mean(observed.answer[list(mine)].astype(np.float64), confidence)
    )
    if found is None:
        return None
    undecided = len(mine) - len(decided) if observed.scale == "preference" else 0
    return DelayPoint(
        trial_id=vote.trial,
        run=vote.run,
        delay=float(observed.delay[list(mine)].mean()),
        votes=len(mine) - undecided,
        undecided=undecided,
        value=found.value,
        low=found.low,
        high=found.high,
    )


def _share(observed: Observed, decided: Sequence[int], confidence: float) -> Spanned | None:
    found = proportion(
        [bool(observed.answer[place] == LESS) for place in decided],
        [observed.votes[place].participant for place in decided],
        confidence,
    )
    return None if found is None else Spanned(found.share, found.low, found.high)


def _mean(scores: Array, confidence: float) -> Spanned:
    """With Student's interval; one score has none."""
    value = float(scores.mean())
    if len(scores) == 1:
        return Spanned(value, None, None)
    t = float(special.stdtrit(len(scores) - 1, 0.5 + confidence / 2))
    reach = t * float(scores.std(ddof=1)) / float(np.sqrt(len(scores)))
    return Spanned(value, value - reach, value + reach)
