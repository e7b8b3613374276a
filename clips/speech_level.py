"""Active speech level by ITU-T P.56, method B.

The level of speech while somebody speaks: pauses do not count, however long they are. The
signal is not filtered first; the clips hold nothing but the band that is spoken in.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

OVERLOAD = 32_768
"""Of 16-bit samples. 0 dBov is the power of a square wave that just does not overload them
(G.100.1), so a sine that just does not has -3.01 dBov."""
SMOOTHING_S = 0.03
HANGOVER_S = 0.2
"""A gap as short as this, between two words say, still counts as speech."""
MARGIN_DB = 15.9
"""What exceeds a threshold this far below the level that it leads to is speech."""
THRESHOLDS = tuple(2.0**-power for power in range(15, 0, -1))
"""Of the envelope, of full scale: 6.02 dB apart, up to one half."""


@dataclass(frozen=True)
class SpeechLevel:
    """What P.56 says of a signal."""

    active_dbov: float
    """Its active speech level; minus infinity of silence."""
    activity_share: float
    """Of the time, how much is speech."""


def speech_level(samples: NDArray[np.int16], rate_hz: int) -> SpeechLevel:
    """Of a mono signal."""
    signal = samples.astype(np.float64) / OVERLOAD
    energy = float(np.sum(signal**2))
    if energy == 0:
        return SpeechLevel(-math.inf, 0.0)
    envelope = _envelope(signal, rate_hz)
    hangover = round(HANGOVER_S * rate_hz)
    place = np.arange(len(signal))
    before: tuple[float, float, float] | None = None
    for threshold in THRESHOLDS:
        last_above = np.maximum.accumulate(
            np.where(envelope >= threshold, place, -hangover - 1)
        )
        active = int(np.count_nonzero(place - last_above <= hangover))
        if active == 0:
            break
        level_db = 10 * math.log10(energy / active)
        above_db = level_db - 20 * math.log10(threshold) - MARGIN_DB
        share = active / len(signal)
        if above_db <= 0:
            return _between(before, (above_db, level_db, share))
        before = (above_db, level_db, share)
    # Louder than any threshold allows for: all of it is speech.
    return SpeechLevel(10 * math.log10(energy / len(signal)), 1.0)


def _envelope(signal: NDArray[np.float64], rate_hz: int) -> NDArray[np.float64]:
    """The magnitude, smoothed twice."""
    keep = math.exp(-1 / (rate_hz * SMOOTHING_S))
    once = twice = 0.0
    smoothed = []
    for magnitude in np.abs(signal).tolist():
        once = keep * once + (1 - keep) * magnitude
        twice = keep * twice + (1 - keep) * once
        smoothed.append(twice)
    return np.array(smoothed)


def _between(
    before: tuple[float, float, float] | None, after: tuple[float, float, float]
) -> SpeechLevel:
    """On the line between two thresholds, where the margin is exactly what it has to be."""
    if before is None:
        return SpeechLevel(after[1], after[2])
    way = before[0] / (before[0] - after[0])
    level_db, share = (
        one + way * (other - one)
        for one, other in zip(before[1:], after[1:], strict=True)
    )
    return SpeechLevel(level_db, share)
