"""The sound of reference conditions, made of a clip's samples: ITU-T P.810, ITU-R BS.1534-3.

Filters have integer taps, and the noise is a sum of integers: no sum depends on its order, and
nothing on a library's generator. So a reference comes out as the same bytes wherever it is made,
as a recording has to.

A reference is as long as its clip and lies at the same place in time: filters are symmetric,
and their delay is taken out.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
from numpy.typing import NDArray
from scipy.signal import fftconvolve, firwin

from thinlab.clips import wav
from thinlab.condition.reference import Reference, ReferenceKind

Whole = NDArray[np.int64]
Signal = NDArray[np.float64]

TAP_BITS = 17
"""Taps are multiples of 2^-17: what they are rounded by stays 80 dB below."""
ANCHOR_TAPS = 519
"""Flat to within 0.01 dB up to 200 Hz below the cutoff, 60 dB down from 200 Hz above it."""
ANCHOR_CUTOFF_HZ = {ReferenceKind.LOW_ANCHOR: 3_750, ReferenceKind.MID_ANCHOR: 7_250}
"""6 dB down there: the pass bands end at 3.5 and 7 kHz."""
KAISER_BETA = 6.76
"""For 70 dB in the stop band."""

MNRU_RATE_HZ = 16_000
"""Of wideband speech: the noise lies between 0 and 8 kHz."""
DOWN = wav.SAMPLE_RATE_HZ // MNRU_RATE_HZ
RESAMPLING_TAPS = 349
"""A transition of 600 Hz around 8 kHz, where wideband speech has nothing left."""
NOISE_TERMS = 12
"""Uniform ones in each sample of noise: their sum has a variance of 1, and is nearly Gaussian."""
FRACTION_BITS = 4
"""Of noisy samples, on their way back to 48 kHz."""


def reference_sound(reference: Reference, seed: int, samples: bytes) -> bytes:
    """What is heard of a clip under a reference condition; both 48 kHz, mono, 16 bit.

    A pure function. `seed` is of the noise: members of a run that share it have the same noise.
    """
    clip = np.frombuffer(samples, "<i2").astype(np.int64)
    if reference.reference is ReferenceKind.UNPROCESSED:
        return samples
    if reference.q_db is not None:
        return _bytes(_with_modulated_noise(clip, reference.q_db, seed))
    cutoff_hz = ANCHOR_CUTOFF_HZ[reference.reference]
    return _bytes(_scaled(_filtered(clip, low_pass(cutoff_hz, ANCHOR_TAPS)), TAP_BITS))


def low_pass(cutoff_hz: float, length: int) -> Whole:
    """Taps of a symmetric filter at 48 kHz, times 2^17; their sum is exactly that."""
    ideal = firwin(length, cutoff_hz, fs=wav.SAMPLE_RATE_HZ, window=("kaiser", KAISER_BETA))
    taps: Whole = np.rint(ideal * 2**TAP_BITS).astype(np.int64)
    # What rounding has taken from the sum goes into the middle: nothing is louder or softer.
    taps[length // 2] += 2**TAP_BITS - taps.sum()
    return taps


def modulated_noise(length: int, seed: int) -> Signal:
    """White noise of unit power (P.810, N of its formula), drawn from a seed; exact everywhere."""
    words = np.random.Philox(key=seed).random_raw(length * NOISE_TERMS // 4)
    terms = words.astype("<u8").view("<u2").reshape(length, NOISE_TERMS).astype(np.int64)
    centre = NOISE_TERMS * (2**16 - 1) / 2
    noise: Signal = (terms.sum(axis=1) - centre) / 2**16
    return noise


def _with_modulated_noise(clip: Whole, q_db: float, seed: int) -> Whole:
    """P.810: y(n) = x(n) (1 + 10^(-Q/20) N(n)), at 16 kHz."""
    taps = low_pass(MNRU_RATE_HZ / 2, RESAMPLING_TAPS)
    speech = _filtered(clip, taps)[::DOWN] / 2**TAP_BITS
    noise = 10 ** (-q_db / 20) * modulated_noise(len(speech), seed)
    noisy = np.rint(speech * (1 + noise) * 2**FRACTION_BITS).astype(np.int64)
    spread = np.zeros(len(clip), np.int64)
    spread[::DOWN] = noisy * DOWN
    return _scaled(_filtered(spread, taps), TAP_BITS + FRACTION_BITS)


def _filtered(signal: Whole, taps: Whole) -> Whole:
    """Exact: a sum of whole numbers that the transform is off by far less than a half."""
    summed: Whole = np.rint(fftconvolve(signal, taps, mode="same")).astype(np.int64)
    return summed


def _scaled(signal: Whole, bits: int) -> Whole:
    rounded: Whole = (signal + 2 ** (bits - 1)) >> bits
    return rounded


def _bytes(signal: Whole) -> bytes:
    """What exceeds 16 bits is cut off, as in any converter."""
    return np.clip(signal, -32_768, 32_767).astype("<i2").tobytes()
