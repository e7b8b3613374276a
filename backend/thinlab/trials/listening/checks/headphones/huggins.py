"""The noises of the headphone test by Huggins pitch, made of a seed.

Noise that is the same in both ears but for a narrow band, which is upside down in one. Only who
hears the two sides apart, through headphones, hears a faint tone in it (Milne et al. 2021,
doi:10.3758/s13428-020-01514-0: noise of one second, 600 Hz, ±6 %). A round is three of them, one
with the tone. All rounds are alike in length and level.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.participation.round_sound import RATE_HZ, envelope, round_of_sounds
from thinlab.study.headphone_test import SOUNDS

CENTRE_HZ = 600
HALF_WIDTH_SHARE = 0.06
# Of either ear, as root mean square of full scale: about as loud as the speech.
NOISE_RMS = 0.05
FADE_S = 0.03


def round_of(seed: bytes, number: int, with_tone: int) -> bytes:
    """A round as WAV in two channels: noises of a second each, with pauses between."""
    # Takes a moment to load, and only who tests headphones needs it.
    import numpy as np  # noqa: PLC0415

    chance = np.random.default_rng([number, *seed])
    shape = envelope(FADE_S)
    hertz = np.fft.rfftfreq(RATE_HZ, 1 / RATE_HZ)
    band = np.abs(hertz - CENTRE_HZ) <= HALF_WIDTH_SHARE * CENTRE_HZ
    noises = []
    for noise in range(SOUNDS):
        spectrum = np.fft.rfft(NOISE_RMS * chance.standard_normal(RATE_HZ))
        turned = np.where(band, -1.0 if noise == with_tone else 1.0, 1.0)
        ears = [np.fft.irfft(spectrum, RATE_HZ), np.fft.irfft(spectrum * turned, RATE_HZ)]
        noises.append(np.stack(ears, axis=1) * shape[:, None])
    return round_of_sounds(noises)
