"""Three noises made of a seed, one of which reaches higher.

SPDX-License-Identifier: Apache-2.0
"""

from itertools import pairwise
from typing import TYPE_CHECKING

from thinlab.clips.manifest import Clips
from thinlab.database.schema import HearingTest
from thinlab.participation.round_sound import envelope, round_of_sounds
from thinlab.study.hearing.bandwidth import BandwidthTest
from thinlab.trials.listening.checks.one_of_some import (
    FADE_S,
    RATE_HZ,
    OneOfSomeCheck,
    sounds_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Every noise has these; the highest band that is asked for lies above.
LOW_HZ = (100, 4_000)
HIGH_FROM_SHARE = 0.75
# Root mean square of full scale, of either part: about as loud as the speech.
NOISE_RMS = 0.04


class BandwidthCheck(OneOfSomeCheck):
    """As `Check`."""

    def sound(
        self,
        rule: BandwidthTest,
        begun: HearingTest,
        round_: int,
        digits: Clips | None = None,  # noqa: ARG002
    ) -> bytes:
        """As `Check`."""
        return round_of(rule, begun.seed, round_, begun.rights[round_ - 1])

    def hear(
        self,
        round_: bytes,
        digits: Clips | None = None,  # noqa: ARG002
    ) -> int:
        """As `Check`: what changes from sample to sample is what is high."""
        changes = [
            sum((after - before) ** 2 for before, after in pairwise(sound))
            for sound in sounds_of(round_)
        ]
        return changes.index(max(changes))


def round_of(test: BandwidthTest, seed: bytes, number: int, right: int) -> bytes:
    """A round as WAV in one channel, 48 kHz: noises of a second each, with pauses between."""
    # Takes a moment to load, and only who is tested needs it.
    import numpy as np  # noqa: PLC0415

    chance = np.random.default_rng([number, *seed])
    shape = envelope(FADE_S, RATE_HZ)
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
