"""A recording's outline: the lowest and the highest sample of each short while.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

import numpy as np

from thinlab.clips.wav import SAMPLE_RATE_HZ

FULL_SCALE = 32_768
DECIMALS = 4


@dataclass(frozen=True)
class Outline:
    """Buckets of equal length; the last one may hold less."""

    bucket_ms: float
    lowest: list[float]
    """−1…1, one a bucket."""
    highest: list[float]


def outline(samples: bytes, buckets: int) -> Outline:
    """The outline of little-endian 16-bit samples in at most so many buckets."""
    values = np.frombuffer(samples, dtype="<i2")
    length = max(1, -(-len(values) // buckets))
    starts = np.arange(0, len(values), length)
    return Outline(
        bucket_ms=length * 1000 / SAMPLE_RATE_HZ,
        lowest=_shares(np.minimum.reduceat(values, starts)) if len(values) else [],
        highest=_shares(np.maximum.reduceat(values, starts)) if len(values) else [],
    )


def _shares(values: np.ndarray) -> list[float]:
    shares: list[float] = np.round(values / FULL_SCALE, DECIMALS).tolist()
    return shares
