"""How well a metric predicts what recordings get, by the figures of ITU-T P.1401.

Each recording has the value that its votes gave it, with an interval, and one that is predicted
from its metric: by what was fitted to the votes on other recordings, so that nothing is fitted to
what it predicts. Recordings are parted into at most `MOST_FOLDS`, each predicted from all others.

Preference is predicted by the psychometric function; CCR by a straight line through the origin,
as of two that do not differ none is better; ACR by a straight line: P.1401's mapping of the first
order. Values of pairs are here those of b against a, so that all metrics predict the same.

P.1401 (2020), clause 7.5: root mean square error and correlation; outliers, predicted outside of
the interval of a recording's own votes. Clause 7.7: RMSE*, to which an error counts as far as it
leads outside of that. As nothing is fitted to what is predicted, one degree of freedom is lost.

SPDX-License-Identifier: Apache-2.0
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from thinlab.analysis.crossed import Array, numbered
from thinlab.analysis.delay import psychometric
from thinlab.analysis.delay.observed import LESS, NEITHER, Observed

MOST_FOLDS = 10
# Fisher's interval of a correlation has the root of so many less in it.
FEWEST_RECORDINGS = 4
OUTLIER_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Figure:
    """A figure with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Accuracy:
    """Of one metric."""

    recordings: int
    rmse: Figure
    """In the unit of what is predicted: a share, or points of the scale."""
    rmse_star: Figure
    correlation: Figure | None
    """None where all recordings are predicted, or judged, alike."""
    outliers: Figure
    """A share of recordings."""


@dataclass(frozen=True)
class Judged:
    """Recordings with votes; arrays have an entry a recording."""

    delay: Array
    """Of pairs: a's less b's."""
    value: Array
    reach: Array
    """Half of the interval of its own votes."""
    votes: Array


def judged(observed: Observed) -> tuple[Judged, NDArray[np.intp]]:
    """What votes give each recording; and of each vote the number of its recording, or −1."""
    kept = (
        observed.answer != NEITHER
        if observed.scale == "preference"
        else np.full(len(observed.votes), fill_value=True)
    )
    recording = numbered(observed.recordings)
    turned = np.where(observed.b_less, 1.0, -1.0)
    if observed.scale == "preference":
        value = ((observed.answer == LESS) == observed.b_less).astype(np.float64)
    elif observed.scale == "ccr":
        value = turned * observed.answer
    else:
        value = observed.answer.astype(np.float64)
    # Those of whose votes there are none to be judged by have no number.
    there = np.unique(recording[kept])
    place = np.full(int(recording.max(initial=-1)) + 1, -1, dtype=np.intp)
    place[there] = np.arange(len(there))
    number = np.where(kept, place[recording], -1)
    of, values = number[kept], value[kept]
    votes = np.bincount(of, minlength=len(there)).astype(np.float64)
    mean = np.bincount(of, values, len(there)) / votes
    delay = np.bincount(of, (turned * observed.delay)[kept], len(there)) / votes
    if observed.scale == "preference":
        reach = _wilson_reach(mean, votes)
    else:
        square = np.bincount(of, values**2, len(there)) / votes - mean**2
        reach = _student_reach(np.maximum(square, 0.0), votes)
    return Judged(delay, mean, reach, votes), number


def _wilson_reach(share: Array, votes: Array) -> Array:
    """Half of Wilson's interval: never nought, where all votes agree."""
    z = float(stats.norm.ppf(0.5 + OUTLIER_CONFIDENCE / 2))
    reach: Array = (
        z * np.sqrt(share * (1 - share) / votes + (z / (2 * votes)) ** 2) / (1 + z**2 / votes)
    )
    return reach


def _student_reach(square: Array, votes: Array) -> Array:
    """Half of Student's interval; one vote says nothing, and then nothing is outside of it."""
    several = np.maximum(votes, 2)
    t = stats.t.ppf(0.5 + OUTLIER_CONFIDENCE / 2, several - 1)
    return np.where(votes > 1, t * np.sqrt(square / (several - 1)), np.inf)


