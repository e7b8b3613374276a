"""The sounds of the tests of hearing and equipment, made of a seed.

SPDX-License-Identifier: Apache-2.0
"""

from typing import TYPE_CHECKING

from thinlab.participation.round_sound import envelope, round_of_sounds
from thinlab.study.hearing_test import BandwidthTest, LevelsTest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE_HZ = 48_000
FADE_S = 0.05
TONE_HZ = 1_000
# Of the softer tone; twelve decibels more still fit.
AMPLITUDE = 0.1
# Every noise has these; the highest band that is asked for lies above.
LOW_HZ = (100, 4_000)
HIGH_FROM_SHARE = 0.75
# Root mean square of full scale, of either part: about as loud as the speech.
NOISE_RMS = 0.04


def round_of(test: LevelsTest | BandwidthTest, seed: bytes, number: int, right: int) -> bytes:
    """A round as WAV in one channel, 48 kHz: sounds of a second each, with pauses between."""
    # Takes a moment to load, and only who is tested needs it.
    import numpy as np  # noqa: PLC0415

    chance = np.random.default_rng([number, *seed])
    shape = envelope(FADE_S, RATE_HZ)
    if isinstance(test, LevelsTest):
        tone = AMPLITUDE * np.sin(2 * np.pi * TONE_HZ * np.arange(RATE_HZ) / RATE_HZ)
        louder = 10 ** (test.difference_db / 20)
        sounds = [tone * (louder if one == right else 1.0) for one in range(test.sounds)]
    else:
        high = (HIGH_FROM_SHARE * test.up_to_hz, float(test.up_to_hz))
        sounds = [
            _noise(chance, LOW_HZ) + (_noise(chance, high) if one == right else 0.0)
            for one in range(test.sounds)
        ]
    return round_of_sounds([(shape * one)[:, None] for one in sounds], RATE_HZ)


def _noise(chance: "np.random.Generator", band_hz: tuple[float, float]) -> "NDArray[np.float64]":
    import numpy as np  # noqa: PLC0415

    spectrum = np.fft.rfft(chance.standard_normal(RATE_HZ))
    hertz = np.fft.rfftfreq(RATE_HZ, 1 / RATE_HZ)
    spectrum[(hertz < band_hz[0]) | (hertz > band_hz[1])] = 0
    sound: NDArray[np.float64] = np.fft.irfft(spectrum, RATE_HZ)
    sound *= NOISE_RMS / np.sqrt(np.mean(sound**2))
    return sound
