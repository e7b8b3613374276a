"""The tones of the headphone test by antiphase, made of a seed.

Three tones of 200 Hz and one second. One is 6 dB quieter; of the other two, one is upside down in
one ear. From loudspeakers the two sides of that one cancel each other in the air, and it seems the
quietest; through headphones it does not (Woods et al. 2017, doi:10.3758/s13414-017-1361-2: ramps
of 100 ms). Which of the two it is is drawn, so that it tells nothing of the quiet one.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.participation.round_sound import RATE_HZ, envelope, round_of_sounds
from thinlab.study.headphone_test import SOUNDS

TONE_HZ = 200
QUIETER_DB = 6
# A low tone has to be stronger than noise to be as loud.
AMPLITUDE = 0.25
FADE_S = 0.1


def round_of(seed: bytes, number: int, quiet: int) -> bytes:
    """A round as WAV in two channels: tones of a second each, with pauses between."""
    # Takes a moment to load, and only who tests headphones needs it.
    import numpy as np  # noqa: PLC0415

    chance = np.random.default_rng([number, *seed])
    turned = chance.choice([tone for tone in range(SOUNDS) if tone != quiet])
    at_s = np.arange(RATE_HZ) / RATE_HZ
    wave = AMPLITUDE * np.sin(2 * np.pi * TONE_HZ * at_s) * envelope(FADE_S)
    tones = []
    for tone in range(SOUNDS):
        left = wave * (10 ** (-QUIETER_DB / 20) if tone == quiet else 1.0)
        tones.append(np.stack([left, -left if tone == turned else left], axis=1))
    return round_of_sounds(tones)