def accuracy(observed: Observed, confidence: float) -> Accuracy | None:
    """None with fewer recordings than `FEWEST_RECORDINGS`, or where only one value is measured."""
    recordings, number = judged(observed)
    if len(recordings.value) < FEWEST_RECORDINGS or np.ptp(recordings.delay) == 0:
        return None
    predicted = _predicted(observed, recordings, number)
    return figures(recordings.value, recordings.reach, predicted, confidence)


def _predicted(observed: Observed, recordings: Judged, number: NDArray[np.intp]) -> Array:
    count = len(recordings.value)
    # Neighbours in the study's order are of one trial: they go to different folds.
    fold = np.arange(count) % min(count, MOST_FOLDS)
    predicted = np.empty(count)
    for left_out in range(int(fold.max()) + 1):
        here = fold == left_out
        if observed.scale == "preference":
            others = observed.part((number < 0) | ~here[number])
            curve = psychometric.curve_of(others)
            for_less = curve.share_in_both_orders(abs(recordings.delay[here]))
            predicted[here] = np.where(recordings.delay[here] >= 0, for_less, 1 - for_less)
        else:
            predicted[here] = _line(recordings, here, through_origin=observed.scale == "ccr")
    return predicted


def _line(recordings: Judged, here: NDArray[np.bool_], *, through_origin: bool) -> Array:
    """By votes; within the scale."""
    x, others = recordings.delay, ~here
    columns = np.ones((len(x), 2 - through_origin))
    columns[:, 0] = x
    root = np.sqrt(recordings.votes[others])
    fitted = np.linalg.lstsq(
        columns[others] * root[:, None], recordings.value[others] * root, rcond=None
    )[0]
    low, high = (-3, 3) if through_origin else (1, 5)
    found: Array = np.clip(columns[here] @ fitted, low, high)
    return found


def figures(value: Array, reach: Array, predicted: Array, confidence: float) -> Accuracy:
    """P.1401's, of recordings with these values, half intervals and predictions."""
    error = abs(value - predicted)
    outside = np.maximum(0.0, error - reach)
    return Accuracy(
        recordings=len(value),
        rmse=_rmse(error, confidence),
        rmse_star=_rmse(outside, confidence),
        correlation=_correlation(value, predicted, confidence),
        outliers=_outliers(int((outside > 0).sum()), len(value), confidence),
    )


def _rmse(error: Array, confidence: float) -> Figure:
    freedom = len(error) - 1
    value = math.sqrt(float((error**2).sum()) / freedom)
    tail = (1 - confidence) / 2
    low, high = (float(stats.chi2.ppf(one, freedom)) for one in (1 - tail, tail))
    return Figure(value, value * math.sqrt(freedom / low), value * math.sqrt(freedom / high))


def _correlation(value: Array, predicted: Array, confidence: float) -> Figure | None:
    if np.ptp(value) == 0 or np.ptp(predicted) == 0:
        return None
    found = float(np.corrcoef(value, predicted)[0, 1])
    if len(value) < FEWEST_RECORDINGS or abs(found) >= 1:
        return Figure(found, found, found)
    reach = float(stats.norm.ppf(0.5 + confidence / 2)) / math.sqrt(len(value) - 3)
    middle = math.atanh(found)
    return Figure(found, math.tanh(middle - reach), math.tanh(middle + reach))


def _outliers(count: int, of: int, confidence: float) -> Figure:
    """Exact: P.1401's own interval is for more than 30."""
    ends = stats.binomtest(count, of).proportion_ci(confidence)
    return Figure(count / of, float(ends.low), float(ends.high))


def is_no_worse(rmse: float, best: float, recordings: int, confidence: float) -> bool:
    """Whether a metric's error is not significantly above the least (P.1401, clause 7.6.4)."""
    if best == 0:
        return rmse == 0
    freedom = recordings - 1
    return bool((rmse / best) ** 2 < stats.f.ppf(confidence, freedom, freedom))
