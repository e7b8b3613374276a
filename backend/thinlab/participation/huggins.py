"""The noises of the headphone test, made of a seed.

Huggins pitch: noise that is the same in both ears but for a narrow band, which is upside down in
one. Only who hears the two sides apart, through headphones, hears a faint tone in it (Milne et al.
2021, doi:10.3758/s13428-020-01514-0: noise of one second, 600 Hz, ±6 %). A round is three of them,
one with the tone. All rounds are alike in length and level, and are made in the same steps.

SPDX-License-Identifier: Apache-2.0
"""

import io
import wave

RATE_HZ = 16_000
NOISES = 3
PAUSE_S = 0.5
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
    fade = np.sin(np.linspace(0, np.pi / 2, int(FADE_S * RATE_HZ), endpoint=False)) ** 2
    envelope = np.ones(RATE_HZ)
    envelope[: len(fade)], envelope[-len(fade) :] = fade, fade[::-1]
    hertz = np.fft.rfftfreq(RATE_HZ, 1 / RATE_HZ)
    band = np.abs(hertz - CENTRE_HZ) <= HALF_WIDTH_SHARE * CENTRE_HZ
    silence = np.zeros((int(PAUSE_S * RATE_HZ), 2), dtype="<i2")
    parts = []
    for noise in range(NOISES):
        spectrum = np.fft.rfft(NOISE_RMS * chance.standard_normal(RATE_HZ))
        turned = np.where(band, -1.0 if noise == with_tone else 1.0, 1.0)
        ears = [np.fft.irfft(spectrum, RATE_HZ), np.fft.irfft(spectrum * turned, RATE_HZ)]
        samples = np.clip(np.stack(ears, axis=1) * envelope[:, None], -1, 1)
        parts += [np.rint(samples * 32_767).astype("<i2"), silence]
    return _wav(np.concatenate(parts[:-1]).tobytes())


def _wav(samples: bytes) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(samples)
    return buffer.getvalue()
